// Package cellpoint turns the closest point of a cell's closure, which lies on its
// border, into a point that the classifier itself puts inside.
package cellpoint

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// ErrNone is returned when a cell is wide and yet no point of it has the label that the cell
// promises.
var ErrNone = errors.New("no point of the cell is predicted as the cell says")

// ErrThin is returned when a cell may hold inputs, but no float64 point in it was found.
var ErrThin = errors.New("the cell is too thin for a float64 point inside")

// ErrStopped is returned for a solver that stops while its context goes on.
var ErrStopped = errors.New("the solver stopped before an answer")

// stopped returns why a solver stopped: the error of its context, or ErrStopped.
func stopped(ctx context.Context) error {
	return cmp.Or(ctx.Err(), ErrStopped)
}

// Toward returns the first of z + τ(inside − z), τ = 0 and then doubling from a
// rounding error to 1, that flips accepts, and whether there is one. inside is a
// point inside the cell, z one in its closure, so every point with τ
// > 0 is inside but for rounding. z is overwritten, and so is start, where z begins.
func Toward(z, inside, start []float64, flips func([]float64) bool) bool {
	if flips(z) {
		return true
	}
	copy(start, z)
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

// Margin finds a point of the region of p, within linear rules besides, which are no part of the
// classifier's cell, that flips accepts, as near to p.X as it can; z is the answer to both. It
// solves p again with growing margins until flips accepts a point in the region, and takes that
// back towards z. Where no margin fits, exact arithmetic says where inputs lie, on a line or at an
// end of a domain, say.
// Without a Rest z itself is tried first; with one it is tried last, because a point
// inside a lazily named half-space by a rounding error lies outside in another
// arithmetic.
//
// The data may be as small as size, 0 if that is not known: coordinates that are smaller
// count as that much, or as 1e-9 where that is less.
//
// Margin returns nil when the region holds no input, ErrThin when no float64 is known to be one,
// and ErrNone when margins fit but no point flips. solves counts the programs.
func Margin(
	ctx context.Context, s polytope.Solver, p polytope.Problem, linear []polytope.HalfSpace,
	z []float64, size float64, flips func([]float64) bool,
) (point []float64, solves int, err error) {
	if geometry.EmptyBox(p.Region.Box) {
		return nil, 0, nil
	}
	m := margins{ctx: ctx, solver: s, p: p, own: p.Region.HalfSpaces}
	holds := p.Region.Contains
	if d, ok := p.Region.Rest.(Decider); ok {
		m.decider = d
		listed := p.Region
		listed.Rest = nil
		holds = func(z []float64) bool { return listed.Contains(z) && d.Holds(z) }
	}
	m.accept = func(z []float64) bool {
		return holds(z) && rules.KeepsAll(linear, z) && flips(z)
	}
	m.p.Region = Within(p.Region, linear)
	if p.Region.Rest != nil && p.Region.Box != nil {
		m.p.Region.Rest = &unfrozen{p.Region.Rest, p.Region.Box}
	}
	near, ok := geometry.InsideBox(z, p.Region.Box, z)
	switch {
	case !ok && p.Region.Rest == nil && m.empty(near):
		return nil, 0, nil
	case !ok:
		return nil, 0, ErrThin
	}
	if p.Region.Rest == nil && m.accept(near) {
		return near, 0, nil
	}
	m.p.Cutoff = 0
	point, err = m.find(near, size)
	if point != nil {
		Closer(geometry.Of(&m.p), m.p.X, point, near, m.accept)
	}
	return point, m.solves, err
}

// margins looks for a point inside by programs with margins.
type margins struct {
	ctx     context.Context
	solver  polytope.Solver
	p       polytope.Problem
	decider Decider              // of the region, nil if it has none
	own     []polytope.HalfSpace // the half-spaces of p that are the cell's
	accept  func([]float64) bool
	solves  int
}

// empty reports whether the region provably holds no input around near.
func (m *margins) empty(near []float64) bool {
	_, exists := m.inputs(near)
	return !exists
}

// find tries margins from first to last times the size of the coordinates, then
// smaller ones, and then inputs that exact arithmetic finds.
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
		start = max(start, firstLazy*geometry.Of(&m.p).Distance(m.p.X, near))
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
	inputs, exists := m.inputs(near)
	switch {
	case !exists:
		return nil, nil
	case margin > last*max(1, scale)*highest:
		return nil, fmt.Errorf("%w, not even %.3g inside", ErrNone, margin/growth)
	}
	end := max(least*scale*lowest, leastFirst*least/first)
	for margin = start / growth; margin >= end; margin /= growth {
		if point, _, err := m.try(margin); point != nil || err != nil {
			return point, err
		}
	}
	if point := m.thin(near, inputs); point != nil {
		return point, nil
	}
	return nil, ErrThin
}

// thin returns an input where no margin fits: near itself, that but for the rounding of a
// program, or one that exact arithmetic has found; nil if none of them is accepted.
func (m *margins) thin(near []float64, inputs iter.Seq[[]float64]) []float64 {
	tries := func(yield func([]float64) bool) {
		if !yield(near) || !yield(rounded(near)) || inputs == nil {
			return
		}
		inputs(yield)
	}
	for z := range tries {
		if z, ok := geometry.InsideBox(z, m.p.Region.Box, z); ok && m.accept(z) {
			return z
		}
	}
	return nil
}

// rounded returns z with coordinates of few digits where those are next to its own. Points on whose
// place rows tie are often such, and of others sums of squares round.
func rounded(z []float64) []float64 {
	r := slices.Clone(z)
	for j, e := range z {
		_, exponent := math.Frexp(e)
		unit := math.Ldexp(1, exponent-fewBits)
		if short := math.RoundToEven(e/unit) * unit; math.Abs(short-e) <= nextTo*math.Abs(e) {
			r[j] = short
		}
	}
	return r
}

const (
	// fewBits is how many bits a short coordinate has: half of those of a float64.
	fewBits = 26
	// nextTo is by which share a program may have rounded a coordinate.
	nextTo = 1e-11
)

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
	point, ok := geometry.InsideBox(sol.Point, m.p.Region.Box, sol.Point)
	if ok && m.accept(point) {
		return point, true, nil
	}
	return nil, true, nil
}

// Margins grow from first to last times the size of the coordinates, which counts
// as smallest, or less, where they are smaller, and as 1 for the last one. Where not
// even the first fits they shrink to least, below which no float64 moves.
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
