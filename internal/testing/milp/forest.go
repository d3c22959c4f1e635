//go:build lpsolve

package milp

import (
	"fmt"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// forest is an ensemble as the program sees it: borders, and sums of what leaves add.
type forest struct {
	*trees.Ensemble[*trees.Axis]
}

func newForest(e *classifier.Ensemble) (forest, error) {
	axes := make([]*trees.Axis, e.Len())
	for i := range axes {
		t := e.Tree(i)
		var nodes trees.Nodes
		for _, n := range t.Nodes() {
			nodes = append(nodes, trees.Node{
				Feature: n.Feature, Threshold: n.Threshold, Left: n.Left, Right: n.Right,
				MissingLeft: n.MissingLeft, Value: n.Value,
			})
		}
		axis, err := trees.NewAxis(t.Dim(), trees.Comparison(t.Comparison()), nodes)
		if err != nil {
			return forest{}, fmt.Errorf("tree %d: %w", i, err)
		}
		axes[i] = axis
	}
	o := e.Options()
	votes, err := trees.NewEnsemble(axes, trees.Vote{
		Rule:   trees.Rule(o.Vote),
		Base:   o.Base,
		Single: o.Single,
	})
	return forest{votes}, err
}

// reached returns the leaf of each tree that z reaches.
func (f forest) reached(z []float64) []int {
	leaves := make([]int, len(f.Trees))
	for t, tree := range f.Trees {
		leaves[t] = tree.Leaf(z)
	}
	return leaves
}
