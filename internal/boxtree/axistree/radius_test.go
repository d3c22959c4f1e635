package axistree_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// checkTree compares a result with the radius, to 1e-12.
func checkTree(t testing.TB, in instance.Tree, norm polytope.Norm, r attack.Result) error {
	t.Helper()
	truth := in.Radius(norm)
	err := instance.CheckExact(t, in.Tree, norm, in.Query, r, truth)
	switch {
	case err != nil || r.Example == nil:
		return err
	case in.Target != nil && r.Label != *in.Target || !in.Box.Contains(r.Example):
		return fmt.Errorf("%+v: another label than the target, or outside the domain", r)
	case math.Abs(r.Distance-truth) > 1e-12 || r.Bound > truth*(1+1e-15) || r.Bound < truth-1e-12:
		return fmt.Errorf("%+v, want %v, off by %g", r, truth, r.Distance-truth)
	}
	return nil
}
