package metrics

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// label is c.Predict, with an error for a panic and for a label of no class.
func label(c classifier.Classifier, x []float64) (label int, err error) {
	defer named(&err)
	defer guard.Name("Predict", c)
	label = c.Predict(x)
	return label, checkPrediction(label, c.Classes())
}

// named is deferred by what calls a classifier: its panic is an error.
func named(err *error) {
	if p := guard.Named(recover()); p != nil {
		*err = fmt.Errorf("%w: %w", ErrClassifier, p)
	}
}

// checkPrediction guards against a user's classifier that breaks its promise.
func checkPrediction(label, classes int) error {
	if label < 0 || label >= classes {
		return fmt.Errorf("%w: it predicts label %d of %d classes", ErrClassifier, label, classes)
	}
	return nil
}

// perturb is a.Perturb, with an error for a panic.
func perturb(ctx context.Context, a attack.Attack, x []float64) (r attack.Result, err error) {
	defer guard.Catch(&err, "Perturb", a)
	return a.Perturb(ctx, x)
}

// call runs a callback, with an error for a panic.
func call(name string, opts *Options, callback func() error) (err error) {
	defer guard.Catch(&err, name, opts)
	return callback()
}

// checkAnswer holds a result of an attack on x against the classifier that is
// measured, which gives x the label from.
func checkAnswer(c classifier.Classifier, x []float64, from int, r attack.Result) error {
	if r.Example == nil {
		if !math.IsInf(r.Distance, 1) {
			return fmt.Errorf("%w: distance %v without an example", ErrAttack, r.Distance)
		}
		return nil
	}
	if err := polytope.CheckPoint(r.Example, len(x)); err != nil {
		return fmt.Errorf("%w: example: %w", ErrAttack, err)
	}
	got, err := label(c, r.Example)
	if err != nil {
		return fmt.Errorf("example: %w", err)
	}
	if got == from || got != r.Label {
		return fmt.Errorf("%w: an example of label %d, to which the classifier gives label %d, and label %d to the row", ErrAttack, r.Label, got, from)
	}
	return checkDistance(x, r)
}

// checkDistance makes sure that the distance of an example is its own, in any of
// the norms: which one an attack minimises is not known here.
func checkDistance(x []float64, r attack.Result) error {
	var distances []error
	for _, norm := range []polytope.Norm{polytope.LInf, polytope.L1, polytope.L2} {
		d := norm.Distance(x, r.Example)
		if math.Abs(d-r.Distance) <= tolerance*d+tiny {
			return nil
		}
		distances = append(distances, fmt.Errorf("norm %v: %v", norm, d))
	}
	return fmt.Errorf("%w: distance %v, but the example's is %w", ErrAttack, r.Distance, errors.Join(distances...))
}

const (
	tolerance = 1e-9      // what rounding and another arithmetic may do to a distance
	tiny      = 0x1p-1022 // below it numbers lose digits
)
