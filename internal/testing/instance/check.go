package instance

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// CheckExact compares a result with the true radius.
func CheckExact(
	t testing.TB, c classifier.Classifier, norm polytope.Norm, x []float64, r attack.Result,
	truth float64,
) error {
	t.Helper()
	if err := proven(r, truth); err != nil || r.Example == nil {
		return err
	}
	switch {
	case c.Predict(r.Example) == c.Predict(x) || c.Predict(r.Example) != r.Label:
		return fmt.Errorf("example %v is predicted %d, result says %d, x %d",
			r.Example, c.Predict(r.Example), r.Label, c.Predict(x))
	case r.Distance != norm.Distance(x, r.Example):
		return fmt.Errorf("distance %v of an example at %v",
			r.Distance, norm.Distance(x, r.Example))
	}
	return nil
}

// proven compares the numbers of a result, which is to be an optimum, with the true radius.
func proven(r attack.Result, truth float64) error {
	tol := 1e-9 * math.Max(1, truth)
	switch {
	case !r.Optimal():
		return fmt.Errorf("not optimal: %+v, truth %v", r, truth)
	case math.IsInf(truth, 1):
		if r.Example != nil || !math.IsInf(r.Bound, 1) {
			return fmt.Errorf("%+v where nothing is adversarial", r)
		}
	case r.Example == nil:
		return fmt.Errorf("no example at %v", truth)
	case math.Abs(r.Distance-truth) > tol:
		return fmt.Errorf("distance %v, truth %v, off by %g", r.Distance, truth, r.Distance-truth)
	case r.Bound > truth*(1+1e-13)+1e-14 || r.Bound < truth-tol:
		return fmt.Errorf("bound %v, truth %v, off by %g", r.Bound, truth, r.Bound-truth)
	}
	return nil
}

// IsNothing reports whether a result makes no claim.
func IsNothing(r attack.Result) bool {
	return r.Example == nil && r.Label == -1 && math.IsInf(r.Distance, 1) && r.Bound == 0 &&
		!r.Optimal()
}

// CheckRefused checks that an attack fails with an error, the second time, too.
func CheckRefused(t testing.TB, a attack.Attack, x []float64, want error) {
	t.Helper()
	for range 2 {
		r, err := a.Perturb(t.Context(), x)
		if !errors.Is(err, want) {
			t.Errorf("error = %v, want %v", err, want)
		}
		if !IsNothing(r) {
			t.Errorf("result = %+v, want one that claims nothing", r)
		}
	}
}

// Radius returns the distance that an attack proves of a point with an example.
func Radius(t testing.TB, c classifier.Classifier, x []float64) float64 {
	t.Helper()
	r, err := (&attack.RegionBased{Classifier: c}).Perturb(t.Context(), x)
	if err != nil || !r.Optimal() || r.Example == nil {
		t.Fatalf("%+v, %v, want an optimum", r, err)
	}
	return r.Distance
}

// CheckInterval checks that a result makes no wrong claim about a radius.
func CheckInterval(
	t testing.TB, c classifier.Classifier, x []float64, r attack.Result, truth float64,
) {
	t.Helper()
	tol := 1e-9 * max(1, truth)
	if r.Bound > truth+tol || r.Bound < 0 || r.Distance < truth-tol || r.Bound > r.Distance {
		t.Errorf("%v ≤ radius ≤ %v, which is %v", r.Bound, r.Distance, truth)
	}
	if r.Optimal() && r.Distance-r.Bound > tol {
		t.Errorf("optimal, but between %v and %v", r.Bound, r.Distance)
	}
	if r.Example == nil {
		if !math.IsInf(r.Distance, 1) || r.Label != -1 {
			t.Errorf("distance %v, label %d without an example", r.Distance, r.Label)
		}
	} else if got := c.Predict(r.Example); got != r.Label || got == c.Predict(x) {
		t.Errorf("the example is predicted %d, result says %d, x %d", got, r.Label, c.Predict(x))
	}
}
