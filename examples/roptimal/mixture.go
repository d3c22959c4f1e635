package main

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// component is a round normal distribution of points of one label.
type component struct {
	x, y, deviation float64
	label           int
	share           float64
}

// mixture is the distribution: each label lies on one diagonal of a square. That of
// label 0 is the more probable one, so that only one rule is best.
var mixture = []component{
	{0.3, 0.3, 0.12, 0, 0.32},
	{0.7, 0.7, 0.12, 0, 0.23},
	{0.7, 0.3, 0.12, 1, 0.26},
	{0.3, 0.7, 0.12, 1, 0.19},
}

// draw returns n points.
func draw(rng *rand.Rand, n int) (*mat.Dense, []int) {
	x, y := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range n {
		c := pick(rng.Float64())
		x.SetRow(
			i, []float64{c.x + c.deviation*rng.NormFloat64(), c.y + c.deviation*rng.NormFloat64()},
		)
		y[i] = c.label
	}
	return x, y
}

// pick returns the component at a place between 0 and 1.
func pick(at float64) component {
	for _, c := range mixture {
		if at < c.share {
			return c
		}
		at -= c.share
	}
	return mixture[0] // shares that sum to less than 1 by a rounding error
}

// mass returns the probability of a label within a rectangle.
func mass(label int, x0, x1, y0, y1 float64) float64 {
	sum := 0.0
	for _, c := range mixture {
		if c.label == label {
			sum += c.share * between(x0, x1, c.x, c.deviation) * between(y0, y1, c.y, c.deviation)
		}
	}
	return sum
}

// between returns the probability that a normal number lies between lo and hi.
func between(lo, hi, mean, deviation float64) float64 {
	normal := distuv.Normal{Mu: mean, Sigma: deviation}
	return normal.CDF(hi) - normal.CDF(lo)
}
