package baseline

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/internal/training"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/internal/query"
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
// Errors wrap those of the Attack, attack.ErrClassifier, classifier.ErrOption, attack.ErrTarget,
// classifier.ErrEmpty without points, polytope.ErrNorm, polytope.ErrDimension,
// polytope.ErrNotFinite or the context's. A Fallback must not be copied or changed once used.
type Fallback struct {
	Attack     attack.Attack
	Classifier classifier.Classifier
	Norm       polytope.Norm
	Target     *int // as that of Attack; nil means any other than Predict(x)
	// Points are the training points, one a row. nil means the rows of a
	// classifier that keeps them (k-NN).
	Points mat.Matrix

	points training.Points
}

var _ attack.Attack = (*Fallback)(nil)

// Perturb implements Attack. It returns what Attack returns if that is an
// example, or the proof that there is none.
func (a *Fallback) Perturb(ctx context.Context, x []float64) (attack.Result, error) {
	q, err := query.Plain(a.Classifier, a.Norm, a.Target, x)
	if err != nil {
		return none(), fmt.Errorf("attack: fallback: %w", err)
	}
	r := none()
	if a.Attack != nil {
		r, err = a.first(ctx, x)
		if err != nil || r.Example != nil || r.Optimal {
			return r, err
		}
	}
	found, err := answer(ctx, func() (attack.Result, error) {
		if err := a.points.Prepare(
			ctx, training.Request{Classifier: a.Classifier, X: a.Points, Predict: true},
		); err != nil {
			return none(), fmt.Errorf("fallback: %w", err)
		}
		if i := a.points.NearestIn(q); i >= 0 {
			return tried(a.Classifier, q, slices.Clone(a.points.Row(i))), nil
		}
		return none(), nil
	})
	r.Example, r.Label, r.Distance = found.Example, found.Label, found.Distance
	return r, err
}

// first is what Attack finds, with an error for a panic.
func (a *Fallback) first(ctx context.Context, x []float64) (r attack.Result, err error) {
	defer guard.Catch(&err, "Perturb", a.Attack)
	r = none()
	return a.Attack.Perturb(ctx, x)
}
