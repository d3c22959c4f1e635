package classifier

import (
	"context"

	"github.com/seed-1a7dc1f9/facet/internal/cellpoint"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Newton steps of polish: the first are exact, the others lie inside by a growing
// share of the distances.
const (
	exactSteps  = 3
	insideSteps = 8
)

// polish returns an answer near the closest point of a part, nil if there is none:
// it solves for the zero of the sums' tangents in turn. It reports whether some
// margin left nothing.
func (o *weightedOpener) polish(ctx context.Context, part *weightedPart) (z []float64, lost bool, err error) {
	if part.point == nil {
		return nil, false, nil
	}
	if z := o.singular(part); z != nil {
		return z, false, nil
	}
	u := part.point
	margin, width := 0.0, 0.0
	for j, lo := range part.lo {
		width = max(width, part.hi[j]-lo)
	}
	for step := range exactSteps + insideSteps {
		if z, ok := o.at(u); ok {
			return z, false, nil
		}
		if step >= exactSteps {
			margin = max(margin*growMargin, firstMargin*o.q.Norm.Length(u), boxMargin*width)
		}
		o.family.reset(len(u))
		for _, p := range part.pairs {
			o.addPair(p)
		}
		for _, terms := range part.set.sums {
			o.addTangent(u, terms)
		}
		p := o.problem(part)
		p.Margin = margin
		sol, err := o.q.Solver.Closest(ctx, p)
		o.solves++
		if err == nil && sol.Status == polytope.StatusStopped {
			return nil, false, cellpoint.Stopped(ctx)
		}
		if err != nil || sol.Status != polytope.StatusOptimal {
			return nil, err == nil && margin > 0, nil
		}
		u = sol.Point
	}
	return nil, false, nil
}

// The margins of polish begin with a share of the distance or, where X itself is next
// to an answer, of the box.
const (
	firstMargin = 1e-14
	boxMargin   = 0x1p-36
	growMargin  = 8
)

// singular returns a row in the box that answers, nil if none does: next to one
// the sums have no bound.
func (o *weightedOpener) singular(part *weightedPart) []float64 {
	for _, terms := range part.set.sums {
		for _, t := range terms {
			if t.net <= 0 || !inBox(o.point(t.group), part.lo, part.hi) {
				continue
			}
			if z, ok := o.at(o.point(t.group)); ok {
				return z
			}
		}
	}
	return nil
}

func inBox(u, lo, hi []float64) bool {
	for j, e := range u {
		if e < lo[j] || e > hi[j] {
			return false
		}
	}
	return true
}
