package native_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// voronoi asks for the way from a random point to the Voronoi cell, around the
// first of n+1 random points, of n rows in dimension d. The coordinates are multiples of
// 2⁻¹⁰, so that the rows are exact.
func voronoi(r *rand.Rand, norm polytope.Norm, n, d int) polytope.Problem {
	point := func() []float64 {
		v := make([]float64, d)
		for j := range v {
			v[j] = float64(r.IntN(1<<10+1)) / (1 << 10)
		}
		return v
	}
	p := polytope.Problem{Norm: norm, X: point()}
	centre := point()
	for range n {
		p.Region.HalfSpaces = append(p.Region.HalfSpaces, bisector(centre, point()))
	}
	return p
}

// large checks answers that prove themselves, with and without a box.
func (c conformer) large(t *testing.T, norm polytope.Norm) {
	for _, d := range []int{1, 2, 25, 100, 784} {
		t.Run(fmt.Sprintf("d=%d", d), func(t *testing.T) {
			r := source(9, norm)
			for range 5 {
				p := voronoi(r, norm, 60, d)
				proved(t, c.solver, p, c.tolerance)
				proved(t, c.solver, hidden(p, 20), c.tolerance)
				p.Region.Box = polytope.Cube(d, 0, 1)
				proved(t, c.solver, p, c.tolerance)
			}
		})
	}
}

// scaled stretches one problem by powers of ten: distance and bound must follow,
// to the tolerance relative to the size of the problem.
func (c conformer) scaled(t *testing.T, norm polytope.Norm) {
	r := source(10, norm)
	for range 10 {
		base := voronoi(r, norm, 30, 1+r.IntN(10))
		base.Region.Box = polytope.Cube(len(base.X), 0, 1)
		want := proved(t, c.solver, base, c.tolerance)
		for e := -9; e <= 9; e++ {
			s := math.Pow(10, float64(e))
			got, ok := solve(t, c.solver, stretched(base, s))
			if !ok {
				continue
			}
			slack := 2 * c.tolerance * max(1, want.Distance)
			if got.Status != polytope.StatusOptimal ||
				!(math.Abs(got.Distance/s-want.Distance) <= slack) ||
				!(want.Distance-got.Bound/s <= slack) || got.Bound > got.Distance {
				t.Errorf("times 1e%d: got %+v, want %g times %+v", e, got, s, want)
			}
		}
	}
}

// stretched returns p with every point multiplied by s. The coefficients of a
// bisector grow with the points, its right-hand side with their square.
func stretched(p polytope.Problem, s float64) polytope.Problem {
	q := polytope.Problem{Norm: p.Norm, X: times(s, p.X)}
	for _, h := range p.Region.HalfSpaces {
		q.Region.HalfSpaces = append(q.Region.HalfSpaces, polytope.HalfSpace{
			A: times(s, h.A),
			B: s * s * h.B,
		})
	}
	for _, i := range p.Region.Box {
		q.Region.Box = append(q.Region.Box, polytope.Interval{Lo: s * i.Lo, Hi: s * i.Hi})
	}
	return q
}

func times(s float64, v []float64) []float64 {
	return floats.ScaleTo(make([]float64, len(v)), s, v)
}

// translated moves everything by 2²⁰ in every coordinate. The rows stay exact and the
// terms a·x and b nearly cancel: the distance must not change.
func (c conformer) translated(t *testing.T, norm polytope.Norm) {
	const by = 1 << 20
	r := source(11, norm)
	for range 20 {
		base := voronoi(r, norm, 30, 1+r.IntN(10))
		want := proved(t, c.solver, base, c.tolerance)
		p := polytope.Problem{Norm: norm}
		for _, e := range base.X {
			p.X = append(p.X, e+by)
		}
		for _, h := range base.Region.HalfSpaces {
			for _, a := range h.A {
				h.B += a * by
			}
			p.Region.HalfSpaces = append(p.Region.HalfSpaces, h)
		}
		got, ok := solve(t, c.solver, p)
		if !ok {
			continue
		}
		slack := c.tolerance * max(1, want.Distance)
		if got.Status != polytope.StatusOptimal ||
			!(math.Abs(got.Distance-want.Distance) <= slack) ||
			!(math.Abs(got.Bound-want.Bound) <= slack) {
			t.Errorf("got %+v, want %+v as without the translation", got, want)
		}
	}
}
