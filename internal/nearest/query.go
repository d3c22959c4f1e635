package nearest

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

// New returns the search for the nearest answer to a query.
func New(table *neighbors.Table, q search.Query) search.Search {
	s := &query{Query: q, table: table, known: math.Inf(1)}
	s.candidates, s.rivals = table.Sides(q)
	s.near = table.Rivals(s.rivals, &s.Query, neighbors.NearRivals)
	n, d := s.near.Len(), table.Dim
	if n == neighbors.NearRivals {
		s.known = math.Sqrt(s.near.First[n-1].Squared) * (1 - precise.Noise(d))
	}
	s.toNear = make([]float64, n*d)
	for i := range n {
		floats.SubTo(s.toNear[i*d:(i+1)*d], s.near.Row(i), q.X)
	}
	return s
}

// query is the search of one query. It does not change once made.
type query struct {
	search.Query
	table              *neighbors.Table
	candidates, rivals neighbors.Trees
	near               neighbors.Rivals // the nearest rivals
	toNear             []float64        // what leads from X to those, flat
	known              float64          // no rival but those lies nearer to X than this
}

// toRival returns what leads from X to a near rival.
func (s *query) toRival(i int) []float64 {
	return s.toNear[i*s.table.Dim : (i+1)*s.table.Dim]
}

// What a node stands for is packed in its Item: a stage, and the node of a tree
// with the label of the tree, or the row of a candidate.
const (
	stageTree    = iota // the candidates below a node of a k-d tree
	stageRow            // a candidate, bounded by the nearest rival
	stageBounded        // a candidate, bounded by the near rivals
)

func pack(stage, label, index int) int64 {
	return int64(stage)<<60 | int64(label)<<32 | int64(index)
}

func unpack(item int64) (stage, label, index int) {
	return int(item >> 60), int(item >> 32 & (1<<28 - 1)), int(item & (1<<32 - 1))
}

// Roots returns the roots of the candidates' trees. Orders are rows; a tree node
// takes the smallest order there is.
func (s *query) Roots() []search.Node {
	var roots []search.Node
	for _, t := range s.candidates {
		roots = append(roots, search.Node{Item: pack(stageTree, int(s.table.Labels[t.IDs[0]]), 0)})
	}
	return roots
}

func (s *query) NewOpener() search.Opener {
	d := s.table.Dim
	memory := make([]float64, 3*d+s.near.Len())
	return &opener{
		query: s,
		cell:  cell{query: s, a: memory[:d], z: memory[d : 2*d], to: memory[2*d : 3*d], lengths: memory[3*d:]},
	}
}
