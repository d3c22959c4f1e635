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
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// changes returns the features, or the first ones of groups, that z changes.
func (in *ruledInstance) changes(z []float64) (changed []int) {
	features, _ := in.choicesOf()
	for _, members := range features {
		if slices.ContainsFunc(members, func(j int) bool { return !sameInput(z[j:j+1], in.x[j:j+1]) }) {
			changed = append(changed, members[0])
		}
	}
	return changed
}

func contains(all, some []int) bool {
	return !slices.ContainsFunc(some, func(j int) bool { return !slices.Contains(all, j) })
}

// TestCounterfactualsAgainstEnumeration compares each answer with the nearest of all inputs that do
// not change all that an earlier one changes.
func TestCounterfactualsAgainstEnumeration(t *testing.T) {
	t.Parallel()
	for k, kind := range ruleKinds {
		for _, norm := range []polytope.Norm{polytope.LInf, polytope.L1, polytope.L2, polytope.L0} {
			t.Run(fmt.Sprintf("%s/norm=%v", kind, norm), func(t *testing.T) {
				t.Parallel()
				several := 0
				n := racetest.Count(100, 1000)
				for number := range uint64(n) {
					in := drawRuled(t, rand.New(rand.NewPCG(number, uint64(1000+10*k)+uint64(norm))), kind, norm)
					if in.checkCounterfactuals(t, number) > 1 {
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

func (in *ruledInstance) checkCounterfactuals(t *testing.T, number uint64) int {
	a := &attack.RegionBased{Classifier: in.c, Options: in.options()}
	a.Workers = 1 + int(number%3)
	const most = 4
	results, err := a.Counterfactuals(t.Context(), in.x, most)
	if err != nil || len(results) == 0 {
		t.Fatalf("instance %d: %d results, %v\n%+v", number, len(results), err, in)
	}
	var earlier [][]int
	for i, r := range results {
		truth := in.nearest(func(changed []int) bool {
			return !slices.ContainsFunc(earlier, func(e []int) bool { return contains(changed, e) })
		})
		if math.IsInf(truth, 1) {
			if r.Example != nil || !r.Optimal || i != len(results)-1 {
				t.Fatalf("instance %d: answer %d of %d is %+v, want none\n%+v", number, i, len(results), r, in)
			}
			return i
		}
		if tol := 1e-9 * max(1, truth); math.Abs(r.Distance-truth) > tol || !r.Optimal || r.Bound > truth+tol {
			t.Fatalf("instance %d: answer %d is %+v, want distance %v; before it %v\n%+v", number, i, r, truth, earlier, in)
		}
		if err := in.broken(r.Example); err != nil || in.c.Predict(r.Example) != r.Label || !in.reaches(r.Label) {
			t.Fatalf("instance %d: answer %d is %+v: %v\n%+v", number, i, r, err, in)
		}
		earlier = append(earlier, in.changes(r.Example))
	}
	if len(results) < most {
		t.Fatalf("instance %d: %d results, of which the last has an example\n%+v", number, len(results), in)
	}
	return len(results)
}

// TestCounterfactualOptions: what makes no sense is refused, and a limit leaves bounds.
func TestCounterfactualOptions(t *testing.T) {
	in := drawRuled(t, rand.New(rand.NewPCG(3, 3)), "prices", polytope.L1)
	a := &attack.RegionBased{Classifier: in.c}
	if _, err := a.Counterfactuals(t.Context(), in.x, 0); !errors.Is(err, attack.ErrOption) {
		t.Errorf("no answers: %v", err)
	}
	a = &attack.RegionBased{Classifier: in.c, Options: attack.Options{Radii: []float64{1}}}
	if _, err := a.Counterfactuals(t.Context(), in.x, 1); !errors.Is(err, attack.ErrOption) {
		t.Errorf("radii: %v", err)
	}
	a = &attack.RegionBased{Classifier: neighbors(t, mat.NewDense(2, 1, []float64{0, 1}), []int{0, 1})}
	if _, err := a.Counterfactuals(t.Context(), []float64{0}, 1); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("nearest neighbours: %v", err)
	}
	a = &attack.RegionBased{Classifier: in.c, Options: attack.Options{Timeout: time.Nanosecond}}
	r, err := a.Counterfactuals(t.Context(), in.x, 3)
	if err != nil || len(r) != 1 || r[0].Example != nil || r[0].Bound != 0 || r[0].Optimal {
		t.Errorf("no time: %+v, %v", r, err)
	}
}
