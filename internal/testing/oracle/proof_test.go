package oracle

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// TestNearestIsProven checks multipliers of the rows, without tolerance, which prove the nearest
// point by duality: −Σ λ_i b_i bounds the length from below if the dual norm of Σ λ_i a_i is 1 at
// most, and sums of rows that say 0 ≤ b < 0, or 0 < 0, that no point is in all of them (Farkas). A
// cutoff changes only results beyond it.
func TestNearestIsProven(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	empty, open := 0, 0
	for range racetest.Scale(6000) {
		p := gridProblem(r, 4, 12)
		if r.IntN(4) == 0 {
			p = smoothProblem(r, 1+r.IntN(5), r.IntN(11))
		}
		rows, d := rowsOf(r, p), len(p.x)
		feasible := new(Solver).Nearest(Inf, rows, d, nil, nil) != nil
		for _, norm := range norms {
			var s Solver
			got := s.Nearest(norm, rows, d, nil, nil)
			if (got != nil) != feasible {
				t.Fatalf("%v, %+v: %v, in ℓ∞ feasible: %v", norm, rows, got, feasible)
			}
			if got == nil {
				if empty++; norm != Two && !s.lp.refuted(rows) {
					t.Fatalf("%v, %+v: not refuted", norm, rows)
				}
				continue
			}
			if cost := lengthOf(norm, s.Point()); cost.Cmp(got) != 0 || !s.proven(rows, got) {
				t.Fatalf("%v, %+v: %v at %v is not proven", norm, rows, s.Point(), got)
			}
			for _, row := range rows {
				slack := slackOf(row, s.Point())
				if slack.Sign() < 0 {
					t.Fatalf("%v, %+v: %v is not in row %+v", norm, rows, s.Point(), row)
				}
				if slack.Sign() == 0 && !row.Firm {
					open++
				}
			}
			if new(Solver).Nearest(norm, rows, d, nil, got) != nil {
				t.Fatalf("%v, %+v: %v is not cut off by itself", norm, rows, got)
			}
			beyond := new(big.Rat).Add(got, big.NewRat(1, 1000))
			now := new(Solver).Nearest(norm, rows, d, nil, beyond)
			if now == nil || now.Cmp(got) != 0 {
				t.Fatalf("%v, %+v: %v, below a cutoff %v", norm, rows, got, now)
			}
		}
	}
	if least := racetest.Scale(600); empty < least || open < least {
		t.Errorf("%d are empty, %d at borders of open rows", empty, open)
	}
}

// rowsOf returns the rows of a problem, some of them open.
func rowsOf(r *rand.Rand, p problem) (rows []Row) {
	for _, h := range halvesOf(p.a, p.b) {
		rows = append(rows, RowOf(h.A, h.B, r.IntN(3) > 0))
	}
	return rows
}

// proven reports whether multipliers prove that no point of the rows is nearer.
func (s *Solver) proven(rows []Row, length *big.Rat) bool {
	multipliers, dual := s.multipliers(len(rows)), One
	if s.norm == One {
		dual = Inf
	}
	a, b := combined(rows, multipliers)
	if b.Neg(b); s.norm == Two { // in which ‖u‖² = −Σ λ_i b_i = ‖Σ λ_i a_i‖²
		return b.Cmp(length) == 0 && lengthOf(Two, a).Cmp(length) == 0
	}
	return b.Cmp(length) == 0 && lengthOf(dual, a).Cmp(big.NewRat(1, 1)) <= 0
}

// multipliers returns those that Nearest ended with.
func (s *Solver) multipliers(n int) []*big.Rat {
	all := rats(make([]float64, n))
	if s.norm == Two {
		of, det := s.active.multipliers(s.active.active)
		for i, row := range s.active.active {
			all[row].SetFrac(of[0][i], det)
		}
		return all
	}
	for j, variable := range s.lp.nonbasic {
		if i := variable - s.lp.n; i >= 0 && i < n {
			all[i].SetFrac(&s.lp.t[s.lp.m][j], &s.lp.den)
			all[i].Neg(all[i])
		}
	}
	return all
}

// refuted reports whether the row that ended the method proves that no point is in all rows.
func (t *tableau) refuted(rows []Row) bool {
	r := 0
	for t.sign(r) >= 0 || t.entering(r) >= 0 {
		if r++; r == t.m {
			return false
		}
	}
	multipliers, strict := rats(make([]float64, len(rows))), false
	add := func(variable int, times *big.Rat) {
		if i := variable - t.n; i >= 0 && i < len(rows) {
			multipliers[i] = times
			strict = strict || times.Sign() > 0 && !rows[i].Firm
		}
	}
	add(t.basic[r], big.NewRat(1, 1))
	for j, variable := range t.nonbasic {
		add(variable, new(big.Rat).SetFrac(&t.t[r][j], &t.den))
	}
	a, b := combined(rows, multipliers)
	return (a == nil || lengthOf(One, a).Sign() == 0) && (b.Sign() < 0 || b.Sign() == 0 && strict)
}

// combined returns the sum of rows, nil and 1 if a multiplier is negative.
func combined(rows []Row, multipliers []*big.Rat) (a []*big.Rat, b *big.Rat) {
	b = new(big.Rat)
	for i, y := range multipliers {
		if y.Sign() < 0 {
			return nil, big.NewRat(1, 1)
		}
		if a == nil {
			a = rats(make([]float64, len(rows[i].A)))
		}
		for j, e := range rows[i].A {
			a[j].Add(a[j], new(big.Rat).Mul(y, new(big.Rat).SetInt(e)))
		}
		b.Add(b, new(big.Rat).Mul(y, new(big.Rat).SetInt(rows[i].B)))
	}
	return a, b
}

// lengthOf returns the length of a vector, in Two its square.
func lengthOf(norm Norm, u []*big.Rat) *big.Rat {
	total := new(big.Rat)
	for _, e := range u {
		switch size := new(big.Rat).Abs(e); {
		case norm == One:
			total.Add(total, size)
		case norm == Two:
			total.Add(total, size.Mul(size, size))
		case total.Cmp(size) < 0:
			total = size
		}
	}
	return total
}

// slackOf returns b − a·u.
func slackOf(r Row, u []*big.Rat) *big.Rat {
	b := new(big.Rat).SetInt(r.B)
	for j, e := range r.A {
		b.Sub(b, new(big.Rat).Mul(u[j], new(big.Rat).SetInt(e)))
	}
	return b
}

// TestPricesByOrthant compares prices of two directions with one search for each orthant, in
// coordinates that are multiplied by the prices there.
func TestPricesByOrthant(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	found := 0
	for range racetest.Scale(600) {
		p := gridProblem(r, 3, 6)
		rows, d, norm := rowsOf(r, p), len(p.x), norms[r.IntN(3)]
		prices := make([]Price, d)
		for j := range prices {
			prices[j] = Price{big.NewRat(1+r.Int64N(4), 3), big.NewRat(1+r.Int64N(4), 2)}
			if norm == Two {
				prices[j].Down = prices[j].Up
			}
		}
		var want *big.Rat
		for orthant := range 1 << d {
			var within []Row
			for j := range d {
				within = append(within, side(d, j, int64(1-2*(orthant>>j&1))*-1, new(big.Rat)))
			}
			for _, row := range rows {
				a := make([]*big.Rat, d)
				for j, e := range row.A {
					price := prices[j].Up
					if orthant>>j&1 == 1 {
						price = prices[j].Down
					}
					a[j] = new(big.Rat).Quo(new(big.Rat).SetInt(e), price)
				}
				within = append(within, RowOf(a, new(big.Rat).SetInt(row.B), row.Firm))
			}
			if c := new(Solver).Nearest(norm, within, d, nil, want); c != nil {
				want = c
			}
		}
		var s Solver
		got := s.Nearest(norm, rows, d, prices, nil)
		if (got == nil) != (want == nil) || got != nil && got.Cmp(want) != 0 {
			t.Fatalf("%v, %+v, %v: %v, want %v", norm, rows, prices, got, want)
		}
		if got == nil {
			continue
		}
		found++
		u := s.Point()
		for _, row := range rows {
			if slackOf(row, u).Sign() < 0 {
				t.Fatalf("%v, %+v, %v: %v is not in row %+v", norm, rows, prices, u, row)
			}
		}
		for j, e := range u {
			price := prices[j].Up
			if e.Sign() < 0 {
				price = prices[j].Down
			}
			e.Mul(e, price)
		}
		if cost := lengthOf(norm, u); cost.Cmp(got) != 0 {
			t.Fatalf("%v, %+v, %v: %v costs %v, not %v", norm, rows, prices, u, cost, got)
		}
	}
	if found < racetest.Scale(300) {
		t.Errorf("%d found", found)
	}
}

// TestInfinitesimal: it takes a single point out of open rows, and no other.
func TestInfinitesimal(t *testing.T) {
	for _, norm := range norms {
		want := lengthOf(norm, rats([]float64{2}))
		for _, test := range []struct {
			hi   float64
			firm bool
			want *big.Rat
		}{{2, false, nil}, {2, true, want}, {3, false, want}} {
			rows := []Row{
				RowOf(rats([]float64{-1}), rat(-2), test.firm),
				RowOf(rats([]float64{1}), rat(test.hi), test.firm),
			}
			got := new(Solver).Nearest(norm, rows, 1, nil, nil)
			if (got == nil) != (test.want == nil) || got != nil && got.Cmp(test.want) != 0 {
				t.Errorf("%v, %+v: %v, want %v", norm, test, got, test.want)
			}
		}
	}
}

// TestInside: it returns a point of the interior if there is one.
func TestInside(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 3))
	thin := 0
	for range racetest.Scale(1000) {
		p := gridProblem(r, 3, 8)
		q, halves := Unpriced(Inf, p.x, Box{}), halvesOf(p.a, p.b)
		open := halvesOf(p.a, p.b)
		for i := range open {
			open[i].Closed = false
		}
		z := q.Inside(halves)
		if (z == nil) != (q.Nearest(open) == nil) {
			t.Fatalf("%+v: inside is %v", p, z)
		}
		if z == nil {
			thin++
		}
		for i, h := range halves {
			if z != nil && slackOf(RowOf(h.A, h.B, true), rats(z)).Sign() <= 0 {
				t.Fatalf("%+v: %v is not inside row %d", p, z, i)
			}
		}
	}
	if thin < racetest.Scale(100) {
		t.Errorf("%d without an interior", thin)
	}
}
