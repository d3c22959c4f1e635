package boxtree_test

import (
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// TestTreesOfOtherClasses: where each tree adds to one of many classes, the search for one of them
// leaves out the trees of others, and the nearest answer is that of all intervals.
func TestTreesOfOtherClasses(t *testing.T) {
	t.Parallel()
	for number := range uint64(racetest.Scale(instance.Count(400, 6000))) {
		rng := rand.New(rand.NewPCG(number, 836))
		dim, classes := 1+rng.IntN(3), 5+rng.IntN(4)
		draw := func() float64 { return float64(rng.IntN(7) - 3) }
		var members []*classifier.Tree
		for i := range classes * (1 + rng.IntN(3)) {
			calls := 0
			value := func() float64 {
				if calls++; (calls-1)%classes != i%classes {
					return 0
				}
				return float64(rng.IntN(9)-4) / 4
			}
			members = append(members, instance.GrowTree(
				t, rng, classifier.Comparison(number%4), dim, classes, 2, draw, value))
		}
		e, err := classifier.NewEnsemble(members, classifier.EnsembleOptions{
			Vote: []classifier.Vote{classifier.SoftmaxVote, classifier.SumVote}[rng.IntN(2)],
			Base: make([]float64, classes),
		})
		if err != nil {
			t.Fatal(err)
		}
		in := instance.Ensemble{Ensemble: e}
		for range dim {
			in.Query = append(in.Query, draw()+rng.Float64()/2)
		}
		norm := instance.Norms()[rng.IntN(3)]
		truth := in.Radius(norm)
		for _, c := range []classifier.Classifier{e, large{e, int(number % 3)}} {
			a := &attack.RegionBased{
				Classifier: c, Options: attack.Options{Norm: norm, Workers: 1},
			}
			r, err := a.Perturb(t.Context(), in.Query)
			if err != nil {
				t.Fatalf("instance %d: %v", number, err)
			}
			if err := instance.CheckExact(t, e, norm, in.Query, r, truth); err != nil {
				t.Fatalf("instance %d: %v", number, err)
			}
			if !alike(r.Distance, truth) {
				t.Fatalf("instance %d: distance %v, want %v", number, r.Distance, truth)
			}
		}
	}
}
