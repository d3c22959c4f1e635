package boxtree_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

func TestExactEnsemblesAgainstEnumeration(t *testing.T) {
	t.Parallel()
	for _, norm := range instance.Norms() {
		t.Run("norm="+norm.String(), func(t *testing.T) {
			t.Parallel()
			want := instance.Count(1500, 5000)
			compared := 0
			for number := uint64(0); compared < want; number++ {
				rng := rand.New(rand.NewPCG(number, 70+uint64(norm)))
				in := instance.DrawEnsemble(t, rng)
				if in.Target != nil && *in.Target == in.Ensemble.Predict(in.Query) {
					continue
				}
				compared++
				truth := intervalRadius(in, norm)
				o := attack.Options{Norm: norm, Target: in.Target, Domain: in.Box, Workers: 1}
				a := &attack.RegionBased{Classifier: in.Ensemble, Options: o}
				switch number % 5 {
				case 0:
					a.Workers = 3
				case 1:
					a.Classifier = instance.Listed{Decomposable: in.Ensemble}
				}
				r, err := a.Perturb(t.Context(), in.Query)
				if err != nil {
					t.Fatalf("instance %d: %v", number, err)
				}
				if err := instance.CheckExact(
					t, in.Ensemble, norm, in.Query, r, truth,
				); err != nil {
					t.Fatalf("instance %d: %v", number, err)
				}
				if !math.IsInf(truth, 1) && math.Abs(r.Distance-truth) > 1e-12 {
					t.Fatalf("instance %d: distance %v, want %v", number, r.Distance, truth)
				}
			}
		})
	}
}

// TestEnsembleWorkersAgree repeats attacks on a forest, whose equal distances are
// many, with several workers.
func TestEnsembleWorkersAgree(t *testing.T) {
	for number := range uint64(racetest.Scale(500)) {
		in := instance.DrawEnsemble(t, rand.New(rand.NewPCG(number, 80)))
		if in.Target != nil && *in.Target == in.Ensemble.Predict(in.Query) {
			continue
		}
		var first attack.Result
		for i, workers := range []int{1, 2, 8} {
			a := &attack.RegionBased{
				Classifier: in.Ensemble,
				Options:    attack.Options{Target: in.Target, Domain: in.Box, Workers: workers},
			}
			r, err := a.Perturb(t.Context(), in.Query)
			if err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				first = r
			}
			if !slices.Equal(r.Example, first.Example) || r.Bound != first.Bound ||
				r.Label != first.Label {
				t.Fatalf("instance %d, %d workers: %+v, with one %+v", number, workers, r, first)
			}
		}
	}
}
