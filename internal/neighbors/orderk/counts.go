package orderk

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
)

// manyRivals is the number of candidates from which on those nearest to X are counted first:
// where they are too many already, the deepest of them will do.
const manyRivals = 8 * neighbors.NearRivals

// rankCounts are the undecided rows that come before the pivot at a point.
type rankCounts struct {
	rivals   int
	deepest  neighbors.TopK // of the rivals, by how far the point lies beyond the bisectors
	partners []int32        // supporting rows, up to the number that is needed
}

// needsPartner reports whether fewer supporting rows come before the pivot than must.
func (s *query) needsPartner(d *decisions, c *rankCounts) bool {
	return d.joined+len(c.partners) < s.Required-1
}

// countBefore counts the rows before the pivot at a point.
func (o *opener) countBefore(d *decisions, at *point) *rankCounts {
	c, pivot, allowed := &o.counts, d.pivot(), o.Allowed-len(d.preceding)
	c.partners = c.partners[:0]
	forget := func() {
		c.rivals = 0
		c.deepest.Reset(allowed + 1)
	}
	forget()
	distance := at.squared(pivot.x)
	tolerance := at.tolerance(distance)
	addRival := func(id int32, squared float64) bool {
		margin := distance - squared
		if d.marks[id]&(precedes|follows) == 0 &&
			o.comesBefore(at, id, pivot.id, margin, tolerance) {
			depth := math.Inf(1)
			if length := neighbors.DualDistance(
				o.Cost, o.table.Row(id), pivot.x,
			); length > 0 {
				depth = margin / length
			}
			c.rivals++
			c.deepest.Offer(depth, id)
		}
		return true
	}
	addPartner := func(id int32, squared float64) bool { // until there are enough
		if d.marks[id]&precedes == 0 && id != pivot.id &&
			o.comesBefore(at, id, pivot.id, distance-squared, tolerance) {
			c.partners = append(c.partners, id)
			return o.needsPartner(d, c)
		}
		return true
	}
	s := pivot.candidates
	if len(s.rivals) > manyRivals {
		for i, n := range o.near.First {
			addRival(n.ID, at.squared(o.near.Row(i)))
		}
	}
	if c.rivals <= allowed {
		forget()
		if s.wide() {
			at.within(o.rivals, distance+tolerance, addRival)
		} else {
			o.among(at, s.rivals, s.toRivals, distance+tolerance, addRival)
		}
	}
	if s.wide() {
		at.within(o.own, distance+tolerance, addPartner)
	} else {
		o.among(at, s.supporting, s.toSupporting, distance+tolerance, addPartner)
	}
	return c
}
