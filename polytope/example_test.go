package polytope_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math"

	"github.com/seed-1a7dc1f9/facet/polytope"
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

func ExampleNorm_Dual() {
	fmt.Println(polytope.LInf.Dual(), polytope.L1.Dual(), polytope.L2.Dual())
	// Output: 1 inf 2
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

func ExampleCheckPoint() {
	fmt.Println(polytope.CheckPoint([]float64{1, 2}, 3))
	fmt.Println(polytope.CheckPoint([]float64{1, math.NaN()}, 2))
	// Output:
	// dimensions differ: got 2 coordinates, want 3
	// coordinate 1 is NaN: not a finite number
}

// A half-space lies at distance max(0, a·x − b)/‖a‖ of the dual norm.
func ExampleHalfSpace_Bound() {
	h := polytope.HalfSpace{A: []float64{3, 4}, B: 25} // 3x + 4y ≤ 25
	x := []float64{6, 8}
	fmt.Println(h.Contains(x))
	fmt.Printf("%.9f\n", h.Bound(polytope.L2, nil, x))
	fmt.Printf("%.9f\n", h.Bound(polytope.L1, nil, x))
	// Output:
	// false
	// 5.000000000
	// 6.250000000
}

func ExampleHalfSpace_Excess() {
	h := polytope.HalfSpace{A: []float64{1e16, 1, -1e16}, B: 0}
	excess, _ := h.Excess([]float64{1, 1, 1})
	fmt.Println(excess)
	// Output: 1
}

func ExampleBox_Closest() {
	b := polytope.Cube(2, 0, 1)
	x := []float64{0.25, 3}
	fmt.Println(b.Closest(nil, x), b.Distance(polytope.LInf, x))
	// Output: [0.25 1] 2
}

// The closest point of a box with an open side lies outside: Inside moves it
// by the least a float64 can.
func ExampleBox_Inside() {
	b := polytope.NewBox(2)
	b[1].Lo, b[1].LoOpen = 0.5, true // y > ½
	z, ok := b.Inside(nil, []float64{7, 0})
	fmt.Println(z, ok, b.Contains(z))
	// Output: [7 0.5000000000000001] true true
}

func ExampleInterval_Intersect() {
	positive := polytope.Interval{Lo: 0, Hi: math.Inf(1), LoOpen: true}
	i := positive.Intersect(polytope.Interval{Lo: -1, Hi: 1})
	fmt.Println(i.Contains(0), i.Contains(1), i.Empty())
	// Output: false true false
}

// The region where x + y ≥ 2½ within the unit square moved up by one.
func ExampleNative_Closest() {
	var solver polytope.Native
	problem := polytope.Problem{
		Norm: polytope.L2,
		X:    []float64{0, 0},
		Region: polytope.Polyhedron{
			Box:        polytope.Box{{Lo: 0, Hi: 1}, {Lo: 1, Hi: 2}},
			HalfSpaces: []polytope.HalfSpace{{A: []float64{-1, -1}, B: -2.5}},
		},
	}
	s, err := solver.Closest(context.Background(), problem)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v %.4g at distance %.4f, certified to %v\n",
		s.Status, s.Point, s.Distance, s.Distance-s.Bound < 1e-9)

	problem.Cutoff = 1.5 // only something nearer is of interest
	s, err = solver.Closest(context.Background(), problem)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.Status, s.Bound >= 1.5, s.Point)
	// Output:
	// optimal [1 1.5] at distance 1.8028, certified to true
	// cutoff true []
}

func ExamplePolyhedron_Bound() {
	p := polytope.Polyhedron{
		Box:        polytope.Cube(2, 1, 4),
		HalfSpaces: []polytope.HalfSpace{{A: []float64{-1, -1}, B: -6}},
	}
	x := []float64{0, 0}
	fmt.Println(p.Contains(x))
	fmt.Printf("%.3f\n", p.Bound(polytope.LInf, nil, x)) // the half-space is farther than the box
	// Output:
	// false
	// 3.000
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
	var solver polytope.Native
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
