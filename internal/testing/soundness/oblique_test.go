package soundness

import (
	"iter"
	"math"
	"math/big"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier"
)

// Oblique is an attack on linear decision trees, or on a user's classifier that
// lists the cells of one.
type Oblique struct {
	Dim     int
	Trees   [][]classifier.ObliqueNode
	Vote    classifier.Vote
	Rounded bool // sums are float32
	// Alone attacks the first tree without a vote.
	Alone bool
	// Listed hides the classifier's own search: its cells are listed.
	Listed bool
	// Custom attacks a classifier of this package that lists the leaves of the first
	// tree as half-spaces.
	Custom bool
	Query  Query
}

// Check implements Instance.
func (in *Oblique) Check(seed uint64) []Failure {
	truth := Truth{Infimum: in.infimum, Within: in.within, Label: in.label}
	if in.Custom {
		return checkAttack(&partition{in}, &in.Query, truth, seed)
	}
	c, err := in.classifier()
	if err != nil {
		return []Failure{{'E', err.Error()}}
	}
	if in.Listed {
		return checkAttack(listed{c}, &in.Query, truth, seed)
	}
	return checkAttack(c, &in.Query, truth, seed)
}

func (in *Oblique) classifier() (classifier.Decomposable, error) {
	var trees []*classifier.ObliqueTree
	for _, nodes := range in.Trees {
		t, err := classifier.NewObliqueTree(in.Dim, nodes)
		if err != nil {
			return nil, err
		}
		trees = append(trees, t)
	}
	if in.Alone {
		return trees[0], nil
	}
	return classifier.NewObliqueEnsemble(trees, classifier.EnsembleOptions{Vote: in.Vote, Single: in.Rounded})
}

// decide turns leaves into a label.
func (in *Oblique) decide(leaves [][]float64) int {
	if in.Alone || in.Custom {
		return largest(leaves[0])
	}
	return ballot(in.Vote, nil, in.Rounded, leaves)
}

// label is the exact label at z, sure unless a test of several features holds with
// equality.
func (in *Oblique) label(z []float64) (int, bool) {
	var leaves [][]float64
	sure := true
	for _, nodes := range in.Trees {
		at := 0
		for nodes[at].Left >= 0 {
			left, clear := in.test(nodes[at], z)
			sure = sure && clear
			if left {
				at = nodes[at].Left
			} else {
				at = nodes[at].Right
			}
		}
		leaves = append(leaves, nodes[at].Value)
	}
	return in.decide(leaves), sure
}

// test tells whether z goes left, and whether that is so around z.
func (in *Oblique) test(n classifier.ObliqueNode, z []float64) (left, clear bool) {
	if math.IsInf(n.Threshold, 0) {
		return n.Threshold > 0, true
	}
	w, t, _ := in.halfSpace(n)
	sum := new(big.Rat).Neg(t)
	for j, e := range w {
		sum.Add(sum, new(big.Rat).Mul(rat(e), rat(z[j])))
	}
	free := false
	for j, e := range w {
		flat := in.Query.Domain != nil && in.Query.Domain[j].Lo == in.Query.Domain[j].Hi
		free = free || (e != 0 && !flat)
	}
	return sum.Sign() <= 0, sum.Sign() != 0 || !free
}

// Smaller implements Instance.
func (in *Oblique) Smaller() iter.Seq[Instance] {
	return func(yield func(Instance) bool) {
		for i := range in.Trees {
			c := *in
			if c.Trees = slices.Delete(slices.Clone(in.Trees), i, i+1); len(c.Trees) > 0 && !yield(&c) {
				return
			}
		}
		for i, nodes := range in.Trees {
			for smaller := range smallerObliqueTrees(nodes) {
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
