package oracle

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// TestSimplexProvesItsOutcome checks the dual of every outcome, without
// tolerance: strong duality for an optimum, a Farkas certificate for an
// infeasible program. Correct certificates leave nothing to trust.
func TestSimplexProvesItsOutcome(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	seen := map[status]int{}
	for range racetest.Scale(3000) {
		g := gridProblem(r, 4, 8)
		p := exactProgram(g.a, g.b, g.x)
		out := simplex(rats{}, p)
		seen[out.status]++
		if out.status == unbounded {
			continue
		}
		if !proved(p, out) {
			t.Fatalf("%+v: outcome %+v is not proved by its dual", g, out)
		}
	}
	t.Logf("optimal, infeasible, unbounded: %d, %d, %d",
		seen[optimal], seen[infeasible], seen[unbounded])
	for _, s := range []status{optimal, infeasible, unbounded} {
		if seen[s] < racetest.Scale(100) {
			t.Errorf("status %d occurred %d times only", s, seen[s])
		}
	}
}

func exactProgram(a [][]float64, b, c []float64) program[*big.Rat] {
	p := program[*big.Rat]{b: nums(rats{}, b), c: nums(rats{}, c)}
	for _, row := range a {
		p.a = append(p.a, nums(rats{}, row))
	}
	return p
}

// proved checks the certificate of an outcome exactly.
func proved(p program[*big.Rat], out outcome[*big.Rat]) bool {
	f := rats{}
	need := zeros(f, len(p.c))
	if out.status == optimal {
		need = p.c
	}
	have := zeros(f, len(p.c))
	for i, y := range out.dual {
		if y.Sign() < 0 {
			return false
		}
		f.axpy(have, y, p.a[i])
	}
	for j := range have {
		if have[j].Cmp(need[j]) < 0 {
			return false
		}
	}
	bound := f.dot(out.dual, p.b)
	if out.status == infeasible {
		return bound.Sign() < 0
	}
	return exactlyFeasible(p, out.v) && bound.Cmp(f.dot(p.c, out.v)) == 0
}

func exactlyFeasible(p program[*big.Rat], v []*big.Rat) bool {
	for _, e := range v {
		if e.Sign() < 0 {
			return false
		}
	}
	for i, a := range p.a {
		if (rats{}).dot(a, v).Cmp(p.b[i]) > 0 {
			return false
		}
	}
	return true
}

// TestEuclideanIsOptimal checks the enumeration by the simplex method: z is the
// feasible point nearest to x just if no feasible w has (x−z)·w > (x−z)·z.
func TestEuclideanIsOptimal(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	f := rats{}
	empty := 0
	for range racetest.Scale(500) {
		g := gridProblem(r, 3, 8)
		_, z, feasible := ClosestRat(Two, g.x, g.a, g.b)
		_, _, truth := ClosestRat(Inf, g.x, g.a, g.b)
		if feasible != truth {
			t.Fatalf("%+v: enumeration says feasible: %v, simplex method %v", g, feasible, truth)
		}
		if !feasible {
			empty++
			continue
		}
		normal := nums(f, g.x)
		f.axpy(normal, f.num(-1), z)
		p := program[*big.Rat]{b: nums(f, g.b), c: split(f, normal)}
		for _, a := range g.a {
			p.a = append(p.a, split(f, nums(f, a)))
		}
		out := f.maximise(p)
		if out.status != optimal || f.dot(p.c, out.v).Cmp(f.dot(normal, z)) != 0 {
			t.Fatalf("%+v: %v is not the nearest point", g, rounded(z))
		}
	}
	t.Logf("%d empty", empty)
}

// TestNormsAreOrdered compares the methods with each other: the ℓ∞ distance is
// at most the ℓ2 distance and that at most the ℓ1 distance, and in dimension 1
// they are equal.
func TestNormsAreOrdered(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 3))
	for range racetest.Scale(3000) {
		p := gridProblem(r, 4, 12)
		maximum, _, _ := Closest(Inf, p.x, p.a, p.b)
		sum, _, _ := Closest(One, p.x, p.a, p.b)
		euclidean, _, _ := Closest(Two, p.x, p.a, p.b)
		if maximum > euclidean+1e-9 || euclidean > sum+1e-9 {
			t.Fatalf("%+v: distances %v, %v, %v", p, maximum, euclidean, sum)
		}
		if len(p.x) == 1 && sum > maximum+1e-12 {
			t.Fatalf("%+v: distances %v and %v on a line", p, maximum, sum)
		}
	}
}
