package orderk

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/testing/transcript"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/polytope/native"
)

// TestTranscript writes down the search of doc.go, and one with three labels, in which the
// members of cells decide.
func TestTranscript(t *testing.T) {
	tests := []struct {
		file   string
		labels []int
		rows   [][]float64
		x      []float64
	}{
		{"testdata/two_labels.txt", []int{0, 0, 0, 1, 1, 1, 1},
			[][]float64{{-1, 0}, {1, 2}, {1, -2}, {4, 1}, {5, -1}, {6, 2}, {9, 9}},
			[]float64{0, 0}},
		{"testdata/three_labels.txt", []int{0, 1, 2, 2}, [][]float64{{0}, {4}, {5}, {9}},
			[]float64{3}},
	}
	for _, test := range tests {
		x := mat.NewDense(len(test.rows), len(test.x), slices.Concat(test.rows...))
		table, err := neighbors.New(t.Context(), x, test.labels)
		if err != nil {
			t.Fatal(err)
		}
		var w strings.Builder
		for i, label := range test.labels {
			fmt.Fprintf(&w, "row %d: %v, label %d\n", i, table.Row(int32(i)), label)
		}
		q := search.Query{
			X: test.x, Target: -1, Cost: geometry.In(polytope.L2), Solver: native.Solver{},
		}
		s := newQuery(table, 3, q)
		fmt.Fprintf(&w,
			"\nHow far is %v, of label 0, from another label in ℓ2, with 3 neighbours? "+
				"Of the neighbours %d at least must have other labels.\n", q.X, s.Required)
		transcript.Run(t, &w, s, func(n search.Node) string { return nameOf(s, n) })
		transcript.Compare(t, test.file, w.String())
	}
}

// nameOf names a node.
func nameOf(s *query, n search.Node) string {
	switch state := n.State.(type) {
	case *node:
		return state.String()
	case *partnerBranch:
		return fmt.Sprintf("%v; %d more before it, %d of them bounded",
			state.node, state.need, len(state.rows)-state.placed)
	case *outsiderBranch:
		return fmt.Sprintf("%v; one more row before row %d, after %d",
			state.node, state.rival, len(state.taken))
	case onePivot:
		return fmt.Sprintf("pivot %d", n.Item)
	case *candidateSet:
		return fmt.Sprintf("the pivots; candidates: %d rows, %d rivals",
			len(state.supporting), len(state.rivals))
	}
	return "everything"
}

// String names the decisions of a node.
func (p *node) String() string {
	var decided []string
	say := func(format string, args ...any) {
		decided = append(decided, fmt.Sprintf(format, args...))
	}
	pivot := p.pivot.id
	for ; p != nil; p = p.parent {
		if p.kind == partnerNode {
			say("%d before it", p.partner())
		}
		for i, id := range p.list[:min(int(p.at)+1, len(p.list))] {
			last := i == int(p.at)
			switch {
			case p.kind == rivalNode && last:
				say("%d after it", id)
			case p.kind == rivalNode:
				say("%d before it", id)
			case p.kind == memberNode && last, p.kind == outsiderNode && !last:
				say("%d no neighbour", id)
			case p.kind == memberNode, p.kind == outsiderNode:
				say("%d a neighbour", id)
			}
		}
	}
	if slices.Reverse(decided); decided == nil {
		decided = []string{"nothing decided"}
	}
	return fmt.Sprintf("pivot %d: %s", pivot, strings.Join(decided, ", "))
}
