package query

import (
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// check checks all but the target, and an input, for a classifier of so many dimensions.
func (o *Options) check(dim int, x []float64) error {
	if err := geometry.CheckNorm(o.Norm); err != nil {
		return err
	}
	if err := geometry.CheckPoint(rules.Present(x), dim); err != nil {
		return fmt.Errorf("x: %w", err)
	}
	if o.Solver != nil && rows.IsNil(o.Solver) {
		return fmt.Errorf("%w: the solver is a nil %T", rows.ErrOption, o.Solver)
	}
	if err := CheckFeatures(o.Features, dim); err != nil {
		return err
	}
	if err := o.checkLinear(dim); err != nil {
		return err
	}
	return o.checkDomain(dim)
}

// CheckFeatures returns an error that names the first feature whose rules make no sense.
func CheckFeatures(features []rules.Feature, dim int) error {
	if features == nil {
		return nil
	}
	if err := rules.Check(features, dim); err != nil {
		return fmt.Errorf("%w: %w", rows.ErrOption, err)
	}
	return nil
}

func (o *Options) checkLinear(dim int) error {
	if err := geometry.Check(polytope.Polyhedron{HalfSpaces: o.Linear}, dim); err != nil {
		return fmt.Errorf("%w: linear rules: %w", rows.ErrOption, err)
	}
	for i, h := range o.Linear {
		if geometry.Length(polytope.LInf, h.A) == 0 || math.IsInf(h.B, 0) {
			return fmt.Errorf("%w: linear rule %d ties no features together: coefficients %v, "+
				"bound %v", rows.ErrOption, i, h.A, h.B)
		}
	}
	return nil
}

func (o *Options) checkDomain(dim int) error {
	if err := rules.CheckDomain(o.Domain, dim); err != nil {
		return err
	}
	for j, i := range o.Domain {
		if _, ok := geometry.Inside(i, 0); !ok {
			return fmt.Errorf("%w: interval %d of the domain, between %v and %v, holds no float64",
				rows.ErrOption, j, i.Lo, i.Hi)
		}
	}
	return nil
}
