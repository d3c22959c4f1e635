package native_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/polytope/native"
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

// BenchmarkNative finds the closest points of full Voronoi cells.
func BenchmarkNative(b *testing.B) {
	for _, size := range [][2]int{{490, 14}, {2000, 2}, {2000, 25}, {13007, 25}} {
		for _, norm := range norms {
			b.Run(fmt.Sprintf("n=%d/d=%d/norm=%v", size[0], size[1], norm), func(b *testing.B) {
				benchmark(b, native.Solver{}, cells(size[0], size[1], 20, norm))
			})
		}
	}
}

// BenchmarkNativeInCube confines a cell to the unit cube in many dimensions.
func BenchmarkNativeInCube(b *testing.B) {
	for _, norm := range norms {
		b.Run(fmt.Sprintf("n=500/d=784/norm=%v", norm), func(b *testing.B) {
			problems := cells(500, 784, 4, norm)
			for i := range problems {
				problems[i].Region.Box = polytope.Cube(784, 0, 1)
			}
			benchmark(b, native.Solver{}, problems)
		})
	}
}

func benchmark(b *testing.B, s polytope.Solver, problems []polytope.Problem) {
	b.ReportAllocs()
	var rows, pivots, count int
	for b.Loop() {
		got, err := s.Closest(context.Background(), problems[count%len(problems)])
		if err != nil {
			b.Fatal(err)
		}
		rows, pivots, count = rows+got.Rows, pivots+got.Pivots, count+1
	}
	b.ReportMetric(float64(rows)/float64(count), "rows/problem")
	b.ReportMetric(float64(pivots)/float64(count), "pivots/problem")
}
