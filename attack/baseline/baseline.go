package baseline

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/internal/query"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/internal/search"
)

// none is the result that makes no claim.
func none() attack.Result { return attack.Result{Label: -1, Distance: math.Inf(1)} }

// answer returns the result of an attack. A context that ends early is an error only if
// it was cancelled; any other error comes with a result that makes no claim.
func answer(ctx context.Context, find func() (attack.Result, error)) (attack.Result, error) {
	if ctx == nil {
		return none(), fmt.Errorf("attack: %w", rows.ErrContext)
	}
	r, err := recoverPanic(find)
	switch {
	case query.Ended(ctx, err):
		err = nil
	case err != nil:
		r = none()
	}
	return r, wrapped(ctx, err)
}

// wrapped returns an error, or that of a context that was cancelled. A deadline only ends an attack
// early.
func wrapped(ctx context.Context, err error) error {
	if err = query.OrCanceled(ctx, err); err != nil {
		err = fmt.Errorf("attack: %w", err)
	}
	return err
}

// recoverPanic is find, with an error for a panic of the classifier.
func recoverPanic(find func() (attack.Result, error)) (r attack.Result, err error) {
	defer guard.Recover(&err)
	r = none()
	return find()
}

// tried is the result of a baseline that tried z: z itself if c gives it a label
// that answers q, otherwise none. z is kept.
func tried(c guard.Classifier, q search.Query, z []float64) attack.Result {
	r := none()
	d := q.Norm.Distance(q.X, z)
	if math.IsNaN(d) || math.IsInf(d, 1) {
		return r
	}
	if label := guard.Predict(c, z); label >= 0 && label < c.Classes() && q.Reaches(label) {
		r.Example, r.Label, r.Distance = z, label, d
	}
	return r
}

// budgets are the distances that an attack with a budget tries in turn.
type budgets struct{ step, limit float64 }

// The budgets of the paper's experiments: 0.01, 0.02, …, 0.80.
const (
	defaultStep  = 0.01
	defaultLimit = 0.80
)

func (b budgets) check() error {
	for _, v := range []float64{b.step, b.limit} {
		if !(v >= 0) || math.IsInf(v, 1) {
			return fmt.Errorf("%w: budgets in steps of %v up to %v",
				classifier.ErrOption, b.step, b.limit)
		}
	}
	step, limit := b.orDefaults()
	if !(limit/step <= mostBudgets) {
		return fmt.Errorf("%w: more than %d budgets in steps of %v up to %v",
			classifier.ErrOption, mostBudgets, step, limit)
	}
	return nil
}

// mostBudgets keeps a step that is small by mistake from trying budgets forever.
const mostBudgets = 1 << 20

func (b budgets) orDefaults() (step, limit float64) {
	return cmp.Or(b.step, defaultStep), cmp.Or(b.limit, defaultLimit)
}

// all lists the budgets. The last one may exceed Limit by a rounding error.
func (b budgets) all() iter.Seq[float64] {
	step, limit := b.orDefaults()
	return func(yield func(float64) bool) {
		for i := 1.0; i*step <= limit*(1+1e-12); i++ {
			if !yield(i * step) {
				return
			}
		}
	}
}
