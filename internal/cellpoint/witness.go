// Package cellpoint turns the closest point of a cell's closure, which lies on its
// border, into a point that the classifier itself puts inside.
package cellpoint

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/gauge"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// ErrNone is returned when a cell has an interior and yet no point of it has the
// label that the cell promises.
var ErrNone = errors.New("no point of the cell is predicted as the cell says")

// ErrThin is returned when a cell may have an interior, but no float64 point in it
// was found.
var ErrThin = errors.New("the cell is too thin for a float64 point inside")

// ErrStopped is returned for a solver that stops while its context goes on.
var ErrStopped = errors.New("the solver stopped before an answer")

// stopped returns why a solver stopped: the error of its context, or ErrStopped.
func stopped(ctx context.Context) error {
	return cmp.Or(ctx.Err(), ErrStopped)
}

// Toward returns the first of z + τ(inside − z), τ = 0 and then doubling from a
// rounding error to 1, that flips accepts, and whether there is one. inside is a
// point in the interior of the cell, z one in its closure, so every point with τ
// > 0 is inside but for rounding. z is overwritten.
func Toward(z, inside []float64, flips func([]float64) bool) bool {
	if flips(z) {
		return true
	}
	start := slices.Clone(z)
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

// Margin finds a point of the region of p that flips accepts, as near to p.X as it
// can; z is the answer to p. It solves p again with growing margins until flips
// accepts a point in the interior of the region, and takes that back towards z.
// Without a Rest z itself is tried first; with one it is not, because what lies
// inside a lazily named half-space by a rounding error lies outside in another
// arithmetic.
//
// The data may be as small as size, 0 if that is not known: coordinates that are smaller
// count as that much, or as 1e-9 where that is less.
//
// Margin returns nil when no input of the region counts (see face), ErrThin when
// it could not tell, and ErrNone when there is one but no point that flips. solves
// counts the programs.
func Margin(
	ctx context.Context, s polytope.Solver, p polytope.Problem, z []float64, size float64,
	flips func([]float64) bool,
) (point []float64, solves int, err error) {
	return MarginWithin(ctx, s, p, nil, z, size, flips)
}

// MarginWithin is Margin of a region within linear rules, which are no part of the classifier's
// cell: as with the box, an input on the border of one is like any other. z is the answer to both.
func MarginWithin(
	ctx context.Context, s polytope.Solver, p polytope.Problem, linear []polytope.HalfSpace,
	z []float64, size float64, flips func([]float64) bool,
) (point []float64, solves int, err error) {
	m := margins{
		ctx:    ctx,
		solver: s,
		p:      p,
		own:    p.Region.HalfSpaces,
		linear: linear,
		flips:  flips,
		accept: func(z []float64) bool {
			return p.Region.StrictlyContains(z) && rules.KeepsAll(linear, z) && flips(z)
		},
	}
	m.p.Region = Within(p.Region, linear)
	if d, ok := p.Region.Rest.(Decider); ok && p.Region.Box != nil {
		m.p.Region.Rest = &onFace{d, p.Region.Box}
	}
	if p.Region.Box.Empty() {
		return nil, 0, nil
	}
	near, ok := p.Region.Box.Inside(z, z)
	switch {
	case !ok && p.Region.Rest == nil && m.hollow(near):
		return nil, 0, nil
	case !ok:
		return nil, 0, ErrThin
	}
	if p.Region.Rest == nil && m.accept(near) {
		return near, 0, nil
	}
	m.p.Cutoff = 0
	point, err = m.near(near, size)
	return point, m.solves, err
}

// near finds a point, and takes it back towards near.
func (m *margins) near(near []float64, size float64) ([]float64, error) {
	point, err := m.find(near, size)
	if point != nil {
		Closer(gauge.Of(m.p.Norm, m.p.Prices), m.p.X, point, near, m.accept)
	}
	return point, err
}

// onFace finds a point where the region touches a face of its box. There the half-spaces that hold
// with equality leave no margin, so it is the classifier alone that accepts a point. Where they
// leave nothing else it is the point inside, nil if that is not known.
func (m *margins) onFace(
	face polytope.Box, near, inside []float64, size float64,
) ([]float64, error) {
	on := *m
	on.p.Region = polytope.Polyhedron{
		Box: face, HalfSpaces: m.linear, Rest: &onFace{m.p.Region.Rest.(Decider), face},
	}
	on.accept = func(z []float64) bool {
		return face.Contains(z) && rules.KeepsAll(m.linear, z) && m.flips(z)
	}
	near, ok := face.Inside(slices.Clone(near), near)
	if !ok {
		return nil, ErrThin
	}
	if on.accept(near) {
		return near, nil
	}
	point, err := on.near(near, size)
	m.solves = on.solves
	if point == nil && inside != nil && on.accept(inside) {
		return inside, nil
	}
	if point == nil && (err == nil || errors.Is(err, ErrNone)) {
		err = ErrThin // it holds an input, as exact arithmetic says
	}
	return point, err
}

// margins looks for a point inside by programs with margins.
type margins struct {
	ctx    context.Context
	solver polytope.Solver
	p      polytope.Problem
	own    []polytope.HalfSpace // the half-spaces of p that are the cell's, and
	linear []polytope.HalfSpace // the others
	flips  func([]float64) bool
	accept func([]float64) bool // within the interior
	solves int
}

// find tries margins from first to last times the size of the coordinates, then
// smaller ones.
func (m *margins) find(near []float64, size float64) ([]float64, error) {
	scale := smallest
	if size > 0 {
		scale = min(size, smallest)
	}
	for j, e := range near {
		scale = max(scale, math.Abs(e), math.Abs(m.p.X[j]))
	}
	lowest, highest := extremes(m.p.Prices)
	start := max(first*scale*lowest, leastFirst)
	if m.p.Region.Rest != nil {
		// Rounding moves lazily named half-spaces by a share of the distances
		// they were computed from, of which this one gives an idea.
		start = max(start, firstLazy*gauge.Of(m.p.Norm, m.p.Prices).Distance(m.p.X, near))
	}
	margin := start
	for ; margin <= last*max(1, scale)*highest; margin *= growth {
		point, inside, err := m.try(margin)
		if point != nil || err != nil {
			return point, err
		}
		if !inside {
			break
		}
	}
	switch on, inside, exists := m.face(near); {
	case !exists:
		return nil, nil
	case !slices.Equal(on, m.p.Region.Box):
		return m.onFace(on, near, inside, size)
	case margin > last*max(1, scale)*highest:
		return nil, fmt.Errorf("%w, not even %.3g inside", ErrNone, margin/growth)
	}
	end := max(least*scale*lowest, leastFirst*least/first)
	for margin = start / growth; margin >= end; margin /= growth {
		if point, _, err := m.try(margin); point != nil || err != nil {
			return point, err
		}
	}
	// its sides are what it says they are
	whole := m.p.Region.Rest == nil || isPoint(m.p.Region.Box)
	if m.accept(near) || (whole && m.p.Region.Contains(near) &&
		rules.KeepsAll(m.linear, near) && m.flips(near)) {
		return near, nil
	}
	return nil, ErrThin
}

// extremes returns the lowest and the highest of the prices that are not +Inf, in which margins are
// measured; 1 if there are none.
func extremes(p *polytope.Prices) (lowest, highest float64) {
	if p == nil {
		return 1, 1
	}
	lowest, highest = math.Inf(1), 0
	for _, price := range slices.Concat(p.Up, p.Down) {
		if !math.IsInf(price, 1) {
			lowest, highest = min(lowest, price), max(highest, price)
		}
	}
	if highest == 0 {
		return 1, 1
	}
	return lowest, highest
}

// isPoint reports whether a box holds a single point, in which ties count as the
// classifier decides them.
func isPoint(b polytope.Box) bool {
	return b != nil &&
		!slices.ContainsFunc(b, func(i polytope.Interval) bool { return i.Lo != i.Hi })
}

// try solves the program with a margin. inside says that there is a point that far
// inside, which is returned if it is accepted.
func (m *margins) try(margin float64) (point []float64, inside bool, err error) {
	m.p.Margin = margin
	sol, err := m.solver.Closest(m.ctx, m.p)
	if err != nil {
		return nil, false, err
	}
	m.solves++
	switch sol.Status {
	case polytope.StatusInfeasible:
		return nil, false, nil
	case polytope.StatusStopped:
		return nil, false, stopped(m.ctx)
	}
	if point, ok := m.p.Region.Box.Inside(sol.Point, sol.Point); ok && m.accept(point) {
		return point, true, nil
	}
	return nil, true, nil
}

// Margins grow from first to last times the size of the coordinates, which counts
// as smallest, or less, where they are smaller, and as 1 for the last one. Where not
// even the first fits they shrink to least, below which nothing moves a float64.
const (
	smallest  = 1e-9
	first     = 1e-14
	firstLazy = 1e-12
	growth    = 8
	last      = 1e-4
	least     = 0x1p-54
	// leastFirst keeps margins from becoming 0 where coordinates or prices are as small as float64
	// goes.
	leastFirst = 0x1p-1000
)
