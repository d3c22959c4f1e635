package rules

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// CheckInput checks an input of a classifier that follows some kinds of rules: it is numbers, and
// NaN for missing values if these are among the kinds.
func CheckInput(follows Kinds, x []float64, dim int) error {
	if follows&Missing != 0 {
		x = Present(x)
	}
	return geometry.CheckPoint(x, dim)
}

// Present returns x with 0 for missing values.
func Present(x []float64) []float64 {
	if !slices.ContainsFunc(x, math.IsNaN) {
		return x
	}
	x = slices.Clone(x)
	for j, e := range x {
		if math.IsNaN(e) {
			x[j] = 0
		}
	}
	return x
}

// CheckDomain checks a box that inputs must lie in, nil for R^d.
func CheckDomain(domain polytope.Box, dim int) error {
	if err := geometry.Check(polytope.Polyhedron{Box: domain}, dim); err != nil {
		return fmt.Errorf("domain: %w", err)
	}
	for j, i := range domain {
		if geometry.Empty(i) {
			return fmt.Errorf("%w: interval %d of the domain, from %v to %v, is empty",
				rows.ErrOption, j, i.Lo, i.Hi)
		}
	}
	return nil
}
