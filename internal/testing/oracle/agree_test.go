package oracle

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// TestRoundedAgreesWithExact reports how often the float64 version decides
// feasibility otherwise than the exact one, and by how much its distance errs.
func TestRoundedAgreesWithExact(t *testing.T) {
	sources := map[string]func(r *rand.Rand) problem{
		"grid":   func(r *rand.Rand) problem { return gridProblem(r, 3, 8) },
		"smooth": func(r *rand.Rand) problem { return smoothProblem(r, 1+r.IntN(3), r.IntN(7)) },
	}
	counts := map[string]int{"grid": 600, "smooth": 150}
	for name, source := range sources {
		for _, norm := range norms {
			t.Run(name+"/"+fmt.Sprint(norm), func(t *testing.T) {
				t.Parallel()
				r := rand.New(rand.NewPCG(1, uint64(norm)))
				var s agreement
				for range racetest.Scale(counts[name]) {
					s.compare(t, norm, source(r))
				}
				s.report(t)
			})
		}
	}
}

// TestLargeAgreesWithExact does the same at the largest sizes.
func TestLargeAgreesWithExact(t *testing.T) {
	for _, norm := range []Norm{Inf, One} {
		t.Run(fmt.Sprint(norm), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(2, uint64(norm)))
			var s agreement
			for range racetest.Scale(30) {
				s.compare(t, norm, gridProblem(r, 6, 40))
			}
			s.report(t)
		})
	}
}

// TestNearlyParallelRows: rows that differ by 1e-2…1e-12 make rounding matter, so
// that the float64 version decides many of them by exact arithmetic.
func TestNearlyParallelRows(t *testing.T) {
	for _, norm := range norms {
		t.Run(fmt.Sprint(norm), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(6, uint64(norm)))
			worst := 0.0
			for range racetest.Scale(120) {
				p := nearlyParallel(r, smoothProblem(r, 1+r.IntN(3), 1+r.IntN(8)))
				dist, _, feasible := Closest(norm, p.x, p.a, p.b)
				exact, _, truth := ClosestRat(norm, p.x, p.a, p.b)
				if feasible != truth {
					t.Fatalf("%+v: feasible %v, in truth %v", p, feasible, truth)
				}
				if truth {
					worst = max(worst, distanceError(norm, dist, exact))
				}
			}
			t.Logf("largest error %.1e", worst)
			if worst > 1e-8 {
				t.Error("the error is too large")
			}
		})
	}
}

// nearlyParallel replaces a third of the rows by slightly turned copies of the
// row before.
func nearlyParallel(r *rand.Rand, p problem) problem {
	for i := 1; i < len(p.a); i++ {
		if r.IntN(3) > 0 {
			continue
		}
		p.a[i], p.b[i] = times(1, p.a[i-1]), p.b[i-1]
		floats{}.axpy(p.a[i], math.Pow(10, -2-10*r.Float64()), normalVector(r, len(p.x)))
	}
	return p
}

// TestExactFallback runs the path for programs that the rounded simplex method
// cannot certify.
func TestExactFallback(t *testing.T) {
	p := program[float64]{
		a: [][]float64{{1, 1}, {1, 0}},
		b: []float64{4, 3},
		c: []float64{2, 1},
	}
	out := exactly(p)
	if !certified(p, out) || out.v[0] != 3 || out.v[1] != 1 {
		t.Errorf("outcome %+v, want the point (3, 1)", out)
	}
	forged := []outcome[float64]{
		{optimal, []float64{4, 0}, out.dual},
		{optimal, []float64{0, 0}, out.dual},
		{optimal, []float64{5, -1}, out.dual},
		{optimal, out.v, []float64{0, 2}},
		{infeasible, nil, out.dual},
		{stalled, nil, nil},
	}
	for _, f := range forged {
		if certified(p, f) {
			t.Errorf("forged outcome %+v is certified", f)
		}
	}
}

// agreement counts what comparisons have shown.
type agreement struct {
	problems, empty, disagree int
	worst                     float64
}

func (s *agreement) compare(t *testing.T, norm Norm, p problem) {
	t.Helper()
	dist, _, feasible := Closest(norm, p.x, p.a, p.b)
	exact, _, truth := ClosestRat(norm, p.x, p.a, p.b)
	s.problems++
	if !truth {
		s.empty++
	}
	if feasible != truth {
		s.disagree++
		t.Errorf("%v %+v: feasible %v, in truth %v", norm, p, feasible, truth)
		return
	}
	if !truth {
		return
	}
	s.worst = max(s.worst, distanceError(norm, dist, exact))
	if s.worst > 1e-10 {
		t.Fatalf("%v %+v: distance %v, in truth %v", norm, p, dist, exact)
	}
}

func (s *agreement) report(t *testing.T) {
	t.Logf("%d problems, %d of them empty: %d wrong decisions, largest error %.1e",
		s.problems, s.empty, s.disagree, s.worst)
}

// distanceError returns the error of a distance relative to max(1, distance),
// given what the Rat version returns for it.
func distanceError(norm Norm, dist float64, exact *big.Rat) float64 {
	truth, _ := exact.Float64()
	if norm == Two {
		truth = math.Sqrt(truth)
	}
	return math.Abs(dist-truth) / max(1, truth)
}
