package closest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

var kinds = []polytope.Norm{polytope.LInf, polytope.L1, polytope.L2}

func name(k polytope.Norm) string { return [...]string{"inf", "1", "2"}[k] }

// problem is a list of rows a·u ≤ b.
type problem struct {
	d int
	a [][]float64
	b []float64
}

// program returns an empty program of the size of p, and a full one.
func (p problem) program(k polytope.Norm) *Program {
	q := New(k)
	q.Reset(p.d)
	return q
}

func (p problem) full(k polytope.Norm) *Program {
	q := p.program(k)
	for i, a := range p.a {
		q.Add(a, p.b[i], 0)
	}
	return q
}

// signs returns m rows of entries −1, 0 and 1 with small integers on the right: the most
// degenerate problems there are. Half of them share a point.
func signs(r *rand.Rand, d, m int) problem {
	p := problem{d: d}
	common := r.IntN(2) == 0
	centre := make([]float64, d)
	for j := range centre {
		centre[j] = float64(r.IntN(5) - 2)
	}
	for range m {
		a := make([]float64, d)
		for j := range a {
			a[j] = float64(r.IntN(3) - 1)
		}
		b := float64(r.IntN(4) - 2)
		if common {
			b = precise.Dot(a, centre) + float64(r.IntN(4)/3)
		}
		p.a, p.b = append(p.a, a), append(p.b, b)
	}
	return p
}

// smooth returns m rows of normally distributed entries.
func smooth(r *rand.Rand, d, m int) problem {
	p := problem{d: d}
	for range m {
		a := make([]float64, d)
		for j := range a {
			a[j] = r.NormFloat64()
		}
		p.a, p.b = append(p.a, a), append(p.b, r.NormFloat64()+0.5)
	}
	return p
}

// proved checks that the answer of an optimal program proves itself: U satisfies
// the rows, has length Value, and Bound meets it.
func proved(p problem, k polytope.Norm, q *Program) error {
	for i, a := range p.a {
		if v, scale := precise.Dot(a, q.U())-p.b[i], geometry.DualLength(k, a); v >
			1e-9*max(1, q.Value())*max(scale, 1e-300) {
			return fmt.Errorf("row %d is violated by %g", i, v)
		}
	}
	if l := geometry.Length(k, q.U()); l != q.Value() {
		return fmt.Errorf("‖U‖ = %v, want Value() = %v", l, q.Value())
	}
	if gap := q.Value() - q.Bound(); math.Abs(gap) > 1e-9*max(1, q.Value()) {
		return fmt.Errorf("Value() = %v, Bound() = %v", q.Value(), q.Bound())
	}
	return nil
}

// solve solves and fails the test on an error.
func solve(t *testing.T, q *Program, cutoff float64) Status {
	t.Helper()
	status, err := q.Solve(cutoff)
	if err != nil {
		t.Fatalf("Solve(%v) = %v, error %v after %d pivots", cutoff, status, err, q.Pivots())
	}
	return status
}

// each runs a test for every norm with its own random numbers.
func each(t *testing.T, seed uint64, run func(t *testing.T, k polytope.Norm, r *rand.Rand)) {
	for _, k := range kinds {
		t.Run(name(k), func(t *testing.T) {
			t.Parallel()
			run(t, k, rand.New(rand.NewPCG(seed, uint64(k))))
		})
	}
}
