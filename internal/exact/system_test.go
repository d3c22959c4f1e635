package exact_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/exact"
)

// row is a·u < b; the last number is b.
type row []int64

func strictly(dim int, rows []row) bool {
	s := exact.New(dim)
	for _, r := range rows {
		a := make([]*big.Rat, dim)
		for j := range a {
			a[j] = big.NewRat(r[j], 8)
		}
		s.Add(a, big.NewRat(r[dim], 8))
	}
	return s.HasSolution()
}

func TestStrictRows(t *testing.T) {
	tests := []struct {
		name string
		dim  int
		rows []row
		want bool
	}{
		{"no rows", 2, nil, true},
		{"0 < 0", 1, []row{{0, 0}}, false},
		{"0 < 1", 1, []row{{0, 1}}, true},
		{"a point", 1, []row{{1, 0}, {-1, 0}}, false},
		{"an interval", 1, []row{{1, 1}, {-1, 0}}, true},
		{"an interval far away", 1, []row{{1, -1e9}, {-1, 1e9 + 1}}, true},
		{"contradiction", 1, []row{{1, -1}, {-1, 0}}, false},
		{"a cone", 2, []row{{1, 1, 0}, {1, -1, 0}}, true},
		{"three half-planes that meet in a point", 2, []row{{1, 0, 0}, {0, 1, 0}, {-1, -1, 0}},
			false},
		{"the same moved apart", 2, []row{{1, 0, 0}, {0, 1, 0}, {-1, -1, 1}}, true},
		{"parallel but for a coordinate that is free", 3, []row{{1, 0, 0, 0}, {-1, 0, 1, 0}}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := strictly(tt.dim, tt.rows); got != tt.want {
				t.Errorf("HasSolution() = %v, want %v", got, tt.want)
			}
		})
	}
}

// eliminate removes the last coordinate of strict inequalities by the method of
// Fourier and Motzkin.
func eliminate(rows []row) []row {
	var rest, upper, lower []row
	for _, r := range rows {
		switch j := len(r) - 2; {
		case r[j] == 0:
			rest = append(rest, append(append(row(nil), r[:j]...), r[j+1]))
		case r[j] > 0:
			upper = append(upper, r)
		default:
			lower = append(lower, r)
		}
	}
	for _, p := range upper {
		for _, q := range lower {
			j := len(p) - 2
			var sum row
			for i := range p {
				if i != j {
					sum = append(sum, -q[j]*p[i]+p[j]*q[i])
				}
			}
			rest = append(rest, sum)
		}
	}
	return rest
}

func TestStrictRowsAgreeWithElimination(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 1))
	yes := 0
	const instances = 20000
	for n := range instances {
		dim, m := 1+rng.IntN(3), rng.IntN(7)
		rows := make([]row, m)
		for i := range rows {
			for range dim + 1 {
				rows[i] = append(rows[i], rng.Int64N(5)-2)
			}
		}
		rest := rows
		for range dim {
			rest = eliminate(rest)
		}
		want := true
		for _, r := range rest {
			want = want && r[0] > 0
		}
		if got := strictly(dim, rows); got != want {
			t.Fatalf("seed %d, instance %d: HasSolution() of %v = %v, want %v",
				seed, n, rows, got, want)
		}
		if want {
			yes++
		}
	}
	if yes < instances/10 || yes > instances*9/10 {
		t.Errorf("%d of %d instances have an interior: the test is one-sided", yes, instances)
	}
}

// TestFix: coordinates that are fixed move to the right-hand sides.
func TestFix(t *testing.T) {
	a, b := []*big.Rat{big.NewRat(1, 1), big.NewRat(-1, 1)}, big.NewRat(-2, 1) // u_0, u_1 − 2
	for _, test := range []struct {
		fixed, closed, want bool
	}{{false, false, true}, {true, false, false}, {true, true, true}} {
		s := exact.New(2)
		if test.fixed {
			s.Fix(1, big.NewRat(2, 1))
		}
		add := s.Add
		if test.closed {
			add = s.AddClosed
		}
		add([]*big.Rat{big.NewRat(-1, 1), new(big.Rat)}, new(big.Rat)) // u_0 above 0
		add(a, b)
		if u := s.Solution(); (u != nil) != test.want ||
			u != nil && test.fixed && u[1].Cmp(big.NewRat(2, 1)) != 0 {
			t.Errorf("%+v: Solution() = %v", test, u)
		}
	}
}

// checkSolution checks a solution of rows whose last number is 1 where they are strict.
func checkSolution(t *testing.T, u []*big.Rat, rows []row) {
	t.Helper()
	for _, r := range rows {
		slack := big.NewRat(r[len(u)], 1)
		for j, e := range u {
			slack.Sub(slack, new(big.Rat).Mul(e, big.NewRat(r[j], 1)))
		}
		if sign := slack.Sign(); sign < 0 || sign == 0 && r[len(u)+1] == 1 {
			t.Fatalf("solution %v breaks %v", u, r)
		}
	}
}

// checkInside makes sure that no row through the inside can be kept off, and reports whether there
// are rows through it.
func checkInside(t *testing.T, s *exact.System, rows []row) (thin bool) {
	t.Helper()
	u := s.Inside()
	checkSolution(t, u, rows)
	for _, r := range rows {
		a, left := make([]*big.Rat, len(u)), big.NewRat(r[len(u)], 1)
		for j, e := range u {
			a[j] = big.NewRat(r[j], 1)
			left.Sub(left, new(big.Rat).Mul(e, a[j]))
		}
		if left.Sign() > 0 {
			continue
		}
		thin = true
		off := s.Clone()
		if off.Add(a, big.NewRat(r[len(u)], 1)); off.HasSolution() {
			t.Fatalf("%v lies on %v, and others do not", u, r)
		}
	}
	return thin
}

// TestHasSolution compares systems of strict and closed inequalities with the method of Fourier and
// Motzkin, and makes sure that the weights refute those without a solution.
func TestHasSolution(t *testing.T) {
	refuted, thin := 0, 0
	for number := range uint64(3000) {
		rng := rand.New(rand.NewPCG(number, 6))
		dim := 1 + rng.IntN(3)
		s := exact.New(dim)
		var rows []row // the last number is 1 where the inequality is strict
		for range 1 + rng.IntN(6) {
			r := make(row, dim+2)
			for j := range dim + 1 {
				r[j] = int64(rng.IntN(5) - 2)
			}
			a := make([]*big.Rat, dim)
			for j := range a {
				a[j] = big.NewRat(r[j], 3)
			}
			if b := big.NewRat(r[dim], 3); rng.IntN(2) == 0 {
				s.AddClosed(a, b)
			} else {
				r[dim+1] = 1
				s.Add(a, b)
			}
			rows = append(rows, r)
		}
		left := rows
		for range dim {
			left = eliminateFirst(left)
		}
		want := true
		for _, r := range left {
			want = want && (r[0] > 0 || r[0] == 0 && r[1] == 0)
		}
		weights := s.Refutation()
		if s.HasSolution() != want || (weights == nil) != want {
			t.Fatalf("instance %d: HasSolution() = %t, weights %v, want %t\n%v",
				number, s.HasSolution(), weights, want, rows)
		}
		if want {
			checkSolution(t, s.Solution(), rows)
			if checkInside(t, s, rows) {
				thin++
			}
			continue
		}
		refuted++
		strict, sums := new(big.Int), make([]*big.Int, dim+1)
		for j := range sums {
			sums[j] = new(big.Int)
			for i, w := range weights {
				sums[j].Add(sums[j], new(big.Int).Mul(w, big.NewInt(rows[i][j])))
			}
		}
		for i, w := range weights {
			if rows[i][dim+1] == 1 {
				strict.Add(strict, w)
			}
			if w.Sign() < 0 {
				t.Fatalf("instance %d: weights %v", number, weights)
			}
		}
		for _, e := range sums[:dim] {
			if e.Sign() != 0 {
				t.Fatalf("instance %d: weights %v of %v leave %v", number, weights, rows, sums)
			}
		}
		if b := sums[dim].Sign(); b > 0 || b == 0 && strict.Sign() == 0 {
			t.Fatalf("instance %d: weights %v of %v give %v", number, weights, rows, sums)
		}
	}
	if refuted < 300 || thin < 50 {
		t.Errorf("%d refuted, %d thin, want more", refuted, thin)
	}
}

// eliminateFirst removes the first coordinate of rows that end with b and whether they are strict.
func eliminateFirst(rows []row) (rest []row) {
	for _, p := range rows {
		if p[0] == 0 {
			rest = append(rest, p[1:])
		}
		for _, q := range rows {
			if p[0] > 0 && q[0] < 0 {
				sum := make(row, len(p)-1)
				for i := range sum {
					sum[i] = -q[0]*p[i+1] + p[0]*q[i+1]
				}
				sum[len(sum)-1] = max(p[len(p)-1], q[len(q)-1])
				rest = append(rest, sum)
			}
		}
	}
	return rest
}
