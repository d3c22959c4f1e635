package native_test

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/testing/oracle"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// source returns the random numbers of a test in one norm.
func source(test uint64, norm polytope.Norm) *rand.Rand {
	return rand.New(rand.NewPCG(test, uint64(norm)))
}

// integers is a vector of integers between −3 and 3.
func integers(r *rand.Rand, d int) []float64 {
	v := make([]float64, d)
	for j := range v {
		v[j] = float64(r.IntN(7) - 3)
	}
	return v
}

// small returns a random problem of one to four dimensions that is degenerate as
// often as not: integers, rows of zeros, multiples and opposites of other rows,
// regions that are a point or a segment, or empty, or hold X.
func small(r *rand.Rand, norm polytope.Norm) polytope.Problem {
	d := 1 + r.IntN(4)
	p := polytope.Problem{Norm: norm, X: integers(r, d)}
	centre := integers(r, d)
	if r.IntN(8) == 0 {
		copy(centre, p.X)
	}
	if r.IntN(3) == 0 {
		p.Region.Box = smallBox(r, centre)
	}
	touching := r.IntN(2) == 0
	for range r.IntN(10 - d) {
		p.Region.HalfSpaces = append(p.Region.HalfSpaces,
			smallRow(r, centre, touching, p.Region.HalfSpaces))
	}
	return p
}

// smallRow is a row near centre if touching, else anywhere; a third of them
// repeat, stretch or turn round a row before.
func smallRow(
	r *rand.Rand, centre []float64, touching bool, before []polytope.HalfSpace,
) polytope.HalfSpace {
	if len(before) > 0 && r.IntN(3) == 0 {
		h := before[r.IntN(len(before))]
		factor := []float64{1, 2, -1}[r.IntN(3)]
		return polytope.HalfSpace{A: times(factor, h.A), B: factor*h.B + float64(r.IntN(9)/7)}
	}
	h := polytope.HalfSpace{
		A:    integers(r, len(centre)),
		B:    float64(r.IntN(7) - 3),
		Open: r.IntN(4) == 0,
	}
	if touching {
		h.B = floats.Dot(h.A, centre) + float64(r.IntN(5)/4)
	}
	if r.IntN(20) == 0 {
		clear(h.A)
		h.B = math.Abs(h.B) - float64(r.IntN(10)/9)
	}
	// or 0 < 0 would be empty, and its closure not the oracle's set
	h.Open = h.Open && geometry.Length(polytope.LInf, h.A) > 0
	return h
}

// smallBox has finite, infinite, open and equal ends; sides hold the centre
// three times out of four.
func smallBox(r *rand.Rand, centre []float64) polytope.Box {
	b := polytope.NewBox(len(centre))
	for j := range b {
		at := centre[j]
		if r.IntN(4) == 0 {
			at = float64(r.IntN(7) - 3)
		}
		if r.IntN(3) > 0 {
			b[j].Lo, b[j].LoOpen = at-float64(r.IntN(3)), r.IntN(4) == 0
		}
		if r.IntN(3) > 0 {
			b[j].Hi, b[j].HiOpen = at+float64(r.IntN(3)), r.IntN(4) == 0
		}
	}
	return b
}

// rows returns the closure of the region of p, its margin included, as the rows
// the oracle reads. Rest is not part of them.
func rows(p polytope.Problem) (a [][]float64, b []float64) {
	for _, h := range p.Region.HalfSpaces {
		if math.IsInf(h.B, 1) {
			continue
		}
		a, b = append(a, h.A), append(b, h.B-p.Margin*geometry.DualLength(p.Norm, h.A))
	}
	side := func(j int, sign, end float64) {
		if !math.IsInf(end, 1) {
			row := make([]float64, len(p.X))
			row[j] = sign
			a, b = append(a, row), append(b, end)
		}
	}
	for j, i := range p.Region.Box {
		side(j, 1, i.Hi)
		side(j, -1, -i.Lo)
	}
	return a, b
}

// truth asks the oracle. An interval like (1, 1] makes the box empty although its
// closed sides meet.
func truth(p polytope.Problem) (dist float64, feasible bool) {
	if geometry.EmptyBox(p.Region.Box) {
		return math.Inf(1), false
	}
	a, b := rows(p)
	dist, feasible = oracle.Closest(oracle.Norm(p.Norm), p.X, a, b)
	return dist, feasible
}

// fractions moves x and loosens the half-spaces of p by amounts that are no
// integers, so that arithmetic rounds. Regions that hold a point still do.
func fractions(r interface{ Float64() float64 }, p polytope.Problem) polytope.Problem {
	for j := range p.X {
		p.X[j] += r.Float64()
	}
	for i, h := range p.Region.HalfSpaces {
		p.Region.HalfSpaces[i].B = h.B + r.Float64()/8
	}
	return p
}
