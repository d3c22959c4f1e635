package native_test

import (
	"context"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/testing/oracle"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// priced compares problems with prices with the truth in rational arithmetic, with no tolerance
// where a bound must not exceed it. A solver that knows no prices refuses them.
func (c conformer) priced(t *testing.T, norm polytope.Norm) {
	r := source(20, norm)
	for range max(1, c.instances/5) {
		p := fractions(r, small(r, norm))
		p.Prices = drawPrices(r, norm, len(p.X))
		if geometry.EmptyBox(p.Region.Box) {
			continue // the oracle knows no open sides
		}
		if _, err := c.solver.Closest(
			context.Background(), p,
		); errors.Is(err, errors.ErrUnsupported) {
			if c.name == "native" {
				t.Fatalf("%s, prices %+v: %v", describe(p), p.Prices, err)
			}
			return
		}
		got, ok := solve(t, c.solver, p)
		if !ok {
			t.Fatalf("prices %+v", p.Prices)
		}
		want := pricedTruth(p)
		if want != nil && got.Status == polytope.StatusOptimal {
			bound := new(big.Rat).SetFloat64(got.Bound)
			if norm == polytope.L2 {
				bound.Mul(bound, bound)
			}
			if bound.Cmp(want) > 0 {
				t.Fatalf("%s, prices %+v: bound %v exceeds the exact distance %v",
					describe(p), p.Prices, got.Bound, want.FloatString(30))
			}
		}
		distance := oracle.Float(oracle.Norm(norm), want)
		if err := agrees(p, got, distance, want != nil, c.tolerance); err != nil {
			t.Fatalf("%s, prices %+v: %v", describe(p), p.Prices, err)
		}
	}
}

// drawPrices draws prices that differ by coordinate and direction, some of them by as much as
// 10⁶, and directions that do not exist.
func drawPrices(r *rand.Rand, norm polytope.Norm, dim int) *polytope.Prices {
	p := &polytope.Prices{}
	wide := r.IntN(2) == 0
	draw := func() float64 {
		switch {
		case r.IntN(6) == 0:
			return math.Inf(1)
		case wide && norm == polytope.L2:
			return math.Pow(10, float64(r.IntN(5)-2))
		case wide:
			return math.Pow(10, float64(r.IntN(7)-3))
		}
		return []float64{0.25, 0.1, 1, 2, 3}[r.IntN(5)]
	}
	for range dim {
		up, down := draw(), draw()
		if norm == polytope.L2 && !math.IsInf(up, 1) && !math.IsInf(down, 1) {
			down = up
		}
		p.Up, p.Down = append(p.Up, up), append(p.Down, down)
	}
	return p
}

// pricedTruth returns the exact distance, in ℓ2 its square; nil for an empty region.
func pricedTruth(p polytope.Problem) *big.Rat {
	r := oracle.Ruled{Norm: oracle.Norm(p.Norm), X: p.X, Up: p.Prices.Up, Down: p.Prices.Down}
	for range p.X {
		r.Lo, r.Hi = append(r.Lo, math.Inf(-1)), append(r.Hi, math.Inf(1))
	}
	var halves []oracle.Half
	a, b := rows(p)
	for i := range a {
		halves = append(halves, oracle.HalfOf(a[i], b[i], true))
	}
	return r.Nearest(halves)
}
