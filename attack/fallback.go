package attack

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Fallback is an attack that falls back on a training point where it finds no
// example: the nearest one, in the Norm, that the classifier itself gives a label
// that would do, the first row of a tie. This is how the paper's experiments
// count points on which an attack fails. A nil Attack always falls back.
//
// The training points are predicted once, O(n) predictions; each point on which
// the attack fails takes O(n·d) time.
//
// Errors wrap those of the Attack, ErrClassifier, ErrOption, ErrTarget, ErrPoints,
// polytope.ErrNorm, polytope.ErrDimension, polytope.ErrNotFinite or the context's.
// A Fallback must not be copied or changed once used.
type Fallback struct {
	Attack     Attack
	Classifier classifier.Classifier
	Norm       polytope.Norm
	Target     *int // as that of Attack; nil means any other than Predict(x)
	// Points are the training points, one a row. nil means the rows of a
	// classifier that keeps them (k-NN).
	Points mat.Matrix

	prepare once
	sample  *sample
}

var _ Attack = (*Fallback)(nil)

// Perturb implements Attack. It returns what Attack returns if that is an
// example, or the proof that there is none.
func (a *Fallback) Perturb(ctx context.Context, x []float64) (r Result, err error) {
	defer caught(&r, &err)
	q, err := aim(a.Classifier, a.Norm, a.Target, x)
	if err != nil {
		return nothing(), fmt.Errorf("attack: fallback: %w", err)
	}
	r = nothing()
	if a.Attack != nil {
		r, err = perturb(ctx, a.Attack, x)
		if err != nil || r.Example != nil || r.Optimal {
			return r, err
		}
	}
	err = a.prepare.do(ctx, a.survey)
	if ended(ctx, err) {
		return r, cancelled(ctx)
	}
	if err != nil {
		return r, fmt.Errorf("attack: fallback: %w", err)
	}
	if i := a.nearest(q); i >= 0 {
		point := tried(a.Classifier, q, append([]float64(nil), a.sample.Row(i)...))
		r.Example, r.Label, r.Distance = point.Example, point.Label, point.Distance
	}
	return r, cancelled(ctx)
}

// survey predicts all training points once.
func (a *Fallback) survey(ctx context.Context) (err error) {
	if a.sample == nil {
		if a.sample, err = newSample(ctx, a.Classifier, a.Points, nil); err != nil {
			return err
		}
		a.sample.labels, a.sample.predict = nil, true
	}
	return a.sample.label(ctx, a.Classifier)
}

// nearest returns the row of the nearest point that answers q, −1 if none does.
func (a *Fallback) nearest(q search.Query) int {
	best, least := -1, math.Inf(1)
	for i, label := range a.sample.labels {
		if !q.Reaches(label) {
			continue
		}
		if d := q.Norm.Distance(q.X, a.sample.Row(i)); d < least {
			best, least = i, d
		}
	}
	return best
}
