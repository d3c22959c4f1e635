package boxtree_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

func TestExactEnsemblesAgainstEnumeration(t *testing.T) {
	t.Parallel()
	for _, norm := range instance.Norms() {
		t.Run("norm="+norm.String(), func(t *testing.T) {
			t.Parallel()
			want := instance.Count(3000, 16_000)
			compared := 0
			for number := uint64(0); compared < want; number++ {
				rng := rand.New(rand.NewPCG(number, 70+uint64(norm)))
				draw := instance.DrawEnsemble
				if number%2 == 1 {
					draw = drawBlurred
				}
				in := draw(t, rng)
				if in.Target != nil && *in.Target == in.Ensemble.Predict(in.Query) {
					continue
				}
				compared++
				truth := in.Radius(norm)
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

// drawBlurred draws up to four trees with thresholds that lie anywhere or on a grid, and beside it.
// Leaf values are anything, few that tie, or so small that probabilities blur them; some sides of
// domains are open.
func drawBlurred(t testing.TB, rng *rand.Rand) instance.Ensemble {
	dim, classes := 1+rng.IntN(3), 2+rng.IntN(3)
	threshold := rng.NormFloat64
	if rng.IntN(2) == 0 {
		threshold = func() float64 {
			v := float64(rng.IntN(7)-3) / 10
			if rng.IntN(5) == 0 {
				v = math.Nextafter(v, 1)
			}
			return v
		}
	}
	value := rng.NormFloat64
	if kind := rng.IntN(5); kind > 1 {
		unit := []float64{0x1p-26, 1. / 3, 1. / 3}[kind-2]
		value = func() float64 { return float64(rng.IntN(4)) * unit }
	}
	comparison := classifier.Comparison(rng.IntN(4))
	var trees []*classifier.Tree
	for range 1 + rng.IntN(4) {
		depth := 1 + rng.IntN(3)
		trees = append(trees,
			instance.GrowTree(t, rng, comparison, dim, classes, depth, threshold, value))
	}
	e, err := classifier.NewEnsemble(trees, instance.DrawVote(rng, classes))
	if err != nil {
		t.Fatal(err)
	}
	in := instance.Ensemble{Ensemble: e}
	for range dim {
		in.Query = append(in.Query, threshold())
	}
	if rng.IntN(3) == 0 {
		in.Target = new(rng.IntN(classes))
	}
	if rng.IntN(3) == 0 {
		in.Box = polytope.Cube(dim, -0.25, 0.2)
		for j := range in.Box {
			in.Box[j].LoOpen, in.Box[j].HiOpen = rng.IntN(2) == 0, rng.IntN(2) == 0
			if rng.IntN(3) == 0 {
				in.Box[j].Hi = math.Inf(1)
			}
		}
	}
	return in
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
