package soundness

import (
	"context"
	"slices"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack"
)

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
