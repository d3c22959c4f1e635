package instance

import (
	"fmt"
	"math"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// CheckExact compares a result with the true radius.
func CheckExact(t testing.TB, c classifier.Classifier, norm polytope.Norm, x []float64, r attack.Result, truth float64) error {
	t.Helper()
	tol := 1e-9 * math.Max(1, truth)
	switch {
	case !r.Optimal:
		return fmt.Errorf("not optimal: %+v", r)
	case math.IsInf(truth, 1):
		if r.Example != nil || !math.IsInf(r.Bound, 1) {
			return fmt.Errorf("%+v where nothing is adversarial", r)
		}
		return nil
	case r.Example == nil:
		return fmt.Errorf("no example at %v", truth)
	case c.Predict(r.Example) == c.Predict(x) || c.Predict(r.Example) != r.Label:
		return fmt.Errorf("example %v is predicted %d, result says %d, x %d", r.Example, c.Predict(r.Example), r.Label, c.Predict(x))
	case r.Distance != norm.Distance(x, r.Example):
		return fmt.Errorf("distance %v of an example at %v", r.Distance, norm.Distance(x, r.Example))
	case math.Abs(r.Distance-truth) > tol:
		return fmt.Errorf("distance %v, truth %v, off by %g", r.Distance, truth, r.Distance-truth)
	case r.Bound > truth*(1+1e-13)+1e-14 || r.Bound < truth-tol:
		return fmt.Errorf("bound %v, truth %v, off by %g", r.Bound, truth, r.Bound-truth)
	}
	return nil
}

// IsNothing reports whether a result claims nothing.
func IsNothing(r attack.Result) bool {
	return r.Example == nil && r.Label == -1 && math.IsInf(r.Distance, 1) && r.Bound == 0 && !r.Optimal
}
