package attack_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// TestRulesAgainstEnumeration compares distances under rules of moves with those of all cells, grid
// values and categories.
func TestRulesAgainstEnumeration(t *testing.T) {
	t.Parallel()
	for k, kind := range instance.RuleKinds {
		for _, norm := range instance.Measures() {
			t.Run(fmt.Sprintf("%s/norm=%v", kind, norm), func(t *testing.T) {
				t.Parallel()
				answered := 0
				n := racetest.Count(100, 5000)
				if kind == "sets" {
					n = racetest.Count(100, 50_000)
				}
				for number := range uint64(n) {
					in := instance.DrawRuled(t,
						rand.New(rand.NewPCG(number, uint64(10*k)+uint64(norm))), kind, norm)
					truth := in.Nearest(func([]int) bool { return true })
					if truth < math.Inf(1) {
						answered++
					}
					checkRuled(t, in, number, truth)
				}
				if answered < n/4 && !racetest.Enabled { // which draws few
					t.Errorf("%d of %d instances have an answer", answered, n)
				}
			})
		}
	}
}

// check attacks an instance in many ways.
func checkRuled(t *testing.T, in *instance.Ruled, number uint64, truth float64) {
	t.Helper()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("instance %d: %s\nx %v, from %d, norm %v, domain %v\nrules %+v",
			number, fmt.Sprintf(format, args...), in.X, in.From, in.Norm, in.Domain, in.Rules)
	}
	a := &attack.RegionBased{Classifier: in.C, Options: in.Options()}
	a.Workers = 1
	r, err := a.Perturb(t.Context(), in.X)
	if err != nil {
		fail("%v", err)
	}
	tol := 1e-9 * max(1, min(truth, 1e300))
	switch {
	case math.IsInf(truth, 1):
		if r.Example != nil || !r.Optimal() || !math.IsInf(r.Bound, 1) {
			fail("%+v, want none", r)
		}
	case !r.Optimal() || math.Abs(r.Distance-truth) > tol || r.Bound > truth+1e-12*max(1, truth):
		fail("%+v, want distance %v", r, truth)
	}
	if r.Example != nil {
		if err := in.Broken(r.Example); err != nil || in.C.Predict(r.Example) != r.Label ||
			!in.Answers(r.Example) {
			fail("%+v: %v", r, err)
		}
	}
	b := &attack.RegionBased{Classifier: in.C, Options: in.Options()}
	b.Workers = 3
	again, err := b.Perturb(t.Context(), in.X)
	if err != nil || again.Distance != r.Distance || !instance.SameInput(again.Example, r.Example) {
		fail("%+v with three workers (%v), %+v with one", again, err, r)
	}
	checkRuledRadii(t, in, fail, a, truth)
	checkRuledLimits(t, in, fail, truth)
}

// checkRuledRadii asks about radii on both sides of the truth.
func checkRuledRadii(
	t *testing.T, in *instance.Ruled, fail func(string, ...any), a *attack.RegionBased,
	truth float64,
) {
	for _, radius := range []float64{truth * 0.99, truth * 1.01, 0.5} {
		if radius == 0 || math.IsInf(radius, 1) {
			radius = 0.25
		}
		if math.Abs(truth-radius) < 1e-8 || math.Abs(truth-radius/2) < 1e-8 {
			continue // answers at the radius itself count as within
		}
		robust, err := verdictAt(t.Context(), a, in.X, radius)
		want := attack.Refuted
		if truth > radius {
			want = attack.Holds
		}
		if err != nil || robust != want {
			fail("robust at %v: %v, %v, the nearest is at %v", radius, robust, err, truth)
		}
		byRadii := &attack.RegionBased{Classifier: in.C, Options: in.Options()}
		r, err := byRadii.RobustAt(t.Context(), in.X, radius/2, radius)
		if err != nil {
			fail("%v", err)
		}
		for _, radius := range []float64{radius / 2, radius} {
			if v := r.Verdict(radius); v != map[bool]attack.Verdict{
				true:  attack.Holds,
				false: attack.Refuted,
			}[truth > radius] {
				fail("radius %v by radii: %v, the nearest is at %v", radius, v, truth)
			}
		}
	}
}

// checkRuledLimits ends searches early: bounds are never too high.
func checkRuledLimits(t *testing.T, in *instance.Ruled, fail func(string, ...any), truth float64) {
	for _, o := range []attack.Options{{MaxNodes: 1}, {MaxNodes: 3}, {Gap: 0.5}, {MaxMemory: 1}} {
		a := &attack.RegionBased{Classifier: in.C, Options: in.Options()}
		a.MaxNodes, a.Gap, a.MaxMemory, a.Workers = o.MaxNodes, o.Gap, o.MaxMemory, 1
		r, err := a.Perturb(t.Context(), in.X)
		if err != nil || r.Bound > truth+1e-12*max(1, truth) ||
			r.Distance < truth-1e-9*max(1, truth) {
			fail("%+v (%v) at a limit, the nearest is at %v", r, err, truth)
		}
		if o.Gap > 0 && r.Example != nil && r.Distance > truth+o.Gap+1e-9 {
			fail("%+v with gap %v, the nearest is at %v", r, o.Gap, truth)
		}
	}
}
