package attack_test

import (
	"errors"
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

func contains(all, some []int) bool {
	return !slices.ContainsFunc(some, func(j int) bool { return !slices.Contains(all, j) })
}

// TestCounterfactualsAgainstEnumeration compares each answer with the nearest of all inputs that do
// not change all that an earlier one changes.
func TestCounterfactualsAgainstEnumeration(t *testing.T) {
	t.Parallel()
	for k, kind := range instance.RuleKinds {
		for _, norm := range instance.Measures() {
			t.Run(fmt.Sprintf("%s/norm=%v", kind, norm), func(t *testing.T) {
				t.Parallel()
				several := 0
				n := racetest.Count(50, 1000)
				for number := range uint64(n) {
					in := instance.DrawRuled(t,
						rand.New(rand.NewPCG(number, uint64(1000+10*k)+uint64(norm))), kind, norm)
					if checkCounterfactuals(t, in, number) > 1 {
						several++
					}
				}
				if several < n/100 {
					t.Errorf("%d of %d instances have several answers", several, n)
				}
			})
		}
	}
}

func checkCounterfactuals(t *testing.T, in *instance.Ruled, number uint64) int {
	a := &attack.RegionBased{Classifier: in.C, Options: in.Options()}
	a.Workers = 1 + int(number%3)
	const most = 4
	all, err := a.Counterfactuals(t.Context(), in.X, most)
	if err != nil {
		t.Fatalf("instance %d: %v\n%+v", number, err, in)
	}
	results := all.Found
	if len(results) < most {
		results = append(results, instance.Others(all))
	}
	var earlier [][]int
	for i, r := range results {
		truth := in.Nearest(func(changed []int) bool {
			return !slices.ContainsFunc(earlier, func(e []int) bool { return contains(changed, e) })
		})
		if math.IsInf(truth, 1) {
			if r.Example != nil || !r.Optimal() || i != len(results)-1 {
				t.Fatalf("instance %d: answer %d of %d is %+v, want none\n%+v",
					number, i, len(results), r, in)
			}
			return i
		}
		if tol := 1e-9 * max(1, truth); math.Abs(r.Distance-truth) > tol || !r.Optimal() ||
			r.Bound > truth+tol {
			t.Fatalf("instance %d: answer %d is %+v, want distance %v; before it %v\n%+v",
				number, i, r, truth, earlier, in)
		}
		if err := in.Broken(r.Example); err != nil || in.C.Predict(r.Example) != r.Label ||
			!in.Answers(r.Example) {
			t.Fatalf("instance %d: answer %d is %+v: %v\n%+v", number, i, r, err, in)
		}
		earlier = append(earlier, in.Changes(r.Example))
	}
	return len(results)
}

// TestCounterfactualOptions: options without a meaning are refused, and a limit leaves bounds.
func TestCounterfactualOptions(t *testing.T) {
	in := instance.DrawRuled(t, rand.New(rand.NewPCG(3, 3)), "prices", polytope.L1)
	a := &attack.RegionBased{Classifier: in.C}
	if _, err := a.Counterfactuals(t.Context(), in.X, 0); !errors.Is(err, classifier.ErrOption) {
		t.Errorf("no answers: %v", err)
	}
	a = &attack.RegionBased{
		Classifier: neighbors(t, mat.NewDense(2, 1, []float64{0, 1}), []int{0, 1}),
	}
	r, err := a.Counterfactuals(t.Context(), []float64{0}, 1)
	if err != nil || len(r.Found) != 1 || math.Abs(r.Found[0].Distance-0.5) > 1e-9 ||
		!r.Found[0].Optimal() {
		t.Errorf("nearest neighbours: %+v, %v, want one at 1/2", r, err)
	}
	a = &attack.RegionBased{Classifier: in.C, Options: attack.Options{Timeout: time.Nanosecond}}
	r, err = a.Counterfactuals(t.Context(), in.X, 3)
	if err != nil || len(r.Found) > 0 || r.Bound != 0 || r.Status == attack.StatusNone {
		t.Errorf("no time: %+v, %v", r, err)
	}
}

// TestCounterfactualsDoWithout: two answers lie at one distance, but for rounding, of which the one
// that is found first moves a feature by its last digit, which the other does without.
func TestCounterfactualsDoWithout(t *testing.T) {
	leaf := func(values ...float64) classifier.TreeNode {
		return classifier.TreeNode{Feature: -1, Left: -1, Right: -1, Value: values}
	}
	c, err := classifier.NewTree(2, classifier.AtMostFloat64, []classifier.TreeNode{
		{Feature: 1, Threshold: -0.4, Left: 1, Right: 2, Value: []float64{1, 1}}, leaf(0, 1),
		{Feature: 0, Threshold: 0.3, Left: 3, Right: 4, Value: []float64{1, 1}}, leaf(0, 1),
		leaf(1, 0),
	})
	if err != nil {
		t.Fatal(err)
	}
	a := attack.RegionBased{Classifier: c, Options: attack.Options{
		Norm: polytope.L1, Linear: []polytope.HalfSpace{{A: []float64{-1, 1}, B: -0.125}},
	}}
	found, err := a.Counterfactuals(t.Context(), []float64{0.3, 0.2}, 3)
	if err != nil || len(found.Found) != 1 || found.Status != attack.StatusNone ||
		!slices.Equal(found.Found[0].Example, []float64{0.325, 0.2}) {
		t.Errorf("%+v, %v, want the first feature moved, and none besides", found, err)
	}
}

// TestCounterfactualsUnderLimits: where limits, or a gap, end searches, answers are in order, none
// changes all that an earlier one changes, and bounds hold of the answers that an enumeration finds
// left.
func TestCounterfactualsUnderLimits(t *testing.T) {
	t.Parallel()
	norms := instance.Measures()
	for number := range uint64(instance.Count(2000, 200_000)) {
		rng := rand.New(rand.NewPCG(number, 1001))
		kind := instance.RuleKinds[rng.IntN(len(instance.RuleKinds))]
		in := instance.DrawRuled(t, rng, kind, norms[rng.IntN(len(norms))])
		a := &attack.RegionBased{Classifier: in.C, Options: in.Options()}
		if a.MaxNodes = rng.IntN(4); rng.IntN(3) == 0 {
			a.Gap = 2 * rng.Float64()
		}
		all, err := a.Counterfactuals(t.Context(), in.X, 4)
		if err != nil {
			t.Fatalf("instance %d: %v", number, err)
		}
		results := append(all.Found, instance.Others(all))
		var earlier [][]int
		for i, r := range results {
			fatal := func(format string, args ...any) {
				t.Helper()
				t.Fatalf("instance %d, %s, answer %d of %+v, before it %v: %s",
					number, kind, i, results, earlier, fmt.Sprintf(format, args...))
			}
			changesAll := func(changed []int) bool {
				return slices.ContainsFunc(earlier,
					func(e []int) bool { return contains(changed, e) })
			}
			truth := in.Nearest(func(changed []int) bool { return !changesAll(changed) })
			if r.Bound > truth+1e-12*max(1, truth) {
				fatal("an input that is left lies at %v", truth)
			}
			if r.Example == nil {
				continue
			}
			changed := in.Changes(r.Example)
			if len(earlier) > 0 && changesAll(changed) {
				fatal("it changes %v", changed)
			}
			if i > 0 && r.Distance < results[i-1].Distance {
				fatal("it is nearer than the one before")
			}
			earlier = append(earlier, changed)
		}
	}
}
