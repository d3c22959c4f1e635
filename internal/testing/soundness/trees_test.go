package soundness

import (
	"iter"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier"
)

// Trees is an attack on axis-parallel trees.
type Trees struct {
	Dim        int
	Comparison classifier.Comparison
	Trees      [][]classifier.TreeNode
	Vote       classifier.Vote
	Base       []float64
	Rounded    bool // sums are float32
	// Alone attacks the first tree without a vote.
	Alone bool
	// Listed hides the classifier's own search: its cells are listed.
	Listed bool
	Query  Query
}

// Check implements Instance.
func (in *Trees) Check(seed uint64) []Failure {
	c, err := in.classifier()
	if err != nil {
		return []Failure{{'E', err.Error()}}
	}
	truth := Truth{Infimum: in.infimum, Label: func(z []float64) (int, bool) { return in.labelAt(z), true }}
	if in.Listed {
		return checkAttack(listed{c}, &in.Query, truth, seed)
	}
	return checkAttack(c, &in.Query, truth, seed)
}

func (in *Trees) classifier() (classifier.Decomposable, error) {
	var trees []*classifier.Tree
	for _, nodes := range in.Trees {
		t, err := classifier.NewTree(in.Dim, in.Comparison, nodes)
		if err != nil {
			return nil, err
		}
		trees = append(trees, t)
	}
	if in.Alone {
		return trees[0], nil
	}
	return classifier.NewEnsemble(trees, classifier.EnsembleOptions{Vote: in.Vote, Base: in.Base, Single: in.Rounded})
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
	return in.vote(func(n classifier.TreeNode) bool {
		return goesLeft(in.Comparison, z[n.Feature], n.Threshold)
	})
}

// vote adds up the leaves that left leads to.
func (in *Trees) vote(left func(classifier.TreeNode) bool) int {
	reached := make([][]float64, len(in.Trees))
	for i, nodes := range in.Trees {
		at := 0
		for nodes[at].Left >= 0 {
			if left(nodes[at]) {
				at = nodes[at].Left
			} else {
				at = nodes[at].Right
			}
		}
		reached[i] = nodes[at].Value
	}
	if in.Alone {
		return largest(reached[0])
	}
	return ballot(in.Vote, in.Base, in.Rounded, reached)
}

// Smaller implements Instance.
func (in *Trees) Smaller() iter.Seq[Instance] {
	return func(yield func(Instance) bool) {
		for i := range in.Trees {
			c := *in
			if c.Trees = slices.Delete(slices.Clone(in.Trees), i, i+1); len(c.Trees) > 0 && !yield(&c) {
				return
			}
		}
		for i, nodes := range in.Trees {
			for smaller := range smallerTrees(nodes) {
				c := *in
				c.Trees = slices.Clone(in.Trees)
				if c.Trees[i] = smaller; !yield(&c) {
					return
				}
			}
		}
		for q := range simplerQueries(in.Query) {
			c := *in
			if c.Query = q; !yield(&c) {
				return
			}
		}
		for j, v := range in.Query.X {
			for _, simple := range append(rounder(v), 0) {
				c := *in
				c.Query.X = slices.Clone(in.Query.X)
				if c.Query.X[j] = simple; simple != v && !yield(&c) {
					return
				}
			}
		}
	}
}
