package neighbors_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/polytope/native"
)

// TestConfinedBound: it is the distance of the bisector's points in the domain, and never more.
func TestConfinedBound(t *testing.T) {
	for number := range uint64(600) {
		r := rand.New(rand.NewPCG(number, 3))
		d := 1 + r.IntN(12)
		x, rows, domain := make([]float64, d), mat.NewDense(2, d, nil), make(polytope.Box, d)
		for j := range d {
			rows.Set(0, j, float64(r.IntN(5))/4)
			rows.Set(1, j, float64(r.IntN(5))/4)
			x[j] = float64(r.IntN(5)) / 4
			if number%3 == 0 {
				x[j] = r.Float64()
			}
			domain[j] = polytope.Interval{Lo: 0, Hi: 1}
			switch r.IntN(8) {
			case 0:
				domain[j] = polytope.Interval{Lo: x[j], Hi: x[j]}
			case 1:
				domain[j].Hi = math.Inf(1)
			case 2:
				domain[j].Lo = x[j] + 0.1*float64(r.IntN(2)) // x may lie outside
			}
		}
		table, err := neighbors.New(t.Context(), rows, []int{0, 1})
		if err != nil {
			t.Fatal(err)
		}
		norm := []polytope.Norm{polytope.LInf, polytope.L2}[number%2]
		q := search.Query{X: x, Cost: geometry.In(norm), Domain: domain, Target: -1}
		_, rivals := table.SupportAndRivals(q)
		near := table.Rivals(rivals, &q, 1)
		p := table.Row(1)
		squared := nnindex.Squared(x, p)
		plain := near.Bound(0, p, squared)
		got := near.ConfinedBound(0, p, squared, 0)
		a := make([]float64, d)
		b := neighbors.Bisector(a, x, p, table.Row(0))
		for j, e := range x {
			b += a[j] * e
		}
		sol, err := (native.Solver{}).Closest(t.Context(), polytope.Problem{
			Norm: norm,
			X:    x,
			Region: polytope.Polyhedron{
				Box:        domain,
				HalfSpaces: []polytope.HalfSpace{{A: a, B: b}},
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		if got < plain*(1-1e-9) || got > sol.Distance*(1+1e-12)+1e-15 {
			t.Errorf("instance %d, %v: %v, plain %v, distance %v",
				number, norm, got, plain, sol.Distance)
		}
		outside := false
		for j, e := range x {
			outside = outside || !domain[j].Contains(e)
		}
		if !outside && !math.IsInf(sol.Distance, 1) && got < sol.Distance*(1-1e-6) {
			t.Errorf("instance %d, %v: %v short of %v", number, norm, got, sol.Distance)
		}
	}
}
