package polytope_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/polytope/native"
)

func ExampleNorm_Distance() {
	x, y := []float64{0, 0}, []float64{3, -4}
	for _, norm := range []polytope.Norm{polytope.LInf, polytope.L1, polytope.L2} {
		fmt.Println(norm, norm.Distance(x, y))
	}
	// Output:
	// inf 4
	// 1 7
	// 2 5
}

func ExampleParseNorm() {
	norm, err := polytope.ParseNorm("inf")
	fmt.Println(norm == polytope.LInf, err)
	_, err = polytope.ParseNorm("3")
	fmt.Println(err, errors.Is(err, polytope.ErrNorm))
	// Output:
	// true <nil>
	// polytope: unsuitable norm "3": use inf, 1 or 2 true
}

// An end of an interval, and a half-space, may be open.
func ExamplePolyhedron_Contains() {
	p := polytope.Polyhedron{
		Box:        polytope.Box{{Lo: 1, Hi: 4}, {Lo: 1, Hi: 4, HiOpen: true}},
		HalfSpaces: []polytope.HalfSpace{{A: []float64{-1, -1}, B: -6}}, // x + y ≥ 6
	}
	fmt.Println(p.Contains([]float64{3, 3}), p.Contains([]float64{2, 4}))
	// Output: true false
}

// grid is the family of the half-planes x + k·y ≥ k for k = 1, 2, …, 1000,
// none of which is stored.
type grid struct{}

func (grid) Separate(x, u []float64, add func(a []float64, b float64) bool) {
	deepest, most := 0.0, 0.0
	for k := 1.0; k <= 1000; k++ {
		if v := (k - x[0] - u[0] - k*(x[1]+u[1])) / (1 + k); v > most {
			deepest, most = k, v
		}
	}
	if most > 0 {
		add([]float64{-1, -deepest}, x[0]+deepest*x[1]-deepest)
	}
}

// A Separator names half-spaces when they are needed.
func ExampleSeparator() {
	var solver native.Solver
	s, err := solver.Closest(context.Background(), polytope.Problem{
		X:      []float64{0, 0},
		Region: polytope.Polyhedron{Rest: grid{}},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.3f, having looked at %d of 1000 half-planes\n", s.Distance, s.Rows)
	// Output: 0.999, having looked at 1 of 1000 half-planes
}
