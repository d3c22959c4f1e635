package attack_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/explain"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// forces says of each set of units whether it forces the label: what enumeration knows of reasons.
// Units are named by their first feature; of those that may be in a reason there are few.
type forces struct {
	units [][]int
	sets  []bool // by the bits of the units in it
}

// set returns the bits of features; false if they are not whole units.
func (f *forces) set(features []int) (bits int, ok bool) {
	n := 0
	for u, members := range f.units {
		if slices.Contains(features, members[0]) {
			bits |= 1 << u
			n += len(members)
			for _, j := range members {
				if !slices.Contains(features, j) {
					return 0, false
				}
			}
		}
	}
	return bits, n == len(features)
}

func (f *forces) weight(bits int, weights []float64) (sum float64) {
	for u, members := range f.units {
		if bits>>u&1 == 1 {
			sum++
			if weights != nil {
				sum += weights[members[0]] - 1
			}
		}
	}
	return sum
}

// minimal lists the sets that force the label, contain all of with and nothing of without, and of
// which none of the others can be left out.
func (f *forces) minimal(with, without int) (sets []int) {
	for s, forced := range f.sets {
		if !forced || s&with != with || s&without != 0 {
			continue
		}
		least := true
		for u := range f.units {
			if bit := 1 << u; s&bit&^with != 0 && f.sets[s&^bit] {
				least = false
			}
		}
		if least {
			sets = append(sets, s)
		}
	}
	return sets
}

// check compares the reasons of an attack with enumeration.
func (f *forces) check(
	t *testing.T, a attack.RegionBased, x []float64, rng *rand.Rand, fail func(string, ...any),
) {
	t.Helper()
	e := &explain.Explainer{
		Classifier: a.Classifier, Options: a.Options,
		Count: 1 + rng.IntN(4), Smallest: rng.IntN(2) == 0,
	}
	with, without := 0, 0
	for u, members := range f.units {
		switch rng.IntN(12) {
		case 0:
			e.With, with = append(e.With, members[rng.IntN(len(members))]), with|1<<u
		case 1:
			e.Without, without = append(e.Without, members[0]), without|1<<u
		}
	}
	if rng.IntN(3) == 0 {
		for range x {
			e.Weights = append(e.Weights, float64(1+rng.IntN(3))/2)
		}
	}
	reasons, err := e.Reasons(t.Context(), x)
	if err != nil {
		fail("%v", err)
	}
	left := f.minimal(with, without)
	for i, r := range reasons.Found {
		set, ok := f.set(r.Features)
		at := slices.Index(left, set)
		if !ok || at < 0 || r.Status != attack.StatusOptimal ||
			r.Weight != f.weight(set, e.Weights) {
			fail("%+v: reason %d is %+v, %b of %b", e, i, r, set, left)
		}
		lightest := slices.MinFunc(left, func(a, b int) int {
			return int(2*f.weight(a, e.Weights) - 2*f.weight(b, e.Weights))
		})
		if least := f.weight(lightest, e.Weights); r.Bound > least ||
			(e.Smallest && (r.Weight != least || !r.Smallest())) {
			fail("%+v: reason %d is %+v, the lightest weighs %v", e, i, r, least)
		}
		left = slices.Delete(left, at, at+1)
	}
	if all := len(reasons.Found) == e.Count; !all &&
		(len(left) > 0 || reasons.Status != attack.StatusNone || !math.IsInf(reasons.Bound, 1)) {
		fail("%+v: %+v, left are %b", e, reasons, left)
	}
}

// TestReasonsAgainstEnumeration compares reasons with all sets of features, for trees and ensembles
// with rules of all kinds.
func TestReasonsAgainstEnumeration(t *testing.T) {
	t.Parallel()
	for k, kind := range instance.RuleKinds {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			for number := range uint64(instance.Count(150, 8000)) {
				rng := rand.New(rand.NewPCG(number, uint64(100+k)))
				in := instance.DrawRuled(t, rng, kind, polytope.L1)
				a := attack.RegionBased{Classifier: in.C, Options: in.Options()}
				ruledForces(in).check(t, a, in.X, rng, func(format string, args ...any) {
					t.Helper()
					t.Fatalf("instance %d: %s\nx %v, from %d, target %v, domain %v\nrules %+v",
						number, fmt.Sprintf(format, args...), in.X, in.From, in.Target,
						in.Domain, in.Rules)
				})
			}
		})
	}
}

// ruledForces enumerates all inputs that the rules tell apart.
func ruledForces(in *instance.Ruled) *forces {
	var conflicts [][]int // first features of the units that an input of another label changes
	in.Nearest(func(changed []int) bool {
		conflicts = append(conflicts, slices.Clone(changed))
		return false
	})
	f := &forces{units: in.Units()}
	for s := range 1 << len(f.units) {
		forced := true
		for _, c := range conflicts {
			forced = forced && slices.ContainsFunc(c, func(j int) bool {
				u := slices.IndexFunc(f.units, func(m []int) bool { return m[0] == j })
				return u >= 0 && s>>u&1 == 1
			})
		}
		f.sets = append(f.sets, forced)
	}
	return f
}
