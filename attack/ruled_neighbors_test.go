package attack_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestRulesOfNeighbors compares k-NN under each kind of rules about real features with exact
// arithmetic over all cells.
func TestRulesOfNeighbors(t *testing.T) {
	t.Parallel()
	for _, norm := range instance.Norms() {
		for number, kind := range instance.RealRules {
			t.Run("norm="+norm.String()+"/"+kind, func(t *testing.T) {
				t.Parallel()
				for i := range uint64(instance.Count(8, 5000)) {
					k := 1 + 2*int(i%2)
					if err := ruledNeighbors(
						t, rand.New(rand.NewPCG(i, uint64(100*number+10*int(norm)+k))), kind, norm,
						k,
					); err != nil {
						t.Fatalf("instance %d, k = %d: %v", i, k, err)
					}
				}
			})
		}
	}
}

func ruledNeighbors(t *testing.T, rng *rand.Rand, kind string, norm polytope.Norm, k int) error {
	in := instance.DrawNeighbors(rng)
	for len(in.X) < k || len(in.X) > 9-k { // the oracle takes long
		in = instance.DrawNeighbors(rng)
	}
	c := in.KNN(t, k)
	goal, ok := in.Goal(c)
	if !ok {
		return nil
	}
	features := instance.DrawRealRules(rng, kind, norm, len(in.Query))
	q := instance.Priced(norm, in.Query, features, in.Box)
	a := &attack.RegionBased{
		Classifier: c,
		Options: attack.Options{
			Norm:     norm,
			Target:   in.Target,
			Domain:   in.Box,
			Features: features,
			Workers:  1 + rng.IntN(2),
		},
	}
	r, err := a.Perturb(t.Context(), in.Query)
	if err != nil {
		return err
	}
	if rng.IntN(4) == 0 && r.Optimal() {
		decided(t, a.Options, c, in.Query, r)
	}
	if err := instance.CheckPriced(
		t, c, q, r, instance.Cost(norm, q.KNN(in.X, in.Y, k, goal)),
	); err != nil {
		t.Logf("%+v\nrules %+v", in, features)
		return err
	}
	return nil
}

// decided compares a result with what RobustAt and another number of workers say.
func decided(
	t *testing.T, o attack.Options, c classifier.Classifier, x []float64, r attack.Result,
) {
	t.Helper()
	o.Workers = 4 - o.Workers
	again, err := (&attack.RegionBased{Classifier: c, Options: o}).Perturb(t.Context(), x)
	if err != nil || again.Distance != r.Distance || again.Bound != r.Bound ||
		!slices.Equal(again.Example, r.Example) {
		t.Errorf("%d workers: %+v, %v, others %+v", o.Workers, again, err, r)
	}
	checkRobustAt(t, &attack.RegionBased{Classifier: c, Options: o}, x, r.Distance)
}
