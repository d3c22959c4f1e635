//go:build lpsolve

package milp

import (
	"fmt"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
)

// forest is an ensemble as the program sees it.
type forest struct {
	opts  classifier.EnsembleOptions
	trees [][]node
}

// node is a node of a tree.
type node struct {
	feature     int
	border      border
	left, right int       // −1 for a leaf
	value       []float64 // what a leaf adds to the sums
}

func (n node) isLeaf() bool { return n.left < 0 }

// leaf names a leaf of a forest.
type leaf struct{ tree, node int }

func newForest(e *classifier.Ensemble) (*forest, error) {
	f := &forest{opts: e.Options()}
	if err := checkVote(f.opts.Vote); err != nil {
		return nil, err
	}
	for t := range e.Len() {
		nodes, err := f.tree(e.Tree(t))
		if err != nil {
			return nil, fmt.Errorf("tree %d: %w", t, err)
		}
		f.trees = append(f.trees, nodes)
	}
	return f, nil
}

// checkVote returns an error for a vote that is no comparison of sums, as far
// as this package knows.
func checkVote(v classifier.Vote) error {
	switch v {
	case classifier.SoftVote, classifier.HardVote, classifier.SumVote, classifier.LogisticVote, classifier.SoftmaxVote:
		return nil
	}
	return fmt.Errorf("%w: vote %d is not one that the program knows", attack.ErrClassifier, v)
}

func (f *forest) tree(t *classifier.Tree) ([]node, error) {
	var nodes []node
	for i, n := range t.Nodes() {
		if n.Left < 0 {
			nodes = append(nodes, node{left: -1, right: -1, value: f.contribution(n.Value)})
			continue
		}
		b, err := borderOf(t.Comparison(), n.Threshold)
		if err != nil {
			return nil, fmt.Errorf("node %d: %w", i, err)
		}
		nodes = append(nodes, node{feature: n.Feature, border: b, left: n.Left, right: n.Right})
	}
	return nodes, nil
}

// contribution returns what a leaf adds to the sums, up to a rounding to float32
// that slack covers.
func (f *forest) contribution(value []float64) []float64 {
	if f.opts.Vote == classifier.HardVote {
		return ballot(value)
	}
	return value
}

// ballot is one vote for the largest value, the first of a tie.
func ballot(value []float64) []float64 {
	best := 0
	for c, v := range value {
		if v > value[best] {
			best = c
		}
	}
	vote := make([]float64, len(value))
	vote[best] = 1
	return vote
}

// borders returns those of each of dim features, in no order.
func (f *forest) borders(dim int) [][]border {
	borders := make([][]border, dim)
	for _, nodes := range f.trees {
		for _, n := range nodes {
			if !n.isLeaf() {
				borders[n.feature] = append(borders[n.feature], n.border)
			}
		}
	}
	return borders
}

// reached returns the leaf of each tree that z reaches.
func (f *forest) reached(z []float64) []leaf {
	leaves := make([]leaf, len(f.trees))
	for t, nodes := range f.trees {
		i := 0
		for !nodes[i].isLeaf() {
			n := nodes[i]
			if i = n.right; n.border.passes(z[n.feature]) {
				i = n.left
			}
		}
		leaves[t] = leaf{t, i}
	}
	return leaves
}
