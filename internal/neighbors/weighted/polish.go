package weighted

import (
	"context"

	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
)

// Newton steps of polish: the first are exact, the others lie inside by a growing
// share of the distances.
const (
	exactSteps  = 3
	insideSteps = 8
)

// The margins of polish begin with a share of the distance or, where X itself is next
// to an answer, of the box.
const (
	firstMargin = 1e-14
	boxMargin   = 0x1p-36
	growMargin  = 8
)

// polish returns an answer near the closest point of a node, nil if there is none: it
// solves for the zero of the sums' tangents in turn. Where a margin leaves no input it reports
// whether the node is empty.
func (o *opener) polish(ctx context.Context, p *node) (z []float64, empty bool, err error) {
	if p.point == nil {
		return nil, false, nil
	}
	u := p.point
	margin, width := 0.0, 0.0
	for j, i := range p.box {
		width = max(width, o.width(j, i))
	}
	for step := range exactSteps + insideSteps {
		if z, ok := o.at(u); ok {
			return z, false, nil
		}
		if step >= exactSteps {
			margin = max(margin*growMargin, firstMargin*o.q.Cost.Length(u),
				boxMargin*width)
		}
		f := o.pairRows(p)
		for _, terms := range p.sums {
			o.addTangent(f, u, terms)
		}
		sol, err := o.closest(ctx, p.box, f, margin, 0)
		switch {
		case ctx.Err() != nil:
			return nil, false, ctx.Err()
		case err != nil:
			return nil, false, nil // this is only a try
		case sol.Point == nil:
			return nil, margin > 0 && o.flat(p), nil
		}
		u = sol.Point
	}
	return nil, false, nil
}

// flat reports whether a node's set holds no input, in exact arithmetic: bisectors between rows of
// a grid that leave no input must not be split into small boxes along a line or a plane.
func (o *opener) flat(p *node) bool {
	if len(p.pairs) > neighbors.MostTies {
		return false
	}
	r := o.table.ExactSystem(o.q.X, o.q.Domain)
	r.Faces()
	for _, c := range p.pairs {
		r.Before(c.in, c.out)
	}
	return !r.Exists()
}
