package attack_test

import (
	"math"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// TestApproxForests compares RBA-Approx on forests, 100 cells a point, with Table 1.
func TestApproxForests(t *testing.T) {
	t.Parallel()
	if racetest.Enabled {
		return // one worker has nobody to race with
	}
	printed := map[string]float64{
		"australian": .446,
		"cancer":     .383,
		"diabetes":   .184,
		"fourclass":  .133,
		"halfmoon":   .149,
	}
	fixture.Each(t, func(t *testing.T, c fixture.Case) {
		t.Parallel()
		a := &attack.RegionBased{
			Classifier: instance.ReadForest(t, c, "rf"), Points: c.Set.Train,
			Options: attack.Options{Mode: attack.Approx, Regions: 100, Workers: 1},
		}
		points := c.Points(t)["rf"].X
		exact, sum := c.Exact(t)["rf_inf"], 0.0
		for i, x := range points {
			r, err := a.Perturb(t.Context(), x)
			if err != nil {
				t.Fatal(err)
			}
			if r.Distance < exact[i]-1e-9 || r.Bound != 0 {
				t.Errorf("point %d: distance %v, bound %v; the radius is %v",
					i, r.Distance, r.Bound, exact[i])
			}
			sum += r.Distance
		}
		if mean := sum / float64(len(points)); math.Abs(mean-printed[c.Set.Name]) > 0.001 {
			t.Errorf("mean distance %v, printed %v", mean, printed[c.Set.Name])
		}
	})
}
