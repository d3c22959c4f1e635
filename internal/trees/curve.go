package trees

import (
	"errors"
	"fmt"
	"sort"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

// Curve is how a calibration changes a sum: first Scale·(sum/Divisor), the model's answer, and of
// that a number between points, and beyond them that of the last, or without points the logistic
// function of Slope·answer + Intercept, 1/(1+e^that). It never falls, in its own arithmetic,
// either.
type Curve struct {
	Divisor   float64   `json:"divisor"`
	Scale     float64   `json:"scale"`
	X         []float64 `json:"x,omitempty"` // ascending
	Y         []float64 `json:"y,omitempty"` // probabilities, which never fall
	Slope     float64   `json:"slope,omitempty"`
	Intercept float64   `json:"intercept,omitempty"`
}

// check returns an error for a curve that is none.
func (c *Curve) check() error {
	if c == nil {
		return errors.New("calibrated probabilities without a curve")
	}
	for _, v := range []float64{c.Divisor, c.Scale} {
		if !(v > 0 && precise.Finite(v)) {
			return fmt.Errorf("a curve with a divisor of %v and a scale of %v, want finite "+
				"numbers above 0", c.Divisor, c.Scale)
		}
	}
	if len(c.X) != len(c.Y) {
		return fmt.Errorf("a curve with %d x and %d y", len(c.X), len(c.Y))
	}
	for i, x := range c.X {
		if y := c.Y[i]; !precise.Finite(x) || !(y >= 0 && y <= 1) ||
			i > 0 && !(x > c.X[i-1] && y >= c.Y[i-1]) {
			return fmt.Errorf("a curve whose point %d, (%v, %v), is not finite, no probability, "+
				"or not beyond the one before", i, x, y)
		}
	}
	if c.X == nil && !(c.Slope <= 0 && precise.Finite(c.Slope) && precise.Finite(c.Intercept)) {
		return fmt.Errorf("a curve of slope %v and intercept %v, want finite numbers, the slope "+
			"at most 0", c.Slope, c.Intercept)
	}
	return nil
}

// of returns the probability that a sum becomes.
func (c *Curve) of(sum float64) float64 {
	answer := c.Scale * (sum / c.Divisor)
	if c.X == nil {
		return 1 / (1 + precise.Exp(float64(c.Slope*answer)+c.Intercept))
	}
	last := len(c.X) - 1
	i := sort.SearchFloat64s(c.X, answer) // the first point that is not below it
	switch {
	case i > last:
		return c.Y[last]
	case i == 0 || c.X[i] == answer:
		return c.Y[i]
	}
	slope := (c.Y[i] - c.Y[i-1]) / (c.X[i] - c.X[i-1])
	return min(c.Y[i], float64(slope*(answer-c.X[i-1]))+c.Y[i-1])
}
