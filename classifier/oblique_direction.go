package classifier

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// obliqueDirection is what a test compares: a feature, or a sum of several.
type obliqueDirection struct {
	feature  int
	normal   []float64 // the weights of the sum, nil for a feature
	opposite []float64 // −normal
}

// interval returns one side of a border on the line of the feature.
func (d *obliqueDirection) interval(b border, low bool) polytope.Interval {
	if low {
		return polytope.Interval{Lo: math.Inf(-1), Hi: b.end, HiOpen: !b.closed}
	}
	return polytope.Interval{Lo: b.end, LoOpen: b.closed, Hi: math.Inf(1)}
}

// halfSpace returns one side of a border on an oblique direction.
func (d *obliqueDirection) halfSpace(b border, low bool) polytope.HalfSpace {
	if low {
		return polytope.HalfSpace{A: d.normal, B: b.end, Open: !b.closed}
	}
	return polytope.HalfSpace{A: d.opposite, B: -b.end, Open: b.closed}
}

// restrict intersects p, a polyhedron in R^dim, with one side of a border.
func (d *obliqueDirection) restrict(p *polytope.Polyhedron, dim int, b border, low bool) {
	if d.normal != nil {
		p.HalfSpaces = append(p.HalfSpaces, d.halfSpace(b, low))
		return
	}
	if p.Box == nil {
		p.Box = polytope.NewBox(dim)
	}
	p.Box[d.feature] = p.Box[d.feature].Intersect(d.interval(b, low))
}

// contains reports whether x lies on one side of a border but for rounding, its end
// included. Where numbers overflow it does not.
func (d *obliqueDirection) contains(x []float64, b border, low bool) bool {
	if d.normal == nil {
		v := x[d.feature]
		return v == d.interval(b, low).Closest(v)
	}
	v, err := d.halfSpace(b, low).Excess(x)
	return v <= err && math.Abs(v) <= math.MaxFloat64
}

// distance returns a lower bound on the distance from x to one side of a border
// within the domain, +Inf where nothing lies there.
func (d *obliqueDirection) distance(q *search.Query, x []float64, b border, low bool) float64 {
	if d.normal != nil {
		return d.halfSpace(b, low).Bound(q.Norm, x)
	}
	side := d.interval(b, low)
	if q.Domain != nil {
		side = side.Intersect(q.Domain[d.feature])
	}
	if side.Empty() {
		return math.Inf(1)
	}
	return side.Bound(x[d.feature])
}
