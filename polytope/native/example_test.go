package native_test

import (
	"context"
	"fmt"
	"log"

	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/polytope/native"
)

// The region where x + y ≥ 2½ within the unit square moved up by one.
func ExampleSolver_Closest() {
	var solver native.Solver
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
