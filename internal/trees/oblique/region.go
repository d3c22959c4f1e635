package oblique

import (
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// region is a product of intervals under construction. Only the directions that
// restrict it are touched.
type region struct {
	grid    *grid
	ranges  []interval // by direction
	touched []int32    // directions with a border, in the order they got it
	undo    []interval // the changes of meet, the last one at the end

	box        polytope.Box // of polyhedron
	halfSpaces []polytope.HalfSpace
}

func newRegion(g *grid, dim int) *region {
	r := &region{grid: g, ranges: make([]interval, len(g.borders)), box: make(polytope.Box, dim)}
	for d := range r.ranges {
		r.ranges[d] = g.whole(int32(d))
	}
	return r
}

// reset makes the region all of space.
func (r *region) reset() {
	for _, d := range r.touched {
		r.ranges[d] = r.grid.whole(d)
	}
	r.touched, r.undo = r.touched[:0], r.undo[:0]
}

// meet intersects the region with intervals, until it finds that they are disjoint on a direction,
// which it reports.
func (r *region) meet(ranges ...interval) bool {
	for _, s := range ranges {
		old := r.ranges[s.direction]
		now := old.meet(s)
		if now == old {
			continue
		}
		if old == r.grid.whole(s.direction) {
			r.touched = append(r.touched, s.direction)
		}
		r.undo = append(r.undo, old)
		r.ranges[s.direction] = now
		if now.empty() {
			return false
		}
	}
	return true
}

// load makes the region that of a node of the search.
func (r *region) load(s *node) {
	r.reset()
	for ; s.parent != nil; s = s.parent {
		r.meet(s.interval)
	}
}

// mark returns a state to go back to.
func (r *region) mark() int { return len(r.undo) }

// back undoes the meetings since mark.
func (r *region) back(mark int) {
	for len(r.undo) > mark {
		old := r.undo[len(r.undo)-1]
		r.undo = r.undo[:len(r.undo)-1]
		r.ranges[old.direction] = old
		if old == r.grid.whole(old.direction) {
			r.touched = r.touched[:len(r.touched)-1]
		}
	}
}

// restrict makes the region that of the inputs that reach node i of a tree, whose nodes
// test these directions; false when its tests contradict each other.
func (r *region) restrict(t *trees.Oblique, i int, tested []int32) bool {
	r.reset()
	for i > 0 {
		s, parent, low := t.Above(i)
		switch {
		case s.Settled() && !low:
			return false
		case !s.Settled() && !r.meet(r.grid.side(tested[parent], s.Border, low)):
			return false
		}
		i = parent
	}
	return true
}

// restricted returns the ranges of the directions that are not whole.
func (r *region) restricted() []interval {
	ranges := make([]interval, len(r.touched))
	for i, d := range r.touched {
		ranges[i] = r.ranges[d]
	}
	return ranges
}

// polyhedron returns the region within a domain. It is overwritten by the next call.
func (r *region) polyhedron(domain polytope.Box) polytope.Polyhedron {
	p := polytope.Polyhedron{Box: domain, HalfSpaces: r.halfSpaces[:0]}
	own := false
	for _, i := range r.touched {
		d, s, borders := &r.grid.directions[i], r.ranges[i], r.grid.borders[i]
		if d.Normal == nil && !own {
			p.Box, own = r.box, true
			for f := range r.box {
				r.box[f] = polytope.Line()
			}
			copy(r.box, domain)
		}
		if s.lo > 0 {
			d.Restrict(&p, len(r.box), borders[s.lo-1], false)
		}
		if int(s.hi) < len(borders) {
			d.Restrict(&p, len(r.box), borders[s.hi], true)
		}
	}
	r.halfSpaces = p.HalfSpaces
	return p
}
