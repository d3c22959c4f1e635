package classifier

import (
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// obliqueRegion is a product of ranges of slots under construction. Only the
// directions that restrict it are touched.
type obliqueRegion struct {
	grid    *obliqueGrid
	sides   []obliqueSide // by direction
	touched []int32       // directions with a border, in the order they got it
	undo    []obliqueSide // what meet has changed, the last one at the end

	box        polytope.Box // of polyhedron
	halfSpaces []polytope.HalfSpace
}

func newObliqueRegion(g *obliqueGrid, dim int) *obliqueRegion {
	r := &obliqueRegion{grid: g, sides: make([]obliqueSide, len(g.borders)), box: make(polytope.Box, dim)}
	for d := range r.sides {
		r.sides[d] = r.whole(int32(d))
	}
	return r
}

// whole returns all slots of a direction.
func (r *obliqueRegion) whole(d int32) obliqueSide {
	return obliqueSide{direction: d, hi: int32(len(r.grid.borders[d]))}
}

// reset makes the region all of space.
func (r *obliqueRegion) reset() {
	for _, d := range r.touched {
		r.sides[d] = r.whole(d)
	}
	r.touched, r.undo = r.touched[:0], r.undo[:0]
}

// meet intersects the region with a side; false when they have no common interior
// on that direction.
func (r *obliqueRegion) meet(s obliqueSide) bool {
	old := r.sides[s.direction]
	now := obliqueSide{s.direction, max(old.lo, s.lo), min(old.hi, s.hi)}
	if now == old {
		return true
	}
	if old == r.whole(s.direction) {
		r.touched = append(r.touched, s.direction)
	}
	r.undo = append(r.undo, old)
	r.sides[s.direction] = now
	return r.grid.solid(now)
}

// mark returns a place to go back to.
func (r *obliqueRegion) mark() int { return len(r.undo) }

// back takes back what was met since mark.
func (r *obliqueRegion) back(mark int) {
	for len(r.undo) > mark {
		old := r.undo[len(r.undo)-1]
		r.undo = r.undo[:len(r.undo)-1]
		r.sides[old.direction] = old
		if old == r.whole(old.direction) {
			r.touched = r.touched[:len(r.touched)-1]
		}
	}
}

// polyhedron returns the region within a domain. It is overwritten by the next call.
func (r *obliqueRegion) polyhedron(domain polytope.Box) polytope.Polyhedron {
	p := polytope.Polyhedron{Box: domain, HalfSpaces: r.halfSpaces[:0]}
	own := false
	for _, i := range r.touched {
		d, s, borders := &r.grid.directions[i], r.sides[i], r.grid.borders[i]
		if d.normal == nil && !own {
			p.Box, own = r.fill(domain), true
		}
		if s.lo > 0 {
			d.restrict(&p, len(r.box), borders[s.lo-1], false)
		}
		if int(s.hi) < len(borders) {
			d.restrict(&p, len(r.box), borders[s.hi], true)
		}
	}
	r.halfSpaces = p.HalfSpaces
	return p
}

// fill returns a copy of the domain.
func (r *obliqueRegion) fill(domain polytope.Box) polytope.Box {
	for f := range r.box {
		r.box[f] = polytope.Line()
	}
	copy(r.box, domain)
	return r.box
}
