package orderk

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
)

// census is what comes before the pivot at a point, of rows on which nothing is
// decided.
type census struct {
	rivals   int
	deepest  neighbors.TopK // of the rivals, by how far the point lies beyond the bisectors
	partners []int32        // rows of the side, up to the number that is needed
}

// tooManyRivals reports whether more rivals come before the pivot than may.
func (s *query) tooManyRivals(d *decisions, c *census) bool { return c.rivals > s.Spare-d.allowed }

// needsPartner reports whether fewer rows of the side come before the pivot than must.
func (s *query) needsPartner(d *decisions, c *census) bool {
	return d.joined+len(c.partners) < s.Seats-1
}

// countBefore counts the rows before the pivot at a point.
func (o *opener) countBefore(d *decisions, at *point) *census {
	c := &o.census
	c.rivals, c.partners = 0, c.partners[:0]
	c.deepest.Reset(o.Spare - d.allowed + 1)
	squared := at.squared(d.pivot().x)
	count := counter{o, d, at, c, squared, at.blur(squared)}
	if d.pivot().candidates.wide() {
		count.inTrees()
	} else {
		count.inCandidates()
	}
	return c
}

// counter takes a census.
type counter struct {
	*opener
	d             *decisions
	at            *point
	found         *census
	squared, blur float64 // distance of the pivot, and what of a difference may be rounding
}

// inCandidates passes over the candidate set.
func (c *counter) inCandidates() {
	s, limit := c.d.pivot().candidates, c.squared+c.blur
	near := c.at.nearby(limit)
	for i := range s.rivals {
		if r := &s.rivals[i]; !near.misses(r) {
			c.addRival(r.id, r.point, c.at.squaredOf(r, s.toRivals, i, limit))
		}
	}
	for i := range s.side {
		if r := &s.side[i].candidate; !near.misses(r) && !c.addPartner(r.id, c.at.squaredOf(r, s.toSide, i, limit)) {
			return
		}
	}
}

// inTrees visits the rows that may come before the pivot in the trees.
func (c *counter) inTrees() {
	c.at.within(c.rivals, c.squared+c.blur, func(id int32, p []float64, squared float64) bool {
		c.addRival(id, p, squared)
		return true
	})
	c.at.within(c.own, c.squared+c.blur, func(id int32, _ []float64, squared float64) bool {
		return c.addPartner(id, squared)
	})
}

// addRival counts a rival at a squared distance from the point, if it comes before the
// pivot.
func (c *counter) addRival(id int32, p []float64, squared float64) {
	lead := c.squared - squared
	if c.d.marks[id]&(mayPrecede|follows) != 0 || !c.comesBefore(c.at, id, c.d.pivot().id, lead, c.blur) {
		return
	}
	depth := math.Inf(1)
	if length := neighbors.DualDistance(c.Norm, p, c.d.pivot().x); length > 0 {
		depth = lead / length
	}
	c.found.rivals++
	c.found.deepest.Offer(depth, id)
}

// addPartner is addRival for a row of the side; it returns false once there are enough.
func (c *counter) addPartner(id int32, squared float64) bool {
	pivot := c.d.pivot().id
	if c.d.marks[id]&precedes == 0 && id != pivot && c.comesBefore(c.at, id, pivot, c.squared-squared, c.blur) {
		c.found.partners = append(c.found.partners, id)
		return c.needsPartner(c.d, c.found)
	}
	return true
}
