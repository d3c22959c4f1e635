package attack_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestRulesAgainstEnumeration compares distances under rules of moves with those of all cells, grid
// values and categories.
func TestRulesAgainstEnumeration(t *testing.T) {
	t.Parallel()
	for k, kind := range ruleKinds {
		for _, norm := range []polytope.Norm{polytope.LInf, polytope.L1, polytope.L2, polytope.L0} {
			t.Run(fmt.Sprintf("%s/norm=%v", kind, norm), func(t *testing.T) {
				t.Parallel()
				answered := 0
				n := racetest.Count(200, 5000)
				for number := range uint64(n) {
					in := drawRuled(t, rand.New(rand.NewPCG(number, uint64(10*k)+uint64(norm))), kind, norm)
					truth := in.nearest(func([]int) bool { return true })
					if truth < math.Inf(1) {
						answered++
					}
					in.check(t, number, truth)
				}
				if answered < n/4 {
					t.Errorf("%d of %d instances have an answer", answered, n)
				}
			})
		}
	}
}

// check attacks an instance in many ways.
func (in *ruledInstance) check(t *testing.T, number uint64, truth float64) {
	t.Helper()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("instance %d: %s\nx %v, from %d, norm %v, domain %v\nrules %+v", number, fmt.Sprintf(format, args...), in.x, in.from, in.norm, in.domain, in.rules)
	}
	a := &attack.RegionBased{Classifier: in.c, Options: in.options()}
	a.Workers = 1
	r, err := a.Perturb(t.Context(), in.x)
	if err != nil {
		fail("%v", err)
	}
	tol := 1e-9 * max(1, min(truth, 1e300))
	switch {
	case math.IsInf(truth, 1):
		if r.Example != nil || !r.Optimal || !math.IsInf(r.Bound, 1) {
			fail("%+v, want none", r)
		}
	case !r.Optimal || math.Abs(r.Distance-truth) > tol || r.Bound > truth+1e-12*max(1, truth):
		fail("%+v, want distance %v", r, truth)
	}
	if r.Example != nil {
		if err := in.broken(r.Example); err != nil || in.c.Predict(r.Example) != r.Label || !in.reaches(r.Label) {
			fail("%+v: %v", r, err)
		}
	}
	b := &attack.RegionBased{Classifier: in.c, Options: in.options()}
	b.Workers = 3
	again, err := b.Perturb(t.Context(), in.x)
	if err != nil || again.Distance != r.Distance || !sameInput(again.Example, r.Example) {
		fail("%+v with three workers (%v), %+v with one", again, err, r)
	}
	in.checkRadii(t, fail, a, truth)
	in.checkLimits(t, fail, truth)
}

func sameInput(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(v, w float64) bool { return v == w || (math.IsNaN(v) && math.IsNaN(w)) })
}

// checkRadii asks about radii on both sides of the truth.
func (in *ruledInstance) checkRadii(t *testing.T, fail func(string, ...any), a *attack.RegionBased, truth float64) {
	for _, radius := range []float64{truth * 0.99, truth * 1.01, 0.5} {
		if radius == 0 || math.IsInf(radius, 1) {
			radius = 0.25
		}
		if math.Abs(truth-radius) < 1e-8 || math.Abs(truth-radius/2) < 1e-8 {
			continue // answers at the radius itself count as within
		}
		robust, err := a.RobustAt(t.Context(), in.x, radius)
		if err != nil || robust != (truth > radius) {
			fail("robust at %v: %t, %v, the nearest is at %v", radius, robust, err, truth)
		}
		byRadii := &attack.RegionBased{Classifier: in.c, Options: in.options()}
		byRadii.Radii = []float64{radius / 2, radius}
		r, err := byRadii.Perturb(t.Context(), in.x)
		if err != nil {
			fail("%v", err)
		}
		for _, radius := range byRadii.Radii {
			if v := r.RobustAt(radius); v != map[bool]attack.Verdict{true: attack.Robust, false: attack.NotRobust}[truth > radius] {
				fail("radius %v by radii: %v, the nearest is at %v", radius, v, truth)
			}
		}
	}
}

// checkLimits ends searches early: bounds are never too high.
func (in *ruledInstance) checkLimits(t *testing.T, fail func(string, ...any), truth float64) {
	for _, o := range []attack.Options{{MaxNodes: 1}, {MaxNodes: 3}, {Gap: 0.5}, {MaxOpen: 1}} {
		a := &attack.RegionBased{Classifier: in.c, Options: in.options()}
		a.MaxNodes, a.Gap, a.MaxOpen, a.Workers = o.MaxNodes, o.Gap, o.MaxOpen, 1
		r, err := a.Perturb(t.Context(), in.x)
		if err != nil || r.Bound > truth+1e-12*max(1, truth) || r.Distance < truth-1e-9*max(1, truth) {
			fail("%+v (%v) at a limit, the nearest is at %v", r, err, truth)
		}
		if o.Gap > 0 && r.Example != nil && r.Distance > truth+o.Gap+1e-9 {
			fail("%+v with gap %v, the nearest is at %v", r, o.Gap, truth)
		}
	}
}

// broken returns an error if an input breaks the rules.
func (in *ruledInstance) broken(z []float64) error {
	features, choices := in.choicesOf()
	for i, members := range features {
		j := members[0]
		r, v := in.rules[j], make([]float64, len(members))
		for k, j := range members {
			v[k] = z[j]
		}
		lo, hi := in.ends(j)
		switch {
		case slices.ContainsFunc(choices[i], func(c choice) bool { return sameInput(c.values, v) }):
		case r.Group == 0 && !r.Frozen && (r.Step > 0 || r.Categorical) && slices.Contains(in.values(j), z[j]):
		case r.Group == 0 && !r.Frozen && r.Step == 0 && !r.Categorical && z[j] >= lo && z[j] <= hi && in.cost(j, z[j]) < math.Inf(1):
		default:
			return fmt.Errorf("features %v must not be %v", members, v)
		}
	}
	return nil
}
