package closest

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestBoundIsProved recomputes in rational arithmetic the bound that the
// multipliers prove for the rows as they were given, before normalisation: the
// bound reported must not exceed it. That holds for the combination that proves a contradiction,
// too.
func TestBoundIsProved(t *testing.T) {
	each(t, 11, func(t *testing.T, k polytope.Norm, r *rand.Rand) {
		var optimal, infeasible int
		for range racetest.Scale(1000) {
			p := smooth(r, 1+r.IntN(5), 1+r.IntN(10))
			if r.IntN(2) == 0 {
				p = signs(r, 1+r.IntN(5), 1+r.IntN(10))
			}
			q := p.full(k)
			status := solve(t, q, math.Inf(1))
			bound := q.Bound()
			if status == Infeasible {
				infeasible++
				if bound = q.combination(); failed(q) < 0 {
					continue // a row of zeros, seen without pivots
				}
			} else {
				optimal++
			}
			if bound == 0 {
				continue
			}
			if p.provesLess(k, q, bound) {
				t.Fatalf("%+v: %v with bound %v, more than the multipliers prove", p, status, bound)
			}
		}
		if min(optimal, infeasible) < racetest.Scale(1000)/10 {
			t.Errorf("%d optimal, %d infeasible: too few of one", optimal, infeasible)
		}
	})
}

func failed(q *Program) int {
	switch m := q.method.(type) {
	case *linf:
		return m.failed
	case *l1:
		return m.failed
	case *l2:
		return m.failed
	}
	panic("unknown method")
}

// provesLess reports whether −Σλb is less than bound·‖Σλa‖ in rational
// arithmetic, where λ belongs to the rows divided by their rounded lengths.
func (p problem) provesLess(k polytope.Norm, q *Program, bound float64) bool {
	g := make([]*big.Rat, p.d)
	for j := range g {
		g[j] = new(big.Rat)
	}
	offset := new(big.Rat)
	q.method.multipliers(func(i int, lambda float64) {
		if lambda <= 0 {
			return
		}
		l := rat(lambda)
		if scale := geometry.DualLength(k, p.a[i]); scale > 0 {
			l.Quo(l, rat(scale))
		}
		for j, e := range p.a[i] {
			g[j].Add(g[j], new(big.Rat).Mul(l, rat(e)))
		}
		offset.Sub(offset, new(big.Rat).Mul(l, rat(p.b[i])))
	})
	need := new(big.Rat).Mul(rat(bound), exactDual(k, g))
	if k == polytope.L2 {
		// exactDual is a square.
		need.Mul(need, rat(bound))
		return offset.Sign() <= 0 || new(big.Rat).Mul(offset, offset).Cmp(need) < 0
	}
	return offset.Cmp(need) < 0
}

func rat(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

// exactDual returns the dual length of g, in ℓ2 its square.
func exactDual(k polytope.Norm, g []*big.Rat) *big.Rat {
	sum, most := new(big.Rat), new(big.Rat)
	for _, e := range g {
		size := new(big.Rat).Abs(e)
		if k == polytope.L2 {
			size.Mul(size, size)
		}
		sum.Add(sum, size)
		if size.Cmp(most) > 0 {
			most = size
		}
	}
	if k == polytope.L1 {
		return most
	}
	return sum
}

// TestRoundedRows: two rows that cancel in cheap coordinates give these no bound. Where their
// numbers may have been rounded they need not cancel, and an answer far along those coordinates may
// be nearer.
func TestRoundedRows(t *testing.T) {
	const price = 1e-6
	bound := func(rounded bool) float64 {
		p := New(polytope.LInf)
		p.Price(&polytope.Prices{Up: []float64{price, price, 1}, Down: []float64{price, price, 1}})
		p.Rounded = rounded
		p.Reset(3)
		p.Add([]float64{1, 1, 1}, -1, 0)
		p.Add([]float64{-1, -1, 1}, -1, 0)
		if _, err := p.Solve(math.Inf(1)); err != nil {
			t.Fatal(err)
		}
		return p.Bound()
	}
	nearer := 1 - 0x1p-53/price/2 // with 1+0x1p-53 for the first 1, and that coordinate at −1/price
	if b := bound(false); b < 1-1e-14 || b > 1 {
		t.Errorf("exact rows are bounded by %v", b)
	}
	if b := bound(true); b < 1-1e-8 || b > nearer {
		t.Errorf("rounded rows are bounded by %v, and %v may answer", b, nearer)
	}
}
