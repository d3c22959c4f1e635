package attack_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
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

// decided compares a result with those of RobustAt and of another number of workers.
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

// TestRulesOfOddPrices asks where a feature is nearly free and one may not fall: rows violated by
// less than the program of bisectors can mend must not be added for ever.
func TestRulesOfOddPrices(t *testing.T) {
	t.Parallel()
	c, err := classifier.TrainKNN(t.Context(), mat.NewDense(5, 3, []float64{
		454128.05342019885, -1.496563658833816, -182023.08673125354,
		-193684.42470654444, 0.726166660178381, 203213.5102284138,
		-357655.1966762232, 0.10152845871058558, 174838.67201618024,
		-295174.6677089892, -0.24677716406702166, -5897.307360405237,
		966016.0983437381, 1.691498718400125, -86294.17396985668,
	}), []int{0, 2, 2, 0, 0}, classifier.KNNOptions{K: 3})
	if err != nil {
		t.Fatal(err)
	}
	inf := math.Inf(1)
	a := &attack.RegionBased{Classifier: c, Options: attack.Options{
		Norm:   polytope.L2,
		Target: new(2),
		Domain: polytope.Box{
			{Lo: 524288, Hi: 1.2281600983437381e+06},
			{Lo: -inf, Hi: inf},
			{Lo: -20758.17396985668, Hi: 268749.5102284138},
		},
		Features: []attack.Feature{
			{Up: 1e-9, Down: 1e-9, MaxUp: 2.0766870031165827},
			{Up: 3, Down: inf, MaxDown: .5, MaxDownPart: .1},
			{MaxUpPart: 3},
		},
	}}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	r, err := a.RobustAt(ctx, []float64{524288, 4, -262144}, 543014406732.9194)
	if err != nil || ctx.Err() != nil {
		t.Fatalf("%+v, %v after %v", r, err, ctx.Err())
	}
}
