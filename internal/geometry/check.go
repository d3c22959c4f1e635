package geometry

import (
	"errors"
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Check returns an error for prices in R^dim that are none, or that the norm cannot take.
func (c Cost) Check(dim int) error {
	if c.Prices == nil {
		return nil
	}
	p := c.Prices
	if len(p.Up) != dim || len(p.Down) != dim {
		return fmt.Errorf("prices: %w: got %d and %d, want %d",
			polytope.ErrDimension, len(p.Up), len(p.Down), dim)
	}
	for j := range dim {
		up, down := p.Up[j], p.Down[j]
		switch {
		case !(up > 0) || !(down > 0):
			return fmt.Errorf("prices of coordinate %d, %v up and %v down: they must be positive",
				j, up, down)
		case c.Norm == polytope.L2 && up != down && !math.IsInf(max(up, down), 1):
			return fmt.Errorf("prices of coordinate %d, %v up and %v down, differ, which norm 2 "+
				"cannot take: %w: use norm inf or 1", j, up, down, errors.ErrUnsupported)
		}
	}
	return nil
}

// CheckPoint returns an error that names the first fault of x as a point of R^dim:
// polytope.ErrDimension or polytope.ErrNotFinite.
func CheckPoint(x []float64, dim int) error {
	if len(x) != dim {
		return fmt.Errorf("%w: got %d coordinates, want %d", polytope.ErrDimension, len(x), dim)
	}
	for j, e := range x {
		if !precise.Finite(e) {
			return fmt.Errorf("coordinate %d is %v: %w", j, e, polytope.ErrNotFinite)
		}
	}
	return nil
}

// Check returns an error that names the first fault of p as a polyhedron in R^dim.
func Check(p polytope.Polyhedron, dim int) error {
	if err := checkBox(p.Box, dim); err != nil {
		return err
	}
	for i, h := range p.HalfSpaces {
		if err := checkHalfSpace(h, dim); err != nil {
			return fmt.Errorf("half-space %d: %w", i, err)
		}
	}
	return nil
}

func checkBox(b polytope.Box, dim int) error {
	if b == nil {
		return nil
	}
	if len(b) != dim {
		return fmt.Errorf("box: %w: got %d intervals, want %d", polytope.ErrDimension, len(b), dim)
	}
	for j, i := range b {
		if math.IsNaN(i.Lo) || math.IsNaN(i.Hi) {
			return fmt.Errorf("box: interval %d ends in NaN: %w", j, polytope.ErrNotFinite)
		}
	}
	return nil
}

func checkHalfSpace(h polytope.HalfSpace, dim int) error {
	if len(h.A) != dim {
		return fmt.Errorf("%w: got %d coefficients, want %d", polytope.ErrDimension, len(h.A), dim)
	}
	for j, a := range h.A {
		if !precise.Finite(a) {
			return fmt.Errorf("coefficient %d is %v: %w", j, a, polytope.ErrNotFinite)
		}
	}
	if math.IsNaN(h.B) {
		return fmt.Errorf("right-hand side is NaN: %w", polytope.ErrNotFinite)
	}
	return nil
}

// CheckProblem returns an error that names the first fault of p, half-spaces included.
func CheckProblem(p polytope.Problem) error {
	if err := CheckNorm(p.Norm); err != nil {
		return err
	}
	if err := CheckPoint(p.X, len(p.X)); err != nil {
		return fmt.Errorf("polytope: x: %w", err)
	}
	if err := Of(&p).Check(len(p.X)); err != nil {
		return fmt.Errorf("polytope: %w", err)
	}
	if math.IsNaN(p.Cutoff) || math.IsNaN(p.Margin) || p.Cutoff < 0 || p.Margin < 0 ||
		math.IsInf(p.Margin, 1) {
		return fmt.Errorf("polytope: cutoff %v or margin %v: %w and not negative",
			p.Cutoff, p.Margin, polytope.ErrNotFinite)
	}
	if err := Check(p.Region, len(p.X)); err != nil {
		return fmt.Errorf("polytope: region: %w", err)
	}
	return nil
}
