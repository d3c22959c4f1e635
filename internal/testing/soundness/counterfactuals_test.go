package soundness

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
)

// counterfactuals checks letters b, c, d and o of several examples that differ in what they change.
func (t *trial) counterfactuals(m int) {
	start := time.Now()
	all, err := t.attack.Counterfactuals(context.Background(), t.q.X, m)
	t.late(start, "Counterfactuals")
	if err != nil {
		t.failed("Counterfactuals", err)
		return
	}
	var earlier [][]int
	last := 0.0
	for i, r := range append(all.Found, instance.Others(all)) {
		one := *t
		one.result, one.fails = r, nil
		one.example()
		one.inf = t.truth.Apart(t.from, earlier)
		one.bound(true)
		for _, f := range one.fails {
			t.fail(f.Letter, "counterfactual %d, %s", i, f.Text)
		}
		if r.Example == nil {
			return
		}
		if room := tolerance*max(1, last) + t.grid(r.Example); r.Distance < last-room {
			t.fail('o', "counterfactual %d lies at %v, the one before at %v", i, r.Distance, last)
		}
		last = r.Distance
		earlier = append(earlier, t.changed(r.Example))
		t.frugal(i, r.Example)
	}
}

// changed lists the features, and the first ones of groups, that an example changes.
func (t *trial) changed(z []float64) (list []int) {
	for _, unit := range t.units() {
		if slices.ContainsFunc(unit, func(j int) bool { return !same(z[j], t.q.X[j]) }) {
			list = append(list, unit[0])
		}
	}
	return list
}

func same(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

// units lists what changes as one: features on their own, and groups.
func (t *trial) units() (units [][]int) {
	for j := range t.q.X {
		if t.q.rule(j).Group == 0 {
			units = append(units, []int{j})
		}
	}
	return append(units, t.q.groups()...)
}

// frugal checks that an example has no change that it could do without.
func (t *trial) frugal(number int, z []float64) {
	for _, unit := range t.units() {
		less := slices.Clone(z)
		for _, j := range unit {
			less[j] = t.q.X[j]
		}
		if slices.EqualFunc(less, z, same) {
			continue
		}
		_, allowed := t.q.distance(less)
		if allowed && t.q.reaches(t.from, t.attack.Classifier.Predict(less)) {
			t.fail('d', "counterfactual %d, %v, changes feature %d for nothing", number, z, unit[0])
		}
	}
}
