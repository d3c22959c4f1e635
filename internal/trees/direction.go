package trees

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Direction is the number that a test compares: a feature, or a sum of several.
type Direction struct {
	Feature  int
	Normal   []float64 // the weights of the sum, nil for a feature
	opposite []float64 // −Normal
}

// halfSpace returns one side of a border on an oblique direction.
func (d *Direction) halfSpace(b Border, low bool) polytope.HalfSpace {
	if low {
		return polytope.HalfSpace{A: d.Normal, B: b.End, Open: !b.Closed}
	}
	return polytope.HalfSpace{A: d.opposite, B: -b.End, Open: b.Closed}
}

// Restrict intersects p, a polyhedron in R^dim, with one side of a border.
func (d *Direction) Restrict(p *polytope.Polyhedron, dim int, b Border, low bool) {
	if d.Normal != nil {
		p.HalfSpaces = append(p.HalfSpaces, d.halfSpace(b, low))
		return
	}
	if p.Box == nil {
		p.Box = polytope.NewBox(dim)
	}
	p.Box[d.Feature] = geometry.Intersect(p.Box[d.Feature], b.Side(low))
}

// Contains reports whether x lies on one side of a border but for rounding, its end
// included. Where numbers overflow it does not.
func (d *Direction) Contains(x []float64, b Border, low bool) bool {
	if d.Normal == nil {
		v := x[d.Feature]
		return v == geometry.Nearest(b.Side(low), v)
	}
	h := d.halfSpace(b, low)
	v, err := precise.Excess(h.A, h.B, x)
	return v <= err && precise.Finite(v)
}

// Distance returns a lower bound on the distance from x to one side of a border within
// the domain, +Inf where that holds no input.
func (d *Direction) Distance(q *search.Query, x []float64, b Border, low bool) float64 {
	if d.Normal != nil {
		return q.Cost.BoundHalfSpace(d.halfSpace(b, low), x)
	}
	side := b.Side(low)
	if q.Domain != nil {
		side = geometry.Intersect(side, q.Domain[d.Feature])
	}
	if geometry.Empty(side) {
		return math.Inf(1)
	}
	v := x[d.Feature]
	return q.Cost.Gap(d.Feature, side, v)
}
