package boxtree_test

import (
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
)

// TestShareByAnotherClass: the probability of a class falls where another class leads it, and which
// one does is a target each. An answer that the node of one target comes across, nearer than its
// bound, is that of another, and an answer to a question about a radius all the same.
func TestShareByAnotherClass(t *testing.T) {
	t.Parallel()
	var trees []*classifier.Tree
	leaf := func(v ...float64) classifier.TreeNode {
		return classifier.TreeNode{Feature: -1, Left: -1, Right: -1, Value: v}
	}
	test := func(feature int, threshold float64, left, right int) classifier.TreeNode {
		return classifier.TreeNode{
			Feature: feature, Threshold: threshold, Left: left, Right: right,
			Value: make([]float64, 4),
		}
	}
	for _, nodes := range [][]classifier.TreeNode{
		{test(0, -3, 1, 2), leaf(3, 0, 2.5, 2), leaf(1.5, 1, 0.5, 0)},
		{
			test(2, -2, 1, 4), test(1, 1, 2, 3), leaf(1, 0, 1, 0), leaf(1.5, 2.5, 2.5, 0),
			leaf(0, 1, 0, 0),
		},
	} {
		tree, err := classifier.NewTree(3, classifier.AtMostFloat64, nodes)
		if err != nil {
			t.Fatal(err)
		}
		trees = append(trees, tree)
	}
	e, err := classifier.NewEnsemble(trees,
		classifier.EnsembleOptions{Vote: classifier.SoftmaxVote})
	if err != nil {
		t.Fatal(err)
	}
	first, err := e.Probability(0)
	if err != nil {
		t.Fatal(err)
	}
	c, err := first.Above(0.28)
	if err != nil {
		t.Fatal(err)
	}
	a := &attack.RegionBased{Classifier: c}
	for radius, want := range map[float64]attack.Verdict{
		1.9: attack.Holds, 2.1: attack.Refuted, 3.5: attack.Refuted, 4: attack.Refuted,
	} {
		r, err := a.RobustAt(t.Context(), make([]float64, 3), radius)
		if v := r.Verdict(radius); v != want || err != nil {
			t.Errorf("radius %v: %v, %v, want %v", radius, v, err, want)
		}
	}
}

// TestRadiiOfShares compares questions about radii with all moves that matter, of probabilities of
// several classes, mostly with potentials.
func TestRadiiOfShares(t *testing.T) {
	t.Parallel()
	norms := append(instance.Norms(), instance.Changes)
	for number := range uint64(instance.Count(2000, 400_000)) {
		rng := rand.New(rand.NewPCG(number, 825))
		in := instance.DrawRuled(t, rng, "shares", norms[number%4])
		a := &attack.RegionBased{Classifier: in.C, Options: in.Options()}
		if depth := rng.IntN(6); depth < 4 {
			a.Classifier = large{in.C.(*classifier.Ensemble), depth}
		}
		if in.Target != nil && *in.Target == in.From {
			continue
		}
		truth := in.Nearest(func([]int) bool { return true })
		for _, radius := range []float64{
			truth * (1 - 1e-7), truth * (1 + 1e-7), truth * 3, rng.Float64(),
		} {
			if !(radius > 1e-6 && radius < 1e300) {
				continue
			}
			want := attack.Refuted
			if radius < truth {
				want = attack.Holds
			}
			r, err := a.RobustAt(t.Context(), in.X, radius)
			if v := r.Verdict(radius); v != want || err != nil {
				t.Fatalf("instance %d, %v: %v, %v at radius %v, and the truth is %v",
					number, in.Norm, v, err, radius, truth)
			}
		}
	}
}
