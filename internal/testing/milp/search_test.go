//go:build lpsolve

package milp

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// optimum is the least cost of a solution, by enumeration.
func (p *program) optimum(s *search) float64 {
	least := math.Inf(1)
	for _, q := range p.space.points(p.norm) {
		v := p.valuesAt(q, s.forest.reached(q.z))
		if _, violated := p.violated(v); violated {
			continue
		}
		cost := 0.0
		for j, c := range p.cost {
			cost += c * v[j]
		}
		least = min(least, cost)
	}
	return least
}

// TestCertificate: lp_solve's multipliers, and any others, prove no more than
// is true, and lp_solve's prove what it says.
func TestCertificate(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 99))
	solved, failed, positive := 0, 0, 0
	programs(t, racetest.Scale(300), func(s *search, p *program, _ []lead) {
		least := p.optimum(s)
		multipliers := make([]float64, len(p.rows))
		for range 20 {
			for i := range multipliers {
				multipliers[i] = rng.NormFloat64() * math.Pow(10, float64(rng.IntN(5)-3))
			}
			if bound := p.certify(multipliers); bound > least {
				t.Fatalf("random multipliers prove %v of %v", bound, least)
			}
		}
		r := relax(t.Context(), p)
		if !r.solved {
			failed++
			return
		}
		solved++
		cost := 0.0
		for j, c := range p.cost {
			cost += c * r.values[j]
		}
		if r.bound > least || math.Abs(r.bound-cost) > 1e-6*max(1, cost) {
			t.Fatalf("proven %v, lp_solve's cost %v, optimum %v", r.bound, cost, least)
		}
		if r.bound > 0 {
			positive++
		}
	})
	if failed > solved/100 || positive < solved/4 {
		t.Errorf("%d programs solved, %d not, %d with a bound", solved, failed, positive)
	}
}

func TestCertificateOfNonsense(t *testing.T) {
	programs(t, 1, func(s *search, p *program, _ []lead) {
		for _, y := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			multipliers := make([]float64, len(p.rows))
			for i := range multipliers {
				multipliers[i] = y
			}
			if bound := p.certify(multipliers); bound > 0 || math.IsNaN(bound) {
				t.Errorf("multipliers %v prove %v", y, bound)
			}
		}
	})
}

// TestUnreliableSolver: whatever lp_solve says, the answer is right.
func TestUnreliableSolver(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 99))
	solvers := map[string]func(context.Context, *program) relaxation{
		"fails": func(context.Context, *program) relaxation {
			return relaxation{bound: math.Inf(-1)}
		},
		"invents": func(_ context.Context, p *program) relaxation {
			r := relaxation{solved: true, values: make([]float64, p.penalty+1)}
			for i := range r.values {
				r.values[i] = float64(rng.IntN(4)) / 3
			}
			multipliers := make([]float64, len(p.rows))
			for i := range multipliers {
				multipliers[i] = rng.NormFloat64()
			}
			r.bound = p.certify(multipliers)
			return r
		},
		"fails now and then": func(ctx context.Context, p *program) relaxation {
			if rng.IntN(3) == 0 {
				return relaxation{bound: math.Inf(-1)}
			}
			return relax(ctx, p)
		},
	}
	for name, solver := range solvers {
		t.Run(name, func(t *testing.T) {
			for _, norm := range norms {
				for number := range uint64(racetest.Scale(150)) {
					in := draw(t, number, 100+uint64(norm), norm)
					s, err := in.attack.search(in.x)
					if err != nil {
						t.Fatal(err)
					}
					s.relax = solver
					complete := s.run(t.Context())
					compare(t, in, in.attack.result(s, in.x, complete), in.truth(t))
				}
			}
		})
	}
}

// TestQueue: the smallest bound comes first, then the deepest, then the oldest.
func TestQueue(t *testing.T) {
	var q queue
	for i, b := range []branch{
		{bound: 1}, {bound: 0, depth: 1}, {bound: 0, depth: 2}, {bound: 0, depth: 2}, {bound: 0.5},
	} {
		b.number = i
		q.push(b)
	}
	for _, want := range []int{2, 3, 1, 4, 0} {
		if b := q.pop(); b.number != want {
			t.Fatalf("branch %d came out, want %d", b.number, want)
		}
	}
}
