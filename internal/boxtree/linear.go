package boxtree

import (
	"context"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/climb"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// sides returns the values of the features that linear rules tie together in a box.
func (s *boxSearch) sides(b grid.Box) []polytope.Interval {
	sides := make([]polytope.Interval, len(s.tied.Features))
	for i, f := range s.tied.Features {
		sides[i] = s.Borders[f].Values(b[f].Lo, b[f].Hi)
	}
	return sides
}

// joined returns a lower bound on the cost of inputs of a box whose features that are tied together
// cost so much at least.
func (s *boxSearch) joined(b grid.Box, own float64) float64 {
	if math.IsInf(own, 1) {
		return own
	}
	costs, next := []float64{own}, 0
	for f, span := range b {
		if next < len(s.tied.Features) && s.tied.Features[next] == f {
			next++
			continue
		}
		gap := s.Gap(int32(f), span.Lo, span.Hi)
		if gap >= grid.Closed {
			return math.Inf(1)
		}
		costs = append(costs, gap)
	}
	length := geometry.Length(s.Norm, costs)
	if s.Norm != polytope.LInf {
		length *= 1 - precise.Noise(len(costs))
	}
	return min(length, math.MaxFloat64)
}

// relaxed returns a lower bound on the cost of inputs of a box that keep the linear rules, +Inf if
// there is none, and where the program of that has put the features that are tied together.
func (s *boxSearch) relaxed(b grid.Box) (bound float64, tied []float64) {
	bound, tied = s.tied.Relax(s.sides(b))
	return s.joined(b, bound), tied
}

// closest returns such a bound and the input of a box that costs least, nil if none is found.
func (s *boxSearch) closest(b grid.Box) (bound float64, z []float64) {
	bound, tied := s.tied.Closest(s.sides(b))
	if bound = s.joined(b, bound); tied == nil {
		return bound, nil
	}
	z, ok := s.coding.Point(&s.View, b)
	if !ok {
		return bound, nil
	}
	for i, f := range s.tied.Features {
		z[f] = tied[i]
	}
	if math.IsInf(s.Query.Distance(z), 1) {
		return bound, nil
	}
	return bound, z
}

// attainedWithin is by how much, relative to max(1, distance), an answer may exceed the bound of
// its node and yet solve it.
const attainedWithin = 1e-11

// solveTied is solve where the best choices have an intersection b and linear rules tie features
// together: the nearest input of b without the rules may keep none. The point of the region's
// program says where to split.
func (o *opener) solveTied(
	h *half, b grid.Box, split grid.Cut, cutoff float64,
) (a *search.Answer, _ grid.Cut, open bool) {
	n := &h.node
	distance, z := o.closest(b)
	if distance <= cutoff || distance-n.Bound <= attainedWithin*max(1, distance) {
		a = o.confirm(z, max(n.Bound, distance))
	}
	if a != nil && a.Distance-n.Bound <= attainedWithin*max(1, a.Distance) {
		a.Bound = min(a.Bound, n.Bound)
		return a, split, false
	}
	if split.Feature >= 0 {
		return a, split, true
	}
	if split, ok := o.toward(b, h.tied); ok {
		return a, split, true
	}
	if n.Bound = max(n.Bound, distance); a != nil || n.Bound > min(cutoff, math.MaxFloat64) {
		return a, split, false
	}
	if split, ok := o.undecided(); ok {
		return nil, split, true
	}
	open = (z == nil || o.anyOrder()) && o.mayAnswer(b)
	return nil, grid.Cut{Feature: -1}, open
}

// toward returns where to split the region so that one half holds b: beside where the features that
// are tied together are if that is outside; false if the region is b.
func (o *opener) toward(b grid.Box, tied []float64) (split grid.Cut, ok bool) {
	for i, v := range tied {
		f := o.tied.Features[i]
		switch at := o.Borders[f].Interval(v); {
		case at < b[f].Lo && b[f].Lo > o.region.box[f].Lo:
			return grid.Cut{Feature: int32(f), After: b[f].Lo - 1}, true
		case at > b[f].Hi && b[f].Hi < o.region.box[f].Hi:
			return grid.Cut{Feature: int32(f), After: b[f].Hi}, true
		}
	}
	return o.region.box.Outside(b)
}

// pin restricts a box, and moves a cell, to intervals of values of the features that are tied
// together, if these are known.
func (s *boxSearch) pin(box grid.Box, cell []int32, tied []float64) grid.Box {
	box = slices.Clone(box)
	for i, v := range tied {
		f := s.tied.Features[i]
		at := min(max(s.Borders[f].Interval(v), box[f].Lo), box[f].Hi)
		box[f], cell[f] = grid.Span{Lo: at, Hi: at}, at
	}
	return box
}

// pinnedAnswer looks for an answer that keeps the linear rules, from a cell that answers and does
// not: first where the features that are tied together are next to that cell, then next to X.
func (s *boxSearch) pinnedAnswer(
	ctx context.Context, l *climb.Search, margins []trees.Margin, cell []int32, cutoff float64,
) *search.Answer {
	whole := s.sides(s.Domain)
	_, nearX := s.tied.Relax(whole)
	from := make([]float64, len(s.tied.Features))
	for i, f := range s.tied.Features {
		from[i] = geometry.Nearest(s.Borders[f].Values(cell[f], cell[f]), s.Query.X[f])
	}
	for _, tied := range [...][]float64{s.tied.Near(whole, from), nearX} {
		if tied == nil {
			continue
		}
		start := slices.Clone(cell)
		box := s.pin(s.Domain, start, tied)
		distance, ok := l.Inside(ctx, margins, box, start, cutoff, true)
		if !ok {
			continue
		}
		if a := s.answer(grid.At(start), distance); a != nil && a.Bound <= cutoff {
			return a
		}
	}
	return nil
}
