package soundness

import (
	"iter"
	"math"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Trees is an attack on axis-parallel trees.
type Trees struct {
	Voters
	Comparison classifier.Comparison
}

// Check implements Instance.
func (in *Trees) Check(seed uint64) []Failure {
	c, err := in.classifier()
	truth := Truth{
		Infimum: in.infimum,
		Label:   func(z []float64) (int, bool) { return in.labelAt(z), true },
	}
	if !in.Listed {
		truth.Apart = in.apart
	}
	return in.check(c, err, truth, seed)
}

func (in *Trees) classifier() (classifier.Decomposable, error) {
	var all []*classifier.Tree
	for _, nodes := range in.Trees {
		public := make([]classifier.TreeNode, len(nodes))
		for i, n := range nodes {
			public[i] = classifier.TreeNode{
				Feature:     n.Feature,
				Threshold:   n.Threshold,
				Left:        n.Left,
				Right:       n.Right,
				MissingLeft: n.MissingLeft,
				Value:       n.Value,
			}
		}
		t, err := classifier.NewTree(in.Dim, in.Comparison, public)
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	if in.Alone {
		return all[0], nil
	}
	return classifier.NewEnsemble(all, in.options())
}

// goesLeft is the comparison of a node.
func goesLeft(c classifier.Comparison, v, threshold float64) bool {
	switch c {
	case classifier.AtMostFloat32:
		return float64(float32(v)) <= threshold
	case classifier.BelowFloat32:
		return float64(float32(v)) < threshold
	case classifier.AtMostFloat64:
		return v <= threshold
	}
	return v < threshold
}

// labelAt is the label of a float64 input.
func (in *Trees) labelAt(z []float64) int {
	return in.vote(func(n trees.Node) bool {
		if math.IsNaN(z[n.Feature]) {
			return n.MissingLeft
		}
		return goesLeft(in.Comparison, z[n.Feature], n.Threshold)
	})
}

// Smaller implements Instance.
func (in *Trees) Smaller() iter.Seq[Instance] {
	return func(yield func(Instance) bool) {
		for v := range in.smaller() {
			if !yield(&Trees{v, in.Comparison}) {
				return
			}
		}
	}
}
