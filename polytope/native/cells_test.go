package native_test

import (
	"math/rand/v2"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// cells returns count problems: the way from a random point of the unit cube to
// the Voronoi cell, among n random points in dimension d, of one of the others.
func cells(n, d, count int, norm polytope.Norm) []polytope.Problem {
	r := rand.New(rand.NewPCG(uint64(n), uint64(d)))
	points := make([][]float64, n)
	for i := range points {
		points[i] = make([]float64, d)
		for j := range points[i] {
			points[i][j] = r.Float64()
		}
	}
	problems := make([]polytope.Problem, count)
	for i := range problems {
		centre := points[(i+1)%n]
		p := polytope.Problem{Norm: norm, X: points[i%n]}
		for k, q := range points {
			if k != (i+1)%n {
				p.Region.HalfSpaces = append(p.Region.HalfSpaces, bisector(centre, q))
			}
		}
		problems[i] = p
	}
	return problems
}

// bisector is the half-space of the points at least as near to p as to q.
func bisector(p, q []float64) polytope.HalfSpace {
	h := polytope.HalfSpace{A: make([]float64, len(p))}
	for j := range p {
		h.A[j] = q[j] - p[j]
		h.B += (q[j] - p[j]) * (q[j] + p[j]) / 2
	}
	return h
}
