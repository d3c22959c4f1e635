package attack_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/explain"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/oracle"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// drawSolid draws linear rules that leave an interior.
func drawSolid(rng *rand.Rand, dim int) []polytope.HalfSpace {
	linear, thin := instance.DrawLinear(rng, dim)
	for thin {
		linear, thin = instance.DrawLinear(rng, dim)
	}
	return linear
}

// TestLinearReasons compares reasons of trees under linear rules with exact arithmetic over all
// cells: they force the label of the inputs that keep the rules, and no feature can be left out.
// Label boxes hold, and a little beyond each end there is another label.
func TestLinearReasons(t *testing.T) {
	t.Parallel()
	for number := range uint64(instance.Count(60, 7000)) {
		rng := rand.New(rand.NewPCG(number, 31))
		c, trees, x, target, box := drawTied(t, rng)
		for len(x) > 3 {
			c, trees, x, target, box = drawTied(t, rng)
		}
		from := c.Predict(x)
		if target != nil && *target == from || box != nil && !box.Contains(x) {
			continue
		}
		linear := drawSolid(rng, len(x))
		answers := func(q oracle.Ruled) bool {
			q.Linear = instance.Halves(linear)
			return instance.NearestLinear(q, make([]attack.Feature, len(x)), trees,
				func(z []float64) bool {
					label := c.Predict(z)
					return label != from && (target == nil || label == *target)
				}) != nil
		}
		fatal := func(format string, args ...any) {
			t.Helper()
			t.Fatalf("instance %d: %s\n%T, x %v, domain %v, linear %+v",
				number, fmt.Sprintf(format, args...), c, x, box, linear)
		}
		a := attack.RegionBased{Classifier: c, Options: attack.Options{
			Domain: box, Target: target, Linear: linear,
		}}
		realForces(x, box, answers).check(t, a, x, rng, fatal)
		explainer := &explain.Explainer{Classifier: a.Classifier, Options: a.Options}
		b, err := explainer.LabelBox(t.Context(), x)
		if err != nil {
			fatal("%v", err)
		}
		checkLabelBox(b, x, box, answers, fatal)
	}
}

// checkLabelBox asks an oracle whether a box holds, and whether an end could be a little farther.
func checkLabelBox(
	b explain.LabelBox, x []float64, domain polytope.Box, answers func(oracle.Ruled) bool,
	fatal func(string, ...any),
) {
	within := func(box polytope.Box) bool {
		q := oracle.Ruled{Norm: oracle.Inf, X: x}
		for _, i := range box {
			q.Lo, q.Hi = append(q.Lo, i.Lo), append(q.Hi, i.Hi)
			q.Up, q.Down = append(q.Up, 1), append(q.Down, 1)
		}
		return answers(q)
	}
	if within(b.Box) {
		fatal("another label in %v", b.Box)
	}
	for j, i := range b.Box {
		if slices.Contains(b.Undecided, j) {
			continue
		}
		for _, wide := range []polytope.Interval{
			{Lo: i.Lo, Hi: i.Hi + 1e-5*max(1, i.Hi-x[j])},
			{Lo: i.Lo - 1e-5*max(1, x[j]-i.Lo), Hi: i.Hi},
		} {
			box := slices.Clone(b.Box)
			if box[j] = wide; domain != nil {
				box[j] = geometry.Intersect(wide, domain[j])
			}
			if box[j] != i && !within(box) {
				fatal("%v could be wider: %v", i, box[j])
			}
		}
	}
}

// TestLinearReasonsOfNeighbors does the same for k-NN.
func TestLinearReasonsOfNeighbors(t *testing.T) {
	t.Parallel()
	for number := range uint64(instance.Count(25, 5000)) {
		rng := rand.New(rand.NewPCG(number, 32))
		k := 1 + 2*int(number%2)
		in := instance.DrawNeighbors(rng)
		for len(in.X) < k || len(in.X) > 9-k || len(in.Query) > 3 { // the oracle takes long
			in = instance.DrawNeighbors(rng)
		}
		c := in.KNN(t, k)
		goal, ok := in.Goal(c)
		if !ok || in.Box != nil && !in.Box.Contains(in.Query) {
			continue
		}
		linear := drawSolid(rng, len(in.Query))
		answers := func(q oracle.Ruled) bool {
			q.Linear = instance.Halves(linear)
			return q.KNN(in.X, in.Y, k, goal) != nil
		}
		a := attack.RegionBased{Classifier: c, Options: attack.Options{
			Domain: in.Box, Target: in.Target, Linear: linear,
		}}
		realForces(in.Query, in.Box, answers).check(t, a, in.Query, rng,
			func(format string, args ...any) {
				t.Helper()
				t.Fatalf("instance %d: %s\n%+v, linear %+v",
					number, fmt.Sprintf(format, args...), in, linear)
			})
	}
}

// TestLinearCounterfactuals: each answer keeps the rules and is nearest, in exact arithmetic, of
// the inputs that keep one feature at least of those that each earlier answer changes.
func TestLinearCounterfactuals(t *testing.T) {
	t.Parallel()
	several := 0
	for number := range uint64(instance.Count(60, 5000)) {
		rng := rand.New(rand.NewPCG(number, 33))
		c, trees, x, target, box := drawTied(t, rng)
		for len(x) > 3 {
			c, trees, x, target, box = drawTied(t, rng)
		}
		from := c.Predict(x)
		if target != nil && *target == from {
			continue
		}
		norm := instance.Norms()[number%3]
		a := attack.RegionBased{Classifier: c, Options: attack.Options{
			Norm: norm, Domain: box, Target: target, Linear: drawSolid(rng, len(x)),
		}}
		all, err := a.Counterfactuals(t.Context(), x, 3)
		if err != nil {
			t.Fatalf("instance %d: %v", number, err)
		}
		found := all.Found
		if len(found) < 3 {
			found = append(found, instance.Others(all))
		}
		// nearest asks the oracle about the inputs that keep one feature of each set.
		var nearest func(sets [][]int, features []attack.Feature) float64
		nearest = func(sets [][]int, features []attack.Feature) float64 {
			if len(sets) == 0 {
				q := instance.Priced(norm, x, features, box)
				q.Linear = instance.Halves(a.Linear)
				return instance.Cost(norm, instance.NearestLinear(q, features, trees,
					func(z []float64) bool {
						label := c.Predict(z)
						return label != from && (target == nil || label == *target)
					}))
			}
			best := math.Inf(1)
			for _, j := range sets[0] {
				frozen := slices.Clone(features)
				frozen[j].Frozen = true
				best = min(best, nearest(sets[1:], frozen))
			}
			return best
		}
		var sets [][]int
		for i, r := range found {
			truth := nearest(sets, make([]attack.Feature, len(x)))
			if r.Optimal() && math.Abs(r.Distance-truth) > 1e-9*max(1, truth) {
				t.Fatalf("instance %d, answer %d: %+v, truth %v\n%T, x %v, domain %v, linear %+v",
					number, i, r, truth, c, x, box, a.Linear)
			}
			if r.Example == nil {
				break
			}
			if several += i; !rules.KeepsAll(a.Linear, r.Example) {
				t.Fatalf("instance %d: %v breaks a rule", number, r.Example)
			}
			var changed []int
			for j, v := range r.Example {
				if v != x[j] && (box == nil || box[j].Contains(x[j])) {
					changed = append(changed, j)
				}
			}
			sets = append(sets, changed)
		}
	}
	if several == 0 && !racetest.Enabled {
		t.Error("no further answers")
	}
}
