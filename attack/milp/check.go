//go:build lpsolve

package milp

import (
	"errors"
	"fmt"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// check returns an error that names the first fault of the options, the target apart.
func (a Attack) check() error {
	switch {
	case a.Norm == polytope.L2:
		return fmt.Errorf("norm %v is not linear: %w: use attack.RegionBased", a.Norm, errors.ErrUnsupported)
	case a.Timeout < 0 || a.MaxNodes < 0:
		return fmt.Errorf("%w: timeout %v, at most %d nodes: neither may be negative", attack.ErrOption, a.Timeout, a.MaxNodes)
	}
	return a.checkDomain()
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
