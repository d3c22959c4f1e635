//go:build lpsolve

package milp

import (
	"errors"
	"fmt"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// check returns an error that names the first fault of the options or of x.
func (a Attack) check(x []float64) error {
	if a.Ensemble == nil {
		return fmt.Errorf("%w: no ensemble given", attack.ErrClassifier)
	}
	if err := a.Norm.Validate(); err != nil {
		return err
	}
	if a.Norm == polytope.L2 {
		return fmt.Errorf("norm %v is not linear: %w: use attack.RegionBased", a.Norm, errors.ErrUnsupported)
	}
	if a.Timeout < 0 || a.MaxNodes < 0 {
		return fmt.Errorf("%w: timeout %v, at most %d nodes: neither may be negative", attack.ErrOption, a.Timeout, a.MaxNodes)
	}
	if err := polytope.CheckPoint(x, a.Ensemble.Dim()); err != nil {
		return fmt.Errorf("x: %w", err)
	}
	if err := a.checkTarget(x); err != nil {
		return err
	}
	return a.checkDomain()
}

func (a Attack) checkTarget(x []float64) error {
	if a.Target == nil {
		return nil
	}
	t := *a.Target
	if t < 0 || t >= a.Ensemble.Classes() {
		return fmt.Errorf("%w: target label %d of %d classes", attack.ErrOption, t, a.Ensemble.Classes())
	}
	if t == a.Ensemble.Predict(x) {
		return fmt.Errorf("label %d: %w", t, attack.ErrTarget)
	}
	return nil
}

func (a Attack) checkDomain() error {
	if err := (polytope.Polyhedron{Box: a.Domain}).Check(a.Ensemble.Dim()); err != nil {
		return fmt.Errorf("domain: %w", err)
	}
	for j, side := range a.Domain {
		if side.Empty() {
			return fmt.Errorf("%w: interval %d of the domain, from %v to %v, is empty", attack.ErrOption, j, side.Lo, side.Hi)
		}
	}
	return nil
}
