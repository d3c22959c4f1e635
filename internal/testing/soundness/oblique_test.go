package soundness

import (
	"iter"
	"math"
	"math/big"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Oblique is an attack on linear decision trees, or on a user's classifier that
// lists the cells of one.
type Oblique struct {
	Voters
	// Custom attacks a classifier of this package that lists the leaves of the first
	// tree, which is alone, as half-spaces.
	Custom bool
}

// Check implements Instance.
func (in *Oblique) Check(seed uint64) []Failure {
	c, err := in.classifier()
	return in.check(c, err, Truth{Infimum: in.infimum, Within: in.within, Label: in.label}, seed)
}

func (in *Oblique) classifier() (classifier.Decomposable, error) {
	if in.Custom {
		return &partition{in}, nil
	}
	var all [][]classifier.ObliqueNode
	for _, nodes := range in.Trees {
		public := make([]classifier.ObliqueNode, len(nodes))
		for i, n := range nodes {
			public[i] = classifier.ObliqueNode{
				Weights:   n.Weights,
				Threshold: n.Threshold,
				Left:      n.Left,
				Right:     n.Right,
				Value:     n.Value,
			}
		}
		all = append(all, public)
	}
	if in.Alone {
		return classifier.NewObliqueEnsemble(in.Dim, all[:1],
			classifier.EnsembleOptions{Vote: classifier.HardVote})
	}
	return classifier.NewObliqueEnsemble(in.Dim, all, in.options())
}

// label is the exact label at z, sure unless a test of several features holds with
// equality.
func (in *Oblique) label(z []float64) (label int, sure bool) {
	sure = true
	label = in.vote(func(n trees.Node) bool {
		left, clear := in.test(n, z)
		sure = sure && clear
		return left
	})
	return label, sure
}

// test tells whether z goes left, and whether that is so around z.
func (in *Oblique) test(n trees.Node, z []float64) (left, clear bool) {
	if math.IsInf(n.Threshold, 0) {
		return n.Threshold > 0, true
	}
	w, t := in.halfSpace(n)
	sum := new(big.Rat).Neg(t)
	for j, e := range w {
		sum.Add(sum, new(big.Rat).Mul(rat(e), rat(z[j])))
	}
	free := false
	if in.only(n) >= 0 && !in.Custom {
		return sum.Sign() <= 0, true
	}
	for j, e := range w {
		free = free || (e != 0 && !in.Query.fixed(j))
	}
	return sum.Sign() <= 0, sum.Sign() != 0 || !free
}

// Smaller implements Instance.
func (in *Oblique) Smaller() iter.Seq[Instance] {
	return func(yield func(Instance) bool) {
		for v := range in.smaller() {
			if !yield(&Oblique{v, in.Custom}) {
				return
			}
		}
	}
}
