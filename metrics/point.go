package metrics

import (
	"fmt"
	"math"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/internal/jsonvalue"
)

// Point is the answer about one row.
type Point struct {
	Row int
	// TrueLabel is that of the row and Predicted that of the classifier; Label is that
	// of the Example. Without true labels the first two are equal.
	TrueLabel, Predicted int
	// Attacked says that the row was attacked; Result makes no claim otherwise.
	Attacked bool
	attack.Result
	// Time is the duration of the attack.
	Time time.Duration
}

// MarshalJSON writes the fields by their names, the Result as attack.Result does, and Time in
// nanoseconds.
func (p Point) MarshalJSON() ([]byte, error) { return jsonvalue.Fields(p) }

// check returns an error for numbers that no attack returns.
func (p *Point) check() error {
	if math.IsNaN(p.Distance) || p.Distance < 0 {
		return fmt.Errorf("row %d: distance %v: %w", p.Row, p.Distance, errNumber)
	}
	if math.IsNaN(p.Bound) || p.Bound < 0 {
		return fmt.Errorf("row %d: bound %v: %w", p.Row, p.Bound, errNumber)
	}
	if p.Bound > p.Distance {
		return fmt.Errorf("row %d: %w: an example at distance %v, and none below %v",
			p.Row, ErrAttack, p.Distance, p.Bound)
	}
	return nil
}

// label is c.Predict, with an error for a panic and for a label of no class.
func label(c classifier.Classifier, x []float64) (label int, err error) {
	defer named(&err)
	defer guard.Name("Predict", c)
	label = c.Predict(x)
	if label < 0 || label >= c.Classes() {
		return label, fmt.Errorf("%w: it predicts label %d of %d classes",
			attack.ErrClassifier, label, c.Classes())
	}
	return label, nil
}

// named is deferred by functions that call a classifier: its panic is an error.
func named(err *error) {
	if p := guard.Named(recover()); p != nil {
		*err = fmt.Errorf("%w: %w", attack.ErrClassifier, p)
	}
}

// checkAnswer holds the result of an attack on x against the classifier that is measured.
func (r *run) checkAnswer(x []float64, p *Point) error {
	if p.Example == nil {
		if !math.IsInf(p.Distance, 1) {
			return fmt.Errorf("%w: distance %v without an example", ErrAttack, p.Distance)
		}
		return nil
	}
	if err := checkInput(r.classifier, p.Example); err != nil {
		return fmt.Errorf("%w: example: %w", ErrAttack, err)
	}
	got, err := label(r.classifier, p.Example)
	if err != nil {
		return fmt.Errorf("example: %w", err)
	}
	claimed := p.Label
	if got == p.Predicted || got != claimed {
		return fmt.Errorf("%w: an example of label %d, to which the classifier gives label %d, "+
			"and label %d to the row", ErrAttack, claimed, got, p.Predicted)
	}
	d, err := guard.Call("Distance",
		r.opts.Attack, func() (float64, error) { return r.distance(x, p.Example), nil })
	switch {
	case err != nil:
		return err
	case !(math.Abs(d-p.Distance) <= tolerance*d+tiny):
		return fmt.Errorf("%w: distance %v, but the example's is %v in norm %v",
			ErrAttack, p.Distance, d, r.opts.Norm)
	}
	return nil
}

const (
	tolerance = 1e-9      // the largest error of a distance by rounding and another arithmetic
	tiny      = 0x1p-1022 // below it numbers lose digits
)
