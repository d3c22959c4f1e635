package orderk

import (
	"context"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/closest"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
)

const (
	// walkSeats is the number of seats up to which a search is over before a walk
	// pays.
	walkSeats = 4
	// walkStarts is how many points a walk starts from.
	walkStarts = 4
	// walkGain is the least share of the distance that a step must save.
	walkGain = 1e-3
)

// walkShares are the shares of the way to an answer at which a walk looks for the
// rows that are to be neighbours instead.
var walkShares = [...]float64{0.7, 0.85, 0.93, 0.97, 1}

// walk goes from a point that answers to nearer ones of other cells, as long as it
// finds any: it makes those rows the nearest that would be so a little nearer to X.
// Nothing is proven by it.
func (o *orderOpener) walk(ctx context.Context, z []float64) (nearest []float64, solves int) {
	o.solves = 0
	distance := o.q.Norm.Distance(o.q.X, z)
	for i := 0; i < len(walkShares); i++ {
		try := o.lead(ctx, o.between(z, walkShares[i]), distance)
		if try == nil || !o.answers(try) {
			continue
		}
		if d := o.q.Norm.Distance(o.q.X, try); d < distance*(1-walkGain) {
			z, distance = try, d
			i = -1
		}
	}
	return z, o.solves
}

// between returns a point on the way from X to z.
func (o *orderOpener) between(z []float64, share float64) []float64 {
	y := make([]float64, len(z))
	for j, e := range o.q.X {
		y[j] = e + share*(z[j]-e)
	}
	return y
}

// lead returns the point nearest to X at which the rows of the side that are
// nearest to y come before all rivals but those nearest to y, nil if there is none
// within a distance.
func (o *orderOpener) lead(ctx context.Context, y []float64, distance float64) []float64 {
	own, spared := o.first(o.own, y, o.quota.Seats), o.first(o.rivals, y, o.quota.Spare)
	o.rows, o.impossible = o.rows[:0], false
	o.program.start(nil)
	for !o.impossible {
		o.solves++
		status, err := o.program.solve(ctx, distance)
		if err != nil || status != closest.Optimal {
			return nil
		}
		o.move()
		before := len(o.rows)
		o.addSides()
		o.addLead(own, spared)
		if len(o.rows) == before {
			return slices.Clone(o.z)
		}
	}
	return nil
}

// addLead adds the row that the last of own comes before the first rival that is
// not spared, by a lead, if that is violated.
func (o *orderOpener) addLead(own, spared []int32) {
	last := o.farthestOf(own)
	for _, id := range o.first(o.rivals, o.z, len(spared)+1) {
		if slices.Contains(spared, id) {
			continue
		}
		r := o.bisector(last, id)
		if r.a != nil {
			r.b -= o.shift(r)
		}
		o.addViolated(r)
		return
	}
}

// first returns the rows of trees nearest to z, in order.
func (o *orderOpener) first(trees neighbors.Trees, z []float64, most int) []int32 {
	o.nearest.Reset(most, math.Inf(1))
	if most > 0 {
		for _, t := range trees {
			t.Nearest(z, &o.nearest)
		}
	}
	all := slices.Clone(o.nearest.All())
	slices.SortFunc(all, nnindex.Neighbor.Compare)
	ids := make([]int32, len(all))
	for i, n := range all {
		ids[i] = n.ID
	}
	return ids
}
