package closest

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

func TestSmallProblems(t *testing.T) {
	inf := math.Inf(1)
	tests := []struct {
		name string
		a    [][]float64
		b    []float64
		want [3]float64 // in ℓ∞, ℓ1, ℓ2; +Inf if infeasible
	}{
		{"no rows", nil, nil, [3]float64{0, 0, 0}},
		{"satisfied at the origin", [][]float64{{1, 1}}, []float64{1}, [3]float64{0, 0, 0}},
		{"one row", [][]float64{{-1, -1}}, []float64{-2}, [3]float64{1, 2, math.Sqrt2}},
		{"one coordinate does more", [][]float64{{-2, -1}}, []float64{-6},
			[3]float64{2, 3, 6 / math.Sqrt(5)}},
		{"two rows", [][]float64{{-1, 0}, {0, -1}}, []float64{-3, -4}, [3]float64{4, 7, 5}},
		{"the first row stops to bind", [][]float64{{-1, 0}, {-1, -1}}, []float64{-1, -6},
			[3]float64{3, 6, math.Sqrt(18)}},
		{"repeated rows", [][]float64{{-1, -1}, {-2, -2}, {-1, -1}}, []float64{-2, -4, -2},
			[3]float64{1, 2, math.Sqrt2}},
		{"equation", [][]float64{{1, -1}, {-1, 1}}, []float64{2, -2}, [3]float64{1, 2, math.Sqrt2}},
		{"a point", [][]float64{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}, []float64{3, -3, 4, -4},
			[3]float64{4, 7, 5}},
		{"contradiction", [][]float64{{1, 0}, {-1, 0}}, []float64{1, -2},
			[3]float64{inf, inf, inf}},
		{"row of zeros", [][]float64{{-1, 0}, {0, 0}}, []float64{-1, 0}, [3]float64{1, 1, 1}},
		{"impossible row of zeros", [][]float64{{-1, 0}, {0, 0}}, []float64{-1, -1e-12},
			[3]float64{inf, inf, inf}},
		{"huge coefficients", [][]float64{{-1e200, -1e200}}, []float64{-2e200},
			[3]float64{1, 2, math.Sqrt2}},
		{"tiny coefficients", [][]float64{{-1e-200, -1e-200}}, []float64{-2e-200},
			[3]float64{1, 2, math.Sqrt2}},
	}
	for _, test := range tests {
		for _, k := range kinds {
			p := problem{2, test.a, test.b}
			q := p.full(k)
			status, want := solve(t, q, inf), test.want[k]
			if math.IsInf(want, 1) {
				if status != Infeasible || !(q.Bound() >= far) {
					t.Errorf("%s, norm %s: status %v, bound %v, want infeasible",
						test.name, name(k), status, q.Bound())
				}
				continue
			}
			if status != Optimal || math.Abs(q.Value()-want) > 1e-14*want {
				t.Errorf("%s, norm %s: status %v, value %v, want %v",
					test.name, name(k), status, q.Value(), want)
			}
			if err := proved(p, k, q); err != nil {
				t.Errorf("%s, norm %s: %v", test.name, name(k), err)
			}
		}
	}
}

// TestWarmStart adds rows one at a time, solving in between, and all at once.
func TestWarmStart(t *testing.T) {
	each(t, 1, func(t *testing.T, k polytope.Norm, r *rand.Rand) {
		seen := map[Status]int{}
		for range racetest.Scale(3000) {
			p := signs(r, 1+r.IntN(6), r.IntN(14))
			if r.IntN(2) == 0 {
				p = smooth(r, 1+r.IntN(6), r.IntN(14))
			}
			all := p.full(k)
			want := solve(t, all, math.Inf(1))
			seen[want]++

			warm := p.program(k)
			got, before := Optimal, 0.0
			for i, a := range p.a {
				warm.Add(a, p.b[i], 0)
				got = solve(t, warm, math.Inf(1))
				if warm.Bound() < before {
					t.Fatalf("%+v: bound fell from %v to %v with row %d",
						p, before, warm.Bound(), i)
				}
				before = warm.Bound()
			}
			if got != want ||
				(got == Optimal && math.Abs(warm.Value()-all.Value()) > 1e-11*max(1, all.Value())) {
				t.Fatalf("%+v: row by row %v, value %v; all at once %v, value %v",
					p, got, warm.Value(), want, all.Value())
			}
			if got != Optimal {
				continue
			}
			for _, q := range []*Program{warm, all} {
				if err := proved(p, k, q); err != nil {
					t.Fatalf("%+v: %v", p, err)
				}
			}
		}
		if min(seen[Optimal], seen[Infeasible]) < racetest.Scale(3000)/10 {
			t.Errorf("%d optimal, %d infeasible: too few of one", seen[Optimal], seen[Infeasible])
		}
	})
}

// TestResetForgets solves one problem after the other in one program and in
// fresh ones: not a bit may differ.
func TestResetForgets(t *testing.T) {
	each(t, 2, func(t *testing.T, k polytope.Norm, r *rand.Rand) {
		used := New(k)
		for range racetest.Scale(500) {
			p := signs(r, 1+r.IntN(8), r.IntN(16))
			fresh := p.full(k)
			used.Reset(p.d)
			for i, a := range p.a {
				used.Add(a, p.b[i], 0)
			}
			want, got := solve(t, fresh, math.Inf(1)), solve(t, used, math.Inf(1))
			if got != want || used.Value() != fresh.Value() || used.Bound() != fresh.Bound() ||
				used.Pivots() != fresh.Pivots() {
				t.Fatalf("%+v: %v, value %v after Reset, want %v, value %v",
					p, got, used.Value(), want, fresh.Value())
			}
		}
	})
}

// TestCutoff: a search with a cutoff ends with a bound between cutoff and truth
// if the truth is larger, and as without a cutoff otherwise.
func TestCutoff(t *testing.T) {
	each(t, 3, func(t *testing.T, k polytope.Norm, r *rand.Rand) {
		early := 0
		for range racetest.Scale(1000) {
			p := smooth(r, 1+r.IntN(10), 1+r.IntN(25))
			plain := p.full(k)
			if solve(t, plain, math.Inf(1)) != Optimal || plain.Value() == 0 {
				continue
			}
			for _, f := range []float64{0.3, 0.9, 0.999999, 1.000001, 2} {
				cutoff := f * plain.Value()
				q := p.full(k)
				got := solve(t, q, cutoff)
				if want := f < 1; (got == Cutoff) != want {
					t.Fatalf("%+v: Solve(%v) = %v, distance %v", p, cutoff, got, plain.Value())
				}
				if got == Cutoff && (q.Bound() < cutoff || q.Bound() > plain.Value()*(1+1e-11)) {
					t.Fatalf("%+v: Solve(%v) with bound %v, distance %v",
						p, cutoff, q.Bound(), plain.Value())
				}
				if q.Pivots() < plain.Pivots() {
					early++
				}
			}
		}
		if early < racetest.Scale(100) {
			t.Errorf("a cutoff saved pivots %d times only", early)
		}
	})
}

// TestCutoffOnTheWay: a search that ended for any reason can go on with more rows, and ends where
// one without cutoffs does.
func TestCutoffOnTheWay(t *testing.T) {
	each(t, 9, func(t *testing.T, k polytope.Norm, r *rand.Rand) {
		for range racetest.Scale(1000) {
			p := signs(r, 1+r.IntN(8), 1+r.IntN(16))
			q := p.program(k)
			for i, a := range p.a {
				q.Add(a, p.b[i], 0)
				solve(t, q, 3*r.Float64())
			}
			plain := p.full(k)
			want, got := solve(t, plain, math.Inf(1)), solve(t, q, math.Inf(1))
			if got != want ||
				got == Optimal && math.Abs(q.Value()-plain.Value()) > 1e-9*plain.Value() {
				t.Fatalf("%+v: %v, value %v, want %v, value %v",
					p, got, q.Value(), want, plain.Value())
			}
		}
	})
}

// TestNoCycling: problems full of ties end within a budget of pivots.
func TestNoCycling(t *testing.T) {
	each(t, 4, func(t *testing.T, k polytope.Norm, r *rand.Rand) {
		for range racetest.Scale(60) {
			d := 1 + r.IntN(60)
			p := signs(r, d, r.IntN(2*d+10))
			q := p.full(k)
			if solve(t, q, math.Inf(1)) == Optimal {
				if err := proved(p, k, q); err != nil {
					t.Fatalf("%+v: %v", p, err)
				}
			}
			if budget := 4 * (d + len(p.a)); q.Pivots() > budget {
				t.Errorf("%d pivots for %d rows in dimension %d, want at most %d",
					q.Pivots(), len(p.a), d, budget)
			}
		}
	})
}

// TestConcurrentSides: many rows through one point, none of which can be written
// in float64 exactly, so that they contradict each other by rounding errors. The
// point is the answer; rows given again are not taken for violated.
func TestConcurrentSides(t *testing.T) {
	each(t, 5, func(t *testing.T, k polytope.Norm, r *rand.Rand) {
		for range racetest.Scale(1000) {
			d := 2 + r.IntN(4)
			p := smooth(r, d, 4*d)
			at := smooth(r, d, 1).a[0]
			for i, a := range p.a {
				p.b[i] = precise.Dot(a, at)
			}
			q := p.full(k)
			solved := solve(t, q, math.Inf(1))
			if solved != Optimal {
				t.Fatalf("%+v: %v, want the point %v", p, solved, at)
			}
			for i, a := range p.a {
				if q.Violated(a, p.b[i]) {
					t.Fatalf("%+v: Violated(row %d) after Solve", p, i)
				}
				if v := (precise.Dot(a, q.U()) - p.b[i]) / geometry.DualLength(k, a); v >
					1e-9*max(1, q.Value()) {
					t.Fatalf("%+v: row %d is violated by %g", p, i, v)
				}
			}
		}
	})
}

func TestNotNumbers(t *testing.T) {
	tests := []struct {
		name string
		a    []float64
		b    float64
	}{
		{"the point overflows", []float64{-1e-300, 0}, -1e300},
		{"the right-hand side is infinite", []float64{-1, 0}, math.Inf(-1)},
		{"the length overflows", []float64{-math.MaxFloat64, -math.MaxFloat64}, -math.MaxFloat64},
		{"NaN coefficient", []float64{math.NaN(), 1}, -1},
	}
	for _, test := range tests {
		for _, k := range kinds {
			q := New(k)
			q.Reset(2)
			q.Add([]float64{-1, 0}, -1, 0)
			solve(t, q, math.Inf(1))
			q.Add(test.a, test.b, 0)
			status, err := q.Solve(math.Inf(1))
			if status == Optimal && err == nil && precise.Dot(test.a, q.U()) > test.b/2 {
				t.Errorf("%s, norm %s: optimal at %v, which violates the row",
					test.name, name(k), q.U())
			}
			if err != nil && !errors.Is(err, polytope.ErrNumerical) {
				t.Errorf("%s, norm %s: error %v", test.name, name(k), err)
			}
			if math.IsNaN(q.Bound()) {
				t.Errorf("%s, norm %s: bound is NaN", test.name, name(k))
			}
		}
	}
}
