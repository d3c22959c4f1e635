package oblique_test

import (
	"math"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestCorners: where a half-space touches a corner of the domain, that corner is an input if it
// belongs to the half-space, and the nearest one that Predict labels otherwise.
func TestCorners(t *testing.T) {
	corner := polytope.Box{{Lo: 1, Hi: math.Inf(1)}, {Lo: 1, Hi: math.Inf(1)}}
	open := polytope.Box{{Lo: 1, LoOpen: true, Hi: math.Inf(1)}, {Lo: 1, Hi: math.Inf(1)}}
	sum := func(w, limit float64) classifier.ObliqueNode {
		return classifier.ObliqueNode{Weights: []float64{w, w}, Threshold: limit}
	}
	for _, test := range []struct {
		name   string
		test   classifier.ObliqueNode // of the sum of two features
		domain polytope.Box
		counts bool
	}{
		{"at most", sum(1, 2), corner, true},
		{"less than", sum(-1, -2), corner, false},
		{"an open end", sum(1, 2), open, false},
	} {
		tree := chain(t, []classifier.ObliqueNode{test.test})
		for _, c := range []classifier.Classifier{
			tree, voteOf(t, tree), instance.Listed{Decomposable: tree},
		} {
			for _, norm := range instance.Norms() {
				a := &attack.RegionBased{
					Classifier: c,
					Options:    attack.Options{Norm: norm, Domain: test.domain},
				}
				r, err := a.Perturb(t.Context(), []float64{2, 2})
				if found := slices.Equal(r.Example, []float64{1, 1}); err != nil ||
					found != test.counts || !r.Optimal() {
					t.Errorf("%s: %T, %v: %+v, %v", test.name, c, norm, r, err)
				}
			}
		}
	}
}

// TestCornersAreListed: a corner of the tests of one feature that half-spaces leave is in a cell.
func TestCornersAreListed(t *testing.T) {
	tree := chain(t, []classifier.ObliqueNode{
		{Weights: []float64{-1, 0}, Threshold: math.Nextafter(-1, -2)}, // x > 1
		{Weights: []float64{0, -1}, Threshold: math.Nextafter(-1, -2)},
		{Weights: []float64{-1, -1}, Threshold: -2},
	})
	held := 0
	for cell := range tree.Cells() {
		if cell.Region.Contains([]float64{1, 1}) {
			held++
		}
	}
	if held != 1 {
		t.Errorf("%d cells hold (1, 1)", held)
	}
}
