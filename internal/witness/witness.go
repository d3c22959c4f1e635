// Package witness turns the closest point of a cell's closure, which lies on its
// border, into a point that the classifier itself puts inside.
package witness

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// ErrNone is returned when a cell has an interior and yet no point of it has the
// label that the cell promises.
var ErrNone = errors.New("no point of the cell is predicted as the cell says")

// ErrStopped is returned for a solver that stops while its context goes on.
var ErrStopped = errors.New("the solver stopped before an answer")

// Stopped returns why a solver stopped: the error of its context, or ErrStopped.
func Stopped(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return ErrStopped
}

// Toward returns the first of z + τ(inside − z), τ = 0 and then doubling from a
// rounding error to 1, that flips accepts, and whether there is one. inside is a
// point in the interior of the cell, z one in its closure, so every point with τ
// > 0 is inside but for rounding. z is overwritten.
func Toward(z, inside []float64, flips func([]float64) bool) bool {
	if flips(z) {
		return true
	}
	start := append([]float64(nil), z...)
	for tau := 0x1p-48; tau < 1; tau *= 2 {
		for j, s := range start {
			z[j] = s + tau*(inside[j]-s)
		}
		if flips(z) {
			return true
		}
	}
	copy(z, inside)
	return flips(z)
}

// Margin solves p again with growing margins until flips accepts a point in the
// interior of the cell. Without a Rest z, the answer without a margin, is tried
// first; with one it is not, because what lies inside a lazily named half-space by
// a rounding error lies outside in another arithmetic. Margin returns nil when the cell has no interior within the box, but
// for a sliver thinner than rounding, and ErrNone when no margin brings a point
// that flips. solves counts the programs.
func Margin(ctx context.Context, s polytope.Solver, p polytope.Problem, z []float64, flips func([]float64) bool) (point []float64, solves int, err error) {
	return MarginOf(ctx, s, p, z, smallest, flips)
}

// MarginOf is Margin for cells of data that may be as small as size: coordinates
// that are smaller count as that much, or as 1e-9 where that is less.
func MarginOf(ctx context.Context, s polytope.Solver, p polytope.Problem, z []float64, size float64, flips func([]float64) bool) (point []float64, solves int, err error) {
	accept := func(z []float64) bool { return p.Region.StrictlyContains(z) && flips(z) }
	z, ok := settle(p.Region.Box, z)
	if !ok {
		return nil, 0, nil
	}
	if p.Region.Rest == nil && accept(z) {
		return z, 0, nil
	}
	scale := min(size, smallest)
	for j, e := range z {
		scale = max(scale, math.Abs(e), math.Abs(p.X[j]))
	}
	p.Cutoff = 0
	p.Margin = first * scale
	if p.Region.Rest != nil {
		// Rounding moves lazily named half-spaces by a share of the distances
		// they were computed from, of which this one gives an idea.
		p.Margin = max(p.Margin, firstLazy*p.Norm.Distance(p.X, z))
	}
	for ; p.Margin <= last*max(1, scale); p.Margin *= growth {
		sol, err := s.Closest(ctx, p)
		if err != nil {
			return nil, solves, err
		}
		solves++
		switch sol.Status {
		case polytope.Infeasible:
			return nil, solves, nil
		case polytope.Stopped:
			return nil, solves, Stopped(ctx)
		}
		if inside, ok := settle(p.Region.Box, sol.Point); ok && accept(inside) {
			return inside, solves, nil
		}
	}
	return nil, solves, fmt.Errorf("%w, not even %.3g inside", ErrNone, p.Margin/growth)
}

// Margins grow from first to last times the size of the coordinates, which counts
// as smallest, or less, where they are smaller, and as 1 for the last one.
const (
	smallest  = 1e-9
	first     = 1e-14
	firstLazy = 1e-12
	growth    = 8
	last      = 1e-4
)

// settle moves z into the box, open sides respected.
func settle(b polytope.Box, z []float64) ([]float64, bool) {
	if b == nil {
		return z, true
	}
	return b.Inside(z, z)
}
