package prune

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack/proof"
)

// corruptions each make a result wrong, and report whether they could.
var corruptions = map[string]func(rng *rand.Rand, n int, r *Result) bool{
	"a row less": func(rng *rand.Rand, n int, r *Result) bool {
		i := rng.IntN(len(r.Keep))
		r.Keep = slices.Delete(r.Keep, i, i+1)
		r.Weight--
		return true
	},
	"a row more": func(rng *rand.Rand, n int, r *Result) bool {
		i := rng.IntN(n)
		at, in := slices.BinarySearch(r.Keep, i)
		if !in {
			r.Keep = slices.Insert(r.Keep, at, i)
			r.Weight++
		}
		return !in
	},
	"a row twice": func(rng *rand.Rand, n int, r *Result) bool {
		r.Keep = append(r.Keep, r.Keep[len(r.Keep)-1])
		r.Weight++
		return true
	},
	"a row that does not exist": func(rng *rand.Rand, n int, r *Result) bool {
		r.Keep = append(r.Keep, n)
		r.Weight++
		return true
	},
	"a weight": func(rng *rand.Rand, n int, r *Result) bool {
		r.Weight++
		return true
	},
	"a bound": func(rng *rand.Rand, n int, r *Result) bool {
		r.Certified--
		return true
	},
	"no number for a bound": func(rng *rand.Rand, n int, r *Result) bool {
		r.Certified = math.NaN()
		return true
	},
	"a clique less": func(rng *rand.Rand, n int, r *Result) bool {
		c := r
		if len(c.Cliques) < 2 { // half a clique proves as much, rounded down
			return false
		}
		c.Cliques = c.Cliques[2:]
		return true
	},
	"a larger amount": func(rng *rand.Rand, n int, r *Result) bool {
		c := r.Cliques
		if len(c) == 0 {
			return false
		}
		c[rng.IntN(len(c))].Amount += 1
		return true
	},
	"no amount": func(rng *rand.Rand, n int, r *Result) bool {
		r.Cliques = append(r.Cliques, Clique{
			Rows:   []int{0},
			Amount: math.NaN(),
		})
		return true
	},
	"an amount that is no multiple of 1/2": func(rng *rand.Rand, n int, r *Result) bool {
		c := r
		c.Cliques = append(c.Cliques, Clique{Rows: []int{rng.IntN(n)}, Amount: 0.25})
		return true
	},
	"a row in a clique with itself": func(rng *rand.Rand, n int, r *Result) bool {
		i := rng.IntN(n)
		r.Cliques = append(r.Cliques, Clique{
			Rows:   []int{i, i},
			Amount: 0.5,
		})
		return true
	},
	"no rows": func(rng *rand.Rand, n int, r *Result) bool {
		r.Cliques = append(r.Cliques, Clique{Amount: 0.5})
		return true
	},
	"a clique of kept rows": func(rng *rand.Rand, n int, r *Result) bool {
		if len(r.Keep) < 2 {
			return false
		}
		r.Cliques = append(r.Cliques, Clique{Rows: r.Keep[:2], Amount: 0.5})
		return true
	},
	"a clique of rows that do not exist": func(rng *rand.Rand, n int, r *Result) bool {
		r.Cliques = append(r.Cliques, Clique{
			Rows:   []int{-1, n},
			Amount: 0.5,
		})
		return true
	},
}

func TestVerifyRejects(t *testing.T) {
	for name, corrupt := range corruptions {
		t.Run(name, func(t *testing.T) {
			rejected := 0
			for number := range uint64(400) {
				rng := rand.New(rand.NewPCG(21, number))
				in, _ := newWeighted(rng, 2+rng.IntN(14), 1+rng.IntN(3))
				r, err := in.adversarial().Solve(t.Context(), in.x, in.y, nil)
				if err != nil {
					t.Fatal(err)
				}
				if !corrupt(rng, len(in.y), r) {
					continue
				}
				if err := in.adversarial().Verify(
					t.Context(), in.x, in.y, nil, r,
				); !errors.Is(err, proof.ErrProof) {
					t.Fatalf("instance %d: error %v, want ErrProof\n%+v\n%v", number, err, r, in)
				}
				rejected++
			}
			if rejected < 100 {
				t.Errorf("only %d instances", rejected)
			}
		})
	}
}

func TestVerifyRejectsNil(t *testing.T) {
	x, y := mat.NewDense(2, 1, []float64{0, 1}), []int{0, 1}
	if err := (Adversarial{}).Verify(t.Context(), x, y, nil, nil); !errors.Is(err, proof.ErrProof) {
		t.Errorf("Verify = %v, want %v", err, proof.ErrProof)
	}
}
