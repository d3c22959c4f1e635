package bisectors_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/closest"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors/orderk/bisectors"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope/native"
)

// other is a Solver that is not the package's own.
type other struct{ native.Solver }

// TestProgram compares a program that continues from a basis with one that begins anew, and with a
// Solver that is asked anew; a look ahead is never above the optimum of the program with one
// constraint more.
func TestProgram(t *testing.T) {
	const dim = 4
	compared := 0
	for number := range uint64(300) {
		rng := rand.New(rand.NewPCG(number, 77))
		for _, norm := range instance.Norms() {
			var rows []bisectors.Constraint
			for range 6 {
				a := make([]float64, dim)
				for j := range a {
					a[j] = rng.NormFloat64()
				}
				length := geometry.DualLength(norm, a)
				for j := range a {
					a[j] /= length
				}
				rows = append(rows, bisectors.Constraint{
					A:       a,
					B:       rng.Float64() - 0.7,
					Length:  length,
					Support: 1,
				})
			}
			q := search.Query{
				X: make([]float64, dim), Cost: geometry.In(norm), Solver: native.Solver{},
			}
			warm := bisectors.Of(&q, 1)
			warm.Start(rows[:5], closest.Basis{})
			before := solve(t, warm)
			if math.IsInf(before, 1) {
				continue
			}
			compared++
			ahead := warm.Ahead(rows[5])
			from := warm.Basis()
			warm.Start(rows[:5], from)
			if got := solve(t, warm); math.Abs(got-before) > 1e-9*before {
				t.Fatalf("instance %d, norm %v: distance %v from the basis of its own, %v before",
					number, norm, got, before)
			}
			warm.Add(rows[5])
			all := solve(t, warm)
			if before < rows[0].Distance() || ahead < before*(1-1e-9) || ahead > all*(1+1e-9) {
				t.Fatalf("instance %d, norm %v: distances %v, %v, then %v, %v ahead",
					number, norm, rows[0].Distance(), before, all, ahead)
			}
			q.Solver = new(other)
			cold := bisectors.Of(&q, 1)
			cold.Start(rows, closest.Basis{})
			if got := solve(t, cold); math.Abs(got-all) > 1e-9*all &&
				!(math.IsInf(got, 1) && math.IsInf(all, 1)) {
				t.Fatalf("instance %d, norm %v: distance %v, %v by a Solver",
					number, norm, all, got)
			}
		}
	}
	if compared < 500 {
		t.Errorf("%d instances compared", compared)
	}
}

// solve returns the distance that a program finds, +Inf if its constraints contradict each other.
func solve(t *testing.T, p bisectors.Program) float64 {
	t.Helper()
	s, err := p.Solve(t.Context(), math.Inf(1))
	if err != nil {
		t.Fatal(err)
	}
	if s.Status == closest.Infeasible {
		return math.Inf(1)
	}
	return s.Value
}
