package oracle

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func BenchmarkClosest(b *testing.B) {
	for _, norm := range norms {
		for _, size := range [][2]int{{2, 6}, {3, 10}, {4, 14}, {6, 40}} {
			b.Run(fmt.Sprintf("%v/%dx%d", norm, size[1], size[0]), func(b *testing.B) {
				run(b, size, func(p problem) { Closest(norm, p.x, p.a, p.b) })
			})
		}
	}
}

func BenchmarkClosestRat(b *testing.B) {
	for _, norm := range norms {
		for _, size := range [][2]int{{2, 6}, {3, 10}, {4, 14}} {
			b.Run(fmt.Sprintf("%v/%dx%d", norm, size[1], size[0]), func(b *testing.B) {
				run(b, size, func(p problem) { ClosestRat(norm, p.x, p.a, p.b) })
			})
		}
	}
}

// run solves grid problems of one size.
func run(b *testing.B, size [2]int, solve func(problem)) {
	r := rand.New(rand.NewPCG(9, 9))
	problems := make([]problem, 64)
	for i := range problems {
		p := problem{x: gridVector(r, size[0])}
		centre := gridVector(r, size[0])
		for range size[1] {
			row := gridVector(r, size[0])
			p.a, p.b = append(p.a, row), append(p.b, dotOf(row, centre)+float64(r.IntN(3)))
		}
		problems[i] = p
	}
	b.ResetTimer()
	for i := range b.N {
		solve(problems[i%len(problems)])
	}
}

func BenchmarkCells(b *testing.B) {
	for _, norm := range norms {
		for _, n := range []int{8, 12} {
			b.Run(fmt.Sprintf("%v/%d", norm, n), func(b *testing.B) {
				r := rand.New(rand.NewPCG(9, 9))
				for range b.N {
					x, labels := gridPoints(r, n, 3, 2)
					Cells1NN(norm, x, labels, gridVector(r, 3), Except(0), Box{})
				}
			})
		}
		for _, size := range [][3]int{{8, 3, 2}, {10, 3, 3}, {12, 6, 4}} {
			b.Run(fmt.Sprintf("%v/%d,k=%d,d=%d", norm, size[0], size[1], size[2]), func(b *testing.B) {
				r := rand.New(rand.NewPCG(9, 9))
				for range b.N {
					x, labels := gridPoints(r, size[0], size[2], 2)
					CellsKNN(norm, x, labels, size[1], gridVector(r, size[2]), Except(0), Box{})
				}
			})
		}
	}
}
