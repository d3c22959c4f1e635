package weighted_test

import (
	"math"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestCases holds instances that once crept, failed, or were proven wrong.
func TestCases(t *testing.T) {
	column := func(v ...float64) (x [][]float64) {
		for _, e := range v {
			x = append(x, []float64{e})
		}
		return x
	}
	inf := math.Inf(1)
	tests := []struct {
		name     string
		in       problem
		norm     polytope.Norm
		distance float64
		hidden   bool // rounding hides the nearest answers from Predict
	}{
		{"equal rows of two labels at x, others tie", problem{instance.Neighbors{
			X: column(-3, 1, 3, 2, 3, -1, 1, 0, -1, 3), Y: []int{0, 1, 2, 1, 2, 0, 0, 2, 0, 0},
			Query: []float64{1},
		}, 8}, polytope.L2, 0, true},
		{"equal rows of two labels at x", problem{instance.Neighbors{
			X: column(0, 2, 0, 1, 2, 3), Y: []int{0, 1, 1, 2, 2, 1}, Query: []float64{2},
		}, 4}, polytope.L1, 0, true},
		{"a bisector along a side of the domain", problem{instance.Neighbors{
			X:     [][]float64{{1, 4}, {3, 4}, {3, 4}, {1, 4}, {4, 2}, {0, 3}, {1, 4}},
			Y:     []int{3, 1, 1, 0, 3, 2, 3},
			Query: []float64{3, 4}, Box: polytope.Box{{Lo: 2, Hi: 3}, polytope.Line()},
		}, 3}, polytope.L2, 2, false},
		{"no answer however far on a half-line", problem{instance.Neighbors{
			X: column(1, 0, 2), Y: []int{0, 1, 1}, Query: []float64{-1}, Target: new(0),
			Box: polytope.Box{{Lo: -inf, Hi: 0}},
		}, 2}, polytope.L1, inf, false},
		{"no answer however far in a half-plane", problem{instance.Neighbors{
			X: [][]float64{{1, 0}, {0, 0}, {2, 0}}, Y: []int{0, 1, 1}, Query: []float64{-1, 0},
			Target: new(0),
			Box:    polytope.Box{{Lo: -inf, Hi: 0}, {Lo: -1, Hi: 1}},
		}, 2}, polytope.LInf, inf, false},
		{"one row against three, however far in a half-plane", problem{instance.Neighbors{
			X: [][]float64{{-9, 1}, {-8, 15}, {-14, -8}, {-6, 8}}, Y: []int{1, 1, 0, 1},
			Query: []float64{0, 0},
			Box:   polytope.Box{{Lo: 0, Hi: inf}, polytope.Line()},
		}, 4}, polytope.LInf, inf, false},
		{"an answer far from all rows", problem{instance.Neighbors{
			X: column(0, -4.875, -5, -9.9375), Y: []int{1, 0, 0, 1}, Query: []float64{0.5},
			Box: polytope.Box{{Lo: 0.5, Hi: inf}},
		}, 4}, polytope.L2, 784.4374950545972, true},
		{"rows a hair's breadth apart", problem{instance.Neighbors{
			X: [][]float64{{1, 0x1p-31}, {1, -0x1p-31}}, Y: []int{0, 1},
			Query: []float64{0, 0x1p-17},
		}, 2}, polytope.LInf, 0x1p-17, true},
		{"rows a rounding error apart, which Predict tells apart before 363.95152",
			problem{instance.Neighbors{
				X: [][]float64{{0, -363.9534078115428},
					{-4.0939474033052647e-16, -363.95340781154266}},
				Y: []int{1, 0}, Query: []float64{-0.131, 0},
			}, 2}, polytope.L2, 363.9514913279096, true},
		{"mirror images on a domain that is a line", problem{instance.Neighbors{
			X: [][]float64{{1, 0}, {-1, 0}, {-1, 3}, {1, 3}}, Y: []int{0, 1, 1, 1},
			Query: []float64{0, 0}, Box: polytope.Box{{}, polytope.Line()},
		}, 1}, polytope.LInf, 1.5, false},
		{"a domain that is a point", problem{instance.Neighbors{
			X: column(-1, 3, -3, 3, 2), Y: []int{0, 1, 1, 0, 1}, Query: []float64{0},
			Box: polytope.Box{{}},
		}, 4}, polytope.L2, inf, false},
		{"a domain that is a point where sums tie", problem{instance.Neighbors{
			X: column(1, -1, 1, 2), Y: []int{0, 1, 0, 1}, Query: []float64{0},
			Box: polytope.Box{{Lo: 3, Hi: 3}},
		}, 3}, polytope.LInf, inf, false},
		{"more than a few sets of neighbors, however far in a strip", problem{instance.Neighbors{
			X: [][]float64{{-1, 1}, {-2, 0}, {-3, 1}, {-4, 2}, {-5, 0}, {-6, 1}},
			Y: []int{1, 1, 1, 1, 0, 1}, Query: []float64{1, 0},
			Box: polytope.Box{{Lo: 0, Hi: inf}, {Lo: -1, Hi: 1}},
		}, 3}, polytope.L2, inf, false},
		{"k = n, all rows at one place", problem{instance.Neighbors{
			X: column(1, 1), Y: []int{0, 1}, Query: []float64{1},
		}, 2}, polytope.L2, inf, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, ok := tt.in.attack(t, tt.in.model(t), attack.Options{Norm: tt.norm, MaxNodes: 5000})
			switch {
			case !ok || r.Nodes > 500 || !(r.Optimal() || tt.hidden):
				t.Errorf("%+v", r)
			case r.Bound > tt.distance || r.Bound < tt.distance-2e-9*max(1, tt.distance):
				t.Errorf("bound %v, want %v", r.Bound, tt.distance)
			case (r.Example == nil) != math.IsInf(tt.distance, 1):
				t.Errorf("%+v, want %v", r, tt.distance)
			}
		})
	}
}

// TestTouching attacks past a point where the sums of two labels touch: the lead of label
// 0 is 0 at 0 and negative around it, which floating point cannot tell from an answer. The
// bound ends there, below the truth.
func TestTouching(t *testing.T) {
	in := problem{instance.Neighbors{
		X: [][]float64{{-2}, {-2}, {-1}, {1}, {2}, {2}}, Y: []int{0, 0, 1, 1, 0, 0},
		Query: []float64{0.3},
	}, 6}
	truth := in.lineVote().nearest(0.3, nil, func(label int) bool { return label == 0 })
	for _, norm := range instance.Norms() {
		r, ok := in.attack(t, in.model(t), attack.Options{Norm: norm, MaxNodes: 2000})
		if !ok || r.Example == nil || r.Bound > truth || r.Bound < 0.3-1e-6 ||
			math.Abs(r.Distance-truth) > 1e-9 {
			t.Errorf("ℓ%v: %+v, truth %v", norm, r, truth)
		}
	}
}
