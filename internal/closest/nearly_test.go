package closest

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/testing/oracle"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// nearlyParallel turns a third of the rows into copies or opposites of the row
// before, up to 1e-2 … 1e-14.
func nearlyParallel(r *rand.Rand, p problem) problem {
	for i := 1; i < len(p.a); i++ {
		if r.IntN(3) > 0 {
			continue
		}
		turn, side := math.Pow(10, -2-12*r.Float64()), float64(1-2*r.IntN(2))
		for j := range p.a[i] {
			p.a[i][j] = side*p.a[i-1][j] + turn*r.NormFloat64()
		}
	}
	return p
}

// nearlyConcurrent lets all rows pass a common point, a third of them at a distance of
// 1e-1 … 1e-15 on either side.
func nearlyConcurrent(r *rand.Rand, p problem) problem {
	at := smooth(r, p.d, 1).a[0]
	for i, a := range p.a {
		if p.b[i] = precise.Dot(a, at); r.IntN(3) == 0 {
			p.b[i] += math.Pow(10, -15+14*r.Float64()) * float64(1-2*r.IntN(2))
		}
	}
	return p
}

// TestNearlyDegenerate: where rounding decides, an answer may be missing or
// its bound weak, seldom, but no bound and no verdict may be wrong. The truth is exact.
func TestNearlyDegenerate(t *testing.T) {
	each(t, 31, func(t *testing.T, k polytope.Norm, r *rand.Rand) {
		n := racetest.Scale(800)
		missing, weak := 0, 0
		for i := range n {
			d := 1 + r.IntN(3)
			p := nearlyConcurrent(r, smooth(r, d, r.IntN(8)))
			if i%2 == 0 {
				p = nearlyParallel(r, signs(r, d, r.IntN(8)))
			}
			q := p.full(k)
			status, err := q.Solve(math.Inf(1))
			if err != nil {
				missing++
			}
			truth, feasible := oracle.ClosestRat(oracle.Norm(k), make([]float64, d), p.a, p.b)
			switch {
			case status == Infeasible:
				if feasible && !beyond(k, truth, p.farthest()) {
					t.Fatalf("%+v: infeasible, in truth at distance %v", p, truth.FloatString(20))
				}
				continue
			case feasible && !beyond(k, truth, q.Bound()):
				t.Fatalf("%+v: %v with bound %v, in truth at distance %v",
					p, status, q.Bound(), truth.FloatString(20))
			case err == nil && q.Value()-q.Bound() > 1e-9*max(1, q.Value()):
				weak++
			}
			for i, a := range p.a {
				if v := precise.Dot(a, q.U()) - p.b[i]; err == nil &&
					v > 2e-9*max(geometry.DualLength(k, a)*q.Value(), math.Abs(p.b[i])) {
					t.Fatalf("%+v: row %d is violated by %g at %v", p, i, v, q.U())
				}
			}
		}
		t.Logf("of %d problems %d unanswered, %d with a weak bound", n, missing, weak)
		if missing > n/200 || weak > n/20 {
			t.Errorf("of %d problems %d unanswered, %d with a weak bound: too many",
				n, missing, weak)
		}
	})
}

// farthest is the distance up to which an infeasible verdict is a promise.
func (p problem) farthest() float64 {
	least := math.Inf(1)
	for _, b := range p.b {
		if b < 0 {
			least = min(least, -b)
		}
	}
	return 100 * least // far, less the rounding of rows divided by their lengths
}

// beyond reports whether a distance, of which the oracle gives the square in ℓ2, is at
// least v.
func beyond(k polytope.Norm, dist *big.Rat, v float64) bool {
	if math.IsInf(v, 1) {
		return false
	}
	w := rat(v)
	if k == polytope.L2 {
		w.Mul(w, w)
	}
	return dist.Cmp(w) >= 0
}
