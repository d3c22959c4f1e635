package attack_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/internal/bestfirst"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
)

// looks is a context whose deadline passes after some looks at it.
type looks struct {
	context.Context
	taken, most int
}

func (l *looks) Err() error {
	if l.taken++; l.taken > l.most && l.most >= 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// TestCutShort: wherever a deadline passes, the claims are true, and a search that is asked to stop
// looks at the context no more than a few times.
func TestCutShort(t *testing.T) {
	t.Parallel()
	for _, set := range []string{"diabetes", "halfmoon"} {
		c := fixture.Open(t, set)
		for _, name := range []string{"1nn", "3nn", "rf"} {
			for _, norm := range norms {
				a := &attack.RegionBased{
					Classifier: instance.PaperModel(t, c, name),
					Options:    attack.Options{Norm: norm, Workers: 1},
				}
				for _, x := range c.Points(t)[name].X[:instance.Count(1, 3)] {
					if wrong := cutShort(t, a, x); wrong != "" {
						t.Errorf("%s, %s, %v, %v: %s", set, name, norm, x, wrong)
					}
				}
			}
		}
	}
}

// cutShort asks about a point, and about radii below and beyond its own, until a deadline passes
// here or there. It returns the faults of the results.
func cutShort(t *testing.T, a *attack.RegionBased, x []float64) string {
	const lateLooks = 60
	exact, err := a.Perturb(t.Context(), x)
	for _, share := range []float64{0.98, 1, 1.02} {
		radius := share * exact.Distance
		ask := func(most int) (r attack.Result, taken int) {
			ctx := &looks{t.Context(), 0, most}
			if share == 1 {
				r, err = a.Perturb(ctx, x)
			} else {
				r, err = a.RobustAt(ctx, x, radius)
			}
			return r, ctx.taken
		}
		_, all := ask(-1)
		for most := 0; most < all && err == nil; most += 1 + all/instance.Count(10, 100) {
			r, taken := ask(most)
			if what := untrue(r, exact, radius); what != "" || taken > most+lateLooks {
				return fmt.Sprintf("%s after %d of %d looks, and %d later: %+v, exact %+v",
					what, most, all, taken-most, r, exact)
			}
		}
		if err != nil {
			return err.Error()
		}
	}
	return ""
}

// untrue names a false claim of a result, "" if there is none.
func untrue(r, exact attack.Result, radius float64) string {
	tolerance := bestfirst.Tolerance * math.Max(1, exact.Distance)
	switch {
	case r.Bound > exact.Distance+tolerance:
		return "a bound beyond the nearest example"
	case r.Distance < exact.Bound-tolerance:
		return "an example nearer than there is one"
	case r.Verdict(radius) == attack.Holds && radius > exact.Distance+tolerance,
		r.Verdict(radius) == attack.Refuted && radius < exact.Bound-tolerance:
		return "a wrong verdict"
	}
	return ""
}
