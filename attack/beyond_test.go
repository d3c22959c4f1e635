package attack_test

import (
	"math"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// stumps returns the sum of trees that vote for class 1 where feature 0 exceeds a threshold,
// against a base for class 0.
func stumps(t *testing.T, dim int, base float64, thresholds ...float64) *classifier.Ensemble {
	t.Helper()
	var members []*classifier.Tree
	for _, threshold := range thresholds {
		members = append(members, axisTree(t, dim,
			classifier.TreeNode{
				Threshold:   threshold,
				Left:        1,
				Right:       2,
				MissingLeft: true,
				Value:       []float64{0, 0},
			},
			classifier.TreeNode{Left: -1, Right: -1, Value: []float64{0, 0}},
			classifier.TreeNode{Left: -1, Right: -1, Value: []float64{0, 1}}))
	}
	e, err := classifier.NewEnsemble(members, classifier.EnsembleOptions{
		Vote: classifier.SumVote,
		Base: []float64{base, 0},
	})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestBeyondFloat64: an input whose distance, or cost, no float64 holds is no example, and no proof
// that there is none.
func TestBeyondFloat64(t *testing.T) {
	most := math.MaxFloat64
	far, near := stumps(t, 2, .5, 1e308), stumps(t, 1, .5, 1e9)
	tree := axisTree(t, 1,
		classifier.TreeNode{Threshold: 1e9, Left: 1, Right: 2, Value: []float64{0, 0}},
		classifier.TreeNode{Left: -1, Right: -1, Value: []float64{1, 0}},
		classifier.TreeNode{Left: -1, Right: -1, Value: []float64{0, 1}})
	costly := []attack.Feature{{Up: 1e300}}
	priced := []attack.Feature{{Up: .74, Down: .5, Missing: attack.MayMiss}, {Up: .001, Down: 1}}
	for _, norm := range instance.Norms() {
		for name, test := range map[string]struct {
			c     classifier.Classifier
			x     []float64
			rules []attack.Feature
		}{
			"across all float64":   {far, []float64{-most, -.5}, nil},
			"dear, in a vote":      {near, []float64{0}, costly},
			"dear, in a tree":      {tree, []float64{0}, costly},
			"with a missing value": {stumps(t, 2, .5, most/2), []float64{-most, -.5}, priced},
		} {
			a := &attack.RegionBased{
				Classifier: test.c,
				Options:    attack.Options{Norm: norm, Features: test.rules},
			}
			r, err := a.Perturb(t.Context(), test.x)
			if err != nil || r.Example != nil || r.Optimal() || !(r.Bound > 1e200) ||
				math.IsInf(r.Bound, 1) {
				t.Errorf("%s, %v: %+v, %v, want a bound", name, norm, r, err)
			}
			if robust, err := verdictAt(t.Context(), a, test.x, 1e200); robust != attack.Holds ||
				err != nil {
				t.Errorf("%s, %v: at 1e200: %v, %v", name, norm, robust, err)
			}
			if robust, err := verdictAt(t.Context(), a, test.x, most); robust == attack.Refuted ||
				err != nil {
				t.Errorf("%s, %v: at %v: %v, %v", name, norm, most, robust, err)
			}
		}
	}
}

// TestOverflowingPrices: a part whose best leaves disagree is split between them even where what
// moving costs overflows, so that the search ends.
func TestOverflowingPrices(t *testing.T) {
	leaf := func(a, b float64) classifier.TreeNode {
		return classifier.TreeNode{Left: -1, Right: -1, Value: []float64{a, b}}
	}
	test := func(feature int, threshold float64, left, right int) classifier.TreeNode {
		return classifier.TreeNode{
			Feature:   feature,
			Threshold: threshold,
			Left:      left,
			Right:     right,
			Value:     []float64{0, 0},
		}
	}
	most := math.MaxFloat64
	e, err := classifier.NewEnsemble([]*classifier.Tree{
		axisTree(t, 2, test(1, -most, 1, 4), test(1, most, 2, 3), leaf(1, 2), leaf(0, 1),
			test(1, 0, 5, 6), leaf(1, 2), leaf(2, 2)),
		axisTree(t, 2, test(1, most, 1, 4), test(0, -1e308, 2, 3), leaf(2, 0), leaf(2, 0),
			test(0, 0, 5, 6), leaf(2, 1), leaf(1, 2)),
	}, classifier.EnsembleOptions{Vote: classifier.SumVote})
	if err != nil {
		t.Fatal(err)
	}
	a := &attack.RegionBased{
		Classifier: e,
		Options:    attack.Options{Norm: polytope.L1, Workers: 1, MaxNodes: 1000},
	}
	if r, err := a.Perturb(t.Context(), []float64{.5, -1e308}); err != nil || r.Nodes > 50 ||
		r.Example != nil || r.Optimal() {
		t.Errorf("%+v, %v, want a bound after some nodes", r, err)
	}
}

// axisTree returns a tree whose tests are x ≤ t.
func axisTree(t *testing.T, dim int, nodes ...classifier.TreeNode) *classifier.Tree {
	t.Helper()
	tree, err := classifier.NewTree(dim, classifier.AtMostFloat64, nodes)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}
