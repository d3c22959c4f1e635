package soundness

import (
	"iter"
	"math/rand/v2"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Voters is an attack on trees of either kind that vote.
type Voters struct {
	Dim     int
	Trees   [][]trees.Node
	Vote    classifier.Vote
	Base    []float64
	Rounded bool // sums are float32
	// Alone attacks the first tree without a vote.
	Alone bool
	// Listed hides the classifier's own search: its cells are listed.
	Listed bool
	Query  Query
}

// options are those of the vote.
func (in *Voters) options() classifier.EnsembleOptions {
	return classifier.EnsembleOptions{Vote: in.Vote, Base: in.Base, Single: in.Rounded}
}

// check attacks the classifier that the trees make.
func (in *Voters) check(c classifier.Decomposable, err error, truth Truth, seed uint64) []Failure {
	if err != nil {
		return []Failure{{'E', err.Error()}}
	}
	if in.Listed {
		return checkAttack(listed{c}, &in.Query, truth, seed)
	}
	return checkAttack(c, &in.Query, truth, seed)
}

// vote decides between the leaves that left leads to.
func (in *Voters) vote(left func(trees.Node) bool) int { return in.decide(in.reached(left)) }

// reached returns the values of the leaves that left leads to.
func (in *Voters) reached(left func(trees.Node) bool) [][]float64 {
	reached := make([][]float64, len(in.Trees))
	for i, nodes := range in.Trees {
		at := 0
		for nodes[at].Left >= 0 {
			at = side(nodes[at], left(nodes[at]))
		}
		reached[i] = nodes[at].Value
	}
	return reached
}

// decide turns leaves into a label.
func (in *Voters) decide(leaves [][]float64) int {
	if in.Alone {
		return largest(leaves[0])
	}
	return ballot(in.Vote, in.Base, in.Rounded, leaves)
}

func side(n trees.Node, left bool) int {
	if left {
		return n.Left
	}
	return n.Right
}

// growNodes draws a tree of depth at most three.
func growNodes(
	r *rand.Rand, vote classifier.Vote, classes int, test func() trees.Node,
) []trees.Node {
	var nodes []trees.Node
	var grow func(depth int) int
	grow = func(depth int) int {
		at := len(nodes)
		nodes = append(nodes, trees.Node{Left: -1, Right: -1, Value: drawValues(r, vote, classes)})
		if depth == 0 || (at > 0 && r.IntN(4) == 0) {
			return at
		}
		n := test()
		n.Value = nodes[at].Value
		n.Left = grow(depth - 1)
		n.Right = grow(depth - 1)
		nodes[at] = n
		return at
	}
	grow(1 + r.IntN(3))
	return nodes
}

// smaller lists simpler ones: without a tree, with a simpler tree, a query with fewer
// conditions or rounder numbers.
func (in Voters) smaller() iter.Seq[Voters] {
	return func(yield func(Voters) bool) {
		for i := range in.Trees {
			c := in
			if c.Trees = slices.Delete(slices.Clone(in.Trees), i, i+1); len(c.Trees) > 0 &&
				!yield(c) {
				return
			}
		}
		for i, nodes := range in.Trees {
			for simpler := range simplerNodes(nodes) {
				c := in
				c.Trees = slices.Clone(in.Trees)
				if c.Trees[i] = simpler; !yield(c) {
					return
				}
			}
		}
		for q := range simplerQueries(in.Query) {
			c := in
			if c.Query = q; !yield(c) {
				return
			}
		}
		for j, v := range in.Query.X {
			for _, simple := range append(rounder(v), 0) {
				c := in
				c.Query.X = slices.Clone(in.Query.X)
				if c.Query.X[j] = simple; simple != v && !yield(c) {
					return
				}
			}
		}
	}
}

// simplerNodes lists trees in which a node is one of its sides, or a number is rounder.
func simplerNodes(nodes []trees.Node) iter.Seq[[]trees.Node] {
	return func(yield func([]trees.Node) bool) {
		for i, n := range nodes {
			for simple := range simplerNode(n) {
				c := slices.Clone(nodes)
				if c[i] = simple; !yield(c) {
					return
				}
			}
			if n.Left >= 0 &&
				(!yield(grafted(nodes, i, n.Left)) || !yield(grafted(nodes, i, n.Right))) {
				return
			}
		}
	}
}

// simplerNode lists nodes with rounder numbers. The values of a leaf become 1 for the winner
// and 0 for others, those of an inner node zeros.
func simplerNode(n trees.Node) iter.Seq[trees.Node] {
	return func(yield func(trees.Node) bool) {
		values := make([]float64, len(n.Value))
		if n.Left < 0 {
			values[largest(n.Value)] = 1
		}
		c := n
		if c.Value = values; !slices.Equal(values, n.Value) && !yield(c) {
			return
		}
		for _, simple := range rounder(n.Threshold) {
			c := n
			if c.Threshold = simple; !yield(c) {
				return
			}
		}
		for j, w := range n.Weights {
			for _, simple := range rounder(w) {
				c := n
				c.Weights = slices.Clone(n.Weights)
				if c.Weights[j] = simple; !yield(c) {
					return
				}
			}
		}
	}
}

// grafted returns the tree with node below in the place of node at.
func grafted(nodes []trees.Node, at, below int) []trees.Node {
	var out []trees.Node
	var add func(i int) int
	add = func(i int) int {
		if i == at {
			i = below
		}
		place := len(out)
		out = append(out, nodes[i])
		if nodes[i].Left >= 0 {
			left := add(nodes[i].Left)
			right := add(nodes[i].Right)
			out[place].Left, out[place].Right = left, right
		}
		return place
	}
	add(0)
	return out
}
