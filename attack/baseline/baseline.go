package baseline

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/victim"
)

// none is the result that claims nothing.
func none() attack.Result { return attack.Result{Label: -1, Distance: math.Inf(1)} }

// answer returns what an attack finds. A context that ends early is an error only if
// it was cancelled; any other error comes with a result that claims nothing.
func answer(ctx context.Context, find func() (attack.Result, error)) (attack.Result, error) {
	r, err := caught(find)
	switch {
	case victim.Ended(ctx, err):
		err = nil
	case err != nil:
		return none(), fmt.Errorf("attack: %w", err)
	}
	return r, cancelled(ctx)
}

// caught is find, with an error for a panic of the classifier.
func caught(find func() (attack.Result, error)) (r attack.Result, err error) {
	defer victim.Caught(&err)
	r = none()
	return find()
}

// tried is the result of a baseline that tried z: z itself if c gives it a label
// that answers q, otherwise none. z is kept.
func tried(c victim.Classifier, q search.Query, z []float64) attack.Result {
	r := none()
	d := q.Norm.Distance(q.X, z)
	if math.IsNaN(d) || math.IsInf(d, 1) {
		return r
	}
	if label := victim.Predict(c, z); q.Reaches(label) {
		r.Example, r.Label, r.Distance = z, label, d
	}
	return r
}

// cancelled returns the error of a context that was cancelled. A deadline only
// ends an attack early.
func cancelled(ctx context.Context) error {
	if err := ctx.Err(); errors.Is(err, context.Canceled) {
		return fmt.Errorf("attack: %w", err)
	}
	return nil
}
