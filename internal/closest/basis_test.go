package closest

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// copyRows returns a program with the rows of p.
func copyRows(p *Program, k polytope.Norm) *Program {
	q := New(k)
	q.Reset(p.d)
	for i := range p.Len() {
		q.AddUnit(p.Row(i))
	}
	return q
}

// TestRestore continues from the basis of another program and adds rows: the
// point, the value and the bound are those of the program that has gone on.
func TestRestore(t *testing.T) {
	each(t, 20, func(t *testing.T, k polytope.Norm, r *rand.Rand) {
		restored := 0
		for range racetest.Scale(2000) {
			p := signs(r, 1+r.IntN(6), 1+r.IntN(12))
			if r.IntN(2) == 0 {
				p = smooth(r, 1+r.IntN(6), 1+r.IntN(12))
			}
			some := problem{p.d, p.a[:len(p.a)/2], p.b[:len(p.b)/2]}
			first := some.full(k)
			if solve(t, first, math.Inf(1)) != Optimal {
				continue
			}
			second := copyRows(first, k)
			second.Restore(first.Basis())
			if d := math.Abs(second.Value() - first.Value()); d > 1e-12*first.Value() {
				t.Fatalf("%+v: Restore leads to %v, want %v", some, second.Value(), first.Value())
			}
			pivots := second.Pivots()
			if solve(t, second, math.Inf(1)); second.Pivots() != pivots {
				t.Fatalf("%+v: %d pivots after Restore", some, second.Pivots()-pivots)
			}
			for i := len(some.a); i < len(p.a); i++ {
				first.Add(p.a[i], p.b[i], 0)
				second.AddUnit(first.Row(first.Len() - 1))
			}
			want, got := solve(t, first, math.Inf(1)), solve(t, second, math.Inf(1))
			if want != got ||
				(want == Optimal &&
					math.Abs(first.Value()-second.Value()) > 1e-11*max(1, first.Value())) {
				t.Fatalf("%+v: %v, %v after Restore, want %v, %v",
					p, got, second.Value(), want, first.Value())
			}
			if want == Optimal {
				if err := proved(p, k, second); err != nil {
					t.Fatalf("%+v: %v", p, err)
				}
			}
			restored++
		}
		if restored < racetest.Scale(2000)/4 {
			t.Errorf("only %d programs restored", restored)
		}
	})
}

// TestRestoreSingular: a basis that the rows do not have leaves a program that
// still solves.
func TestRestoreSingular(t *testing.T) {
	p := problem{2, [][]float64{{-1, -1}, {-1, -1}}, []float64{-1, -1}}
	want := [3]float64{0.5, 1, math.Sqrt(0.5)}
	for _, k := range kinds {
		basic := []int32{0}
		if k == polytope.L1 {
			basic = []int32{0, 1}
		}
		q := p.full(k)
		q.Restore(Basis{active: []int32{0, 1}, basic: basic, sign: []int8{0, 0}})
		if solve(t, q, math.Inf(1)); math.Abs(q.Bound()-want[k]) > 1e-12 {
			t.Errorf("norm %s: bound %v, want %v", name(k), q.Bound(), want[k])
		}
	}
}

// TestAhead compares the bound one row ahead with the optimum with that row, and
// looks for traces in the program.
func TestAhead(t *testing.T) {
	each(t, 21, func(t *testing.T, k polytope.Norm, r *rand.Rand) {
		raised, exact := 0, 0
		for range racetest.Scale(3000) {
			p := signs(r, 1+r.IntN(6), 1+r.IntN(10))
			if r.IntN(2) == 0 {
				p = smooth(r, 1+r.IntN(6), 1+r.IntN(10))
			}
			all := p.full(k)
			last := len(p.a) - 1
			some := problem{p.d, p.a[:last], p.b[:last]}.full(k)
			if solve(t, some, math.Inf(1)) != Optimal {
				continue
			}
			a, b, err := all.Row(last)
			if geometry.DualLength(k, a) == 0 {
				continue
			}
			before := some.Bound()
			ahead := some.Ahead(a, b, err)
			status := solve(t, all, math.Inf(1))
			if ahead < before || (status == Optimal && ahead > all.Value()*(1+1e-11)) {
				t.Fatalf("%+v: %v ahead of %v, optimum %v", p, ahead, before, all.Value())
			}
			if ahead > before {
				raised++
			}
			if status == Optimal && ahead > before && ahead >= all.Value()*(1-1e-9) {
				exact++
			}
			if some.Len() != last || some.Bound() != before {
				t.Fatalf("%+v: Ahead left %d rows and bound %v, want %d and %v",
					p, some.Len(), some.Bound(), last, before)
			}
			some.AddUnit(a, b, err)
			if got := solve(t, some, math.Inf(1)); got != status ||
				(status == Optimal &&
					math.Abs(some.Value()-all.Value()) > 1e-11*max(1, all.Value())) {
				t.Fatalf("%+v: %v, %v after Ahead, want %v, %v",
					p, got, some.Value(), status, all.Value())
			}
		}
		if min(raised, 2*exact) < racetest.Scale(3000)/5 {
			t.Errorf("the bound was raised %d times, to the optimum %d times", raised, exact)
		}
	})
}

// TestRewind: a program that goes back to an optimum of fewer rows arrives where one of those does.
func TestRewind(t *testing.T) {
	for _, kind := range []polytope.Norm{polytope.LInf, polytope.L1, polytope.L2} {
		p := New(kind)
		p.Reset(2)
		p.Add([]float64{-1, -1}, -2, 0)
		solve := func() float64 {
			if status, err := p.Solve(math.Inf(1)); status != Optimal || err != nil {
				t.Fatal(kind, status, err)
			}
			return p.Value()
		}
		first := solve()
		basis := p.Basis()
		p.Add([]float64{1, 0}, -3, 0)
		second := solve()
		p.Rewind(1, basis)
		if again := solve(); again != first || p.Len() != 1 || p.Bound() > first {
			t.Errorf("norm %v: %v after %v", kind, again, first)
		}
		p.Add([]float64{1, 0}, -3, 0)
		if again := solve(); again != second {
			t.Errorf("norm %v: %v after %v", kind, again, second)
		}
	}
}
