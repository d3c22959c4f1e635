package metrics

import (
	"fmt"
	"math"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack"
)

// Point is what is known about one row.
type Point struct {
	Row int
	// Label is the true label and Predicted that of the classifier. Without true
	// labels the two are equal.
	Label, Predicted int
	// Attacked says that the row was attacked; Result claims nothing otherwise.
	Attacked bool
	attack.Result
	// Time is what the attack took.
	Time time.Duration
}

// Correct reports whether the classifier finds the true label.
func (p *Point) Correct() bool { return p.Label == p.Predicted }

// check returns an error for numbers that no attack returns.
func (p *Point) check() error {
	if math.IsNaN(p.Distance) || p.Distance < 0 {
		return fmt.Errorf("row %d: distance %v: %w", p.Row, p.Distance, ErrNumber)
	}
	if math.IsNaN(p.Bound) || p.Bound < 0 {
		return fmt.Errorf("row %d: bound %v: %w", p.Row, p.Bound, ErrNumber)
	}
	if p.Bound > p.Distance {
		return fmt.Errorf("row %d: %w: an example at distance %v, and none below %v", p.Row, ErrAttack, p.Distance, p.Bound)
	}
	return nil
}
