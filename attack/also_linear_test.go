package attack_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestAlsoUnderLinearRules compares what two classifiers accept under linear rules with exact
// arithmetic over all joint cells.
func TestAlsoUnderLinearRules(t *testing.T) {
	t.Parallel()
	for _, norm := range instance.Norms() {
		t.Run("norm="+norm.String(), func(t *testing.T) {
			t.Parallel()
			open, found, count := 0, 0, instance.Count(40, 1000)
			for i := range uint64(count) {
				rng := rand.New(rand.NewPCG(i, uint64(4600+norm)))
				left, r, err := linearAlso(t, rng, norm)
				if err != nil {
					t.Fatalf("instance %d: %v", i, err)
				}
				open += left
				if r.Example != nil {
					found++
				}
			}
			if open > count/4 || found < count/10 {
				t.Errorf("of %d, %d were left open, and %d have an answer", count, open, found)
			}
		})
	}
}

// linearAlso returns 1 if the nearest input is not known, in float64, and need not be.
func linearAlso(t *testing.T, rng *rand.Rand, norm polytope.Norm) (int, attack.Result, error) {
	c, trees, x, _, box := drawTied(t, rng)
	also, others, other, _, _ := drawTied(t, rng)
	for len(other) != len(x) {
		also, others, other, _, _ = drawTied(t, rng)
	}
	features := instance.DrawRealRules(rng, "all", norm, len(x))
	linear, thin := instance.DrawLinear(rng, len(x))
	from, label := c.Predict(x), also.Predict(x)
	if rng.IntN(3) == 0 {
		label = rng.IntN(also.Classes())
	}
	q := instance.Priced(norm, x, features, box)
	q.Linear = instance.Halves(linear)
	truth := instance.Cost(norm, instance.NearestTied(q, features, slices.Concat(trees, others),
		func(z []float64) bool { return c.Predict(z) != from && also.Predict(z) == label }))
	a := &attack.RegionBased{Classifier: c, Options: attack.Options{
		Norm: norm, Domain: box, Features: features, Linear: linear, Workers: 1 + rng.IntN(2),
		Also: []attack.Requirement{{Classifier: also, Labels: []int{label}}},
	}}
	r, err := a.Perturb(t.Context(), x)
	open := 0
	if err == nil && r.Example != nil && also.Predict(r.Example) != label {
		err = fmt.Errorf("the other one says %d", also.Predict(r.Example))
	}
	if err == nil {
		// Cells of two classifiers under a rule can be as thin as the rules.
		thin = thin || r.Status == attack.StatusCoarse
		open, err = instance.CheckLinear(t, c, q, linear, thin, r, truth)
	}
	if err != nil {
		err = fmt.Errorf("%w\n%T and %T, x %v, domain %v\nfeatures %+v\nlinear %+v\n%+v, truth %v",
			err, c, also, x, box, features, linear, r, truth)
	}
	return open, r, err
}
