package orderk

import (
	"context"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/closest"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
)

const (
	// quickSeats is the number of seats up to which a search is over before it
	// pays to improve its first answer.
	quickSeats = 4
	// improved is how many first answers are improved.
	improved = 4
	// leastGain is the least share of the distance that a step must save.
	leastGain = 1e-3
)

// improve goes from a point that answers to nearer ones of other cells, as long as it
// finds any: it makes those rows the nearest that would be so at shares of the way to
// the answer. Nothing is proven by it.
func (o *opener) improve(ctx context.Context, z []float64) []float64 {
	shares := [...]float64{0.7, 0.85, 0.93, 0.97, 1}
	distance := o.Norm.Distance(o.X, z)
	for i := 0; i < len(shares); i++ {
		y := make([]float64, len(z))
		for j, e := range o.X {
			y[j] = e + shares[i]*(z[j]-e)
		}
		try := o.closestLike(ctx, y, distance)
		if try == nil || !o.answers(try) {
			continue
		}
		if d := o.Norm.Distance(o.X, try); d < distance*(1-leastGain) {
			z, distance = try, d
			i = -1
		}
	}
	return z
}

// closestLike returns the point nearest to X at which the rows of the side that are
// nearest to y come before all rivals but those nearest to y, nil if there is none
// within a distance.
func (o *opener) closestLike(ctx context.Context, y []float64, distance float64) []float64 {
	own, spared := firstIDs(o.own, y, o.Seats), firstIDs(o.rivals, y, o.Spare)
	var added []constraint
	o.program.start(nil)
	for {
		o.solves++
		sol, err := o.program.solve(ctx, distance)
		if err != nil || sol.status != closest.Optimal {
			return nil
		}
		at, before := o.moveTo(sol), len(added)
		o.addSides(&added, at)
		if !o.addLead(&added, at, own, spared) {
			return nil
		}
		if len(added) == before {
			return slices.Clone(at.z)
		}
	}
}

// addLead adds the constraint that the last of own comes before the first rival that
// is not spared, by a lead, if that is violated. It returns false if it holds nowhere.
func (o *opener) addLead(added *[]constraint, at *point, own, spared []int32) bool {
	last := slices.MaxFunc(own, o.byDistance(at))
	for _, id := range firstIDs(o.rivals, at.z, len(spared)+1) {
		if !slices.Contains(spared, id) {
			return o.addViolated(added, at, o.withLead(at, o.bisector(last, id)))
		}
	}
	return true
}

// firstIDs returns the rows of trees nearest to z, in order.
func firstIDs(trees neighbors.Trees, z []float64, most int) []int32 {
	if most == 0 {
		return nil
	}
	first := trees.First(z, most)
	ids := make([]int32, len(first))
	for i, n := range first {
		ids[i] = n.ID
	}
	return ids
}
