package experiment

import (
	"context"
	"sync"

	"github.com/seed-1a7dc1f9/facet/attack"
)

// fallback is an attack that falls back on a training row where it finds no example: the nearest
// row, the first of a tie, that the classifier does not label as the point. The paper's experiments
// count the points so on which an attack fails.
type fallback struct {
	attack attack.Attack // nil always falls back
	model  *Model
	labels func() []int // the predictions for the training rows
}

// Fallback returns an attack on the model that falls back on its training rows; a nil attack
// always does.
func (m *Model) Fallback(a attack.Attack) attack.Attack {
	return &fallback{a, m, sync.OnceValue(func() []int {
		labels := make([]int, len(m.Y))
		for i := range labels {
			labels[i] = m.Classifier.Predict(m.X.RawRowView(i))
		}
		return labels
	})}
}

// Perturb implements attack.Attack. It returns the attack's result if that is an example, or the
// proof that there is none.
func (f *fallback) Perturb(ctx context.Context, x []float64) (attack.Result, error) {
	r := noClaim()
	if f.attack != nil {
		var err error
		if r, err = f.attack.Perturb(ctx, x); err != nil || r.Example != nil || r.Optimal() {
			return r, err
		}
	}
	own := f.model.Classifier.Predict(x)
	for i, label := range f.labels() {
		row := f.model.X.RawRowView(i)
		if d := f.model.norm.Distance(x, row); label != own && d < r.Distance {
			r.Example, r.Label, r.Distance = row, label, d
		}
	}
	return r, ctx.Err()
}
