package soundness

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Query is a question about a classifier.
type Query struct {
	X      []float64
	Norm   polytope.Norm
	Target int // −1 for any other label
	Domain polytope.Box
	Rules  []attack.Feature // of moves; nil for none
	Linear []polytope.HalfSpace
	// of each feature that the model declares a category, else 0; nil for none
	Codes []int
}

// plain tells whether distances of numbers are all that counts.
func (q *Query) plain() bool {
	return q.Rules == nil && q.Codes == nil && q.Linear == nil && q.Norm != instance.Changes
}

// reaches tells whether a label answers for a point with label from.
func (q *Query) reaches(from, label int) bool {
	if q.Target >= 0 {
		return label == q.Target
	}
	return label != from
}

// fixed tells whether a coordinate has one value only.
func (q *Query) fixed(j int) bool {
	box := q.box()
	return box != nil && box[j].Lo == box[j].Hi
}

// together checks letters b, d and f of one search for several radii. Verdicts that are refused, U
// and E, are those of RobustAt, which counts them.
func (t *trial) together(radii []float64) {
	a := newAttack(t.attack.Classifier, t.q, t.truth.Limit, 1)
	if len(radii) == 0 {
		return
	}
	start := time.Now()
	r, err := a.RobustAt(context.Background(), t.q.X, radii...)
	t.late(start, "RobustAt")
	if err != nil {
		return
	}
	if t.known && t.inf.Compare(r.Bound) < 0 {
		t.fail('b', "Bound %v at radii %v, yet the infimum is %v", r.Bound, radii, t.inf.Float())
	}
	if r.Example != nil &&
		(t.attack.Classifier.Predict(r.Example) != r.Label ||
			t.q.plain() && t.q.Norm.Distance(t.q.X, r.Example) != r.Distance) {
		t.fail('d', "%v at radii %v is labelled or placed otherwise than %d at %v",
			r.Example, radii, r.Label, r.Distance)
	}
	last := attack.Holds
	for _, radius := range slices.Sorted(slices.Values(radii)) {
		v := r.Verdict(radius)
		switch {
		case v == attack.Holds && (last != v || t.known && t.inf.Compare(radius) < 0):
			t.fail('f', "robust at %v of %v after %v, the infimum is %v",
				radius, radii, last, t.inf.Float())
		case v == attack.Refuted && t.known &&
			t.inf.Compare(radius+tolerance*max(1, radius)+t.grid(t.q.X)) > 0 &&
			!(t.result.Distance <= radius):
			t.fail('f', "not robust at %v of %v, yet the infimum is %v",
				radius, radii, t.inf.Float())
		}
		last = v
	}
}

// counterfactuals checks letters b, c, d and o of several examples that differ in the features that
// they change.
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

// units lists the features that change as one: features on their own, and groups.
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
