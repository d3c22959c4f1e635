package metrics_test

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

// step labels the points of a line: 1 from 0 on, 0 below.
type step struct{}

func (step) Predict(x []float64) int {
	if x[0] >= 0 {
		return 1
	}
	return 0
}
func (step) Dim() int     { return 1 }
func (step) Classes() int { return 2 }

// liar predicts a label that it does not have.
type liar struct{ step }

func (liar) Predict(x []float64) int { return int(x[0]) }

// attackFunc is an attack made of a function.
type attackFunc func(ctx context.Context, x []float64) (attack.Result, error)

func (f attackFunc) Perturb(ctx context.Context, x []float64) (attack.Result, error) {
	return f(ctx, x)
}

// toZero is the exact attack on step.
func toZero(_ context.Context, x []float64) (attack.Result, error) {
	d := math.Abs(x[0])
	z := []float64{0}
	label := 1
	if x[0] >= 0 {
		z[0], label = math.Nextafter(0, -1), 0
	}
	return attack.Result{
		Example: z, Label: label, Distance: d, Bound: d, Status: attack.StatusOptimal,
	}, nil
}

// line is a column of points.
func line(v ...float64) *mat.Dense { return mat.NewDense(len(v), 1, v) }

// found is an attacked point, classified correctly, with an example.
func found(distance, bound float64) metrics.Point {
	p := metrics.Point{Attacked: true, Result: attack.Result{Distance: distance, Bound: bound}}
	if distance == bound {
		p.Status = attack.StatusOptimal
	}
	return p
}

var inf = math.Inf(1)
