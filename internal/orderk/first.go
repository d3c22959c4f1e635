package orderk

import (
	"context"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/cellpoint"
	"github.com/seed-1a7dc1f9/facet/internal/closest"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
)

// halvings is how often the way to the first answer is halved.
const halvings = 6

// pushed is how many rows of the side beyond the seats X is pushed to.
const pushed = 10

// begin opens the first node: it gathers the rows that matter within the cutoff. What it
// opens is opened again when its turn comes, so only the cutoff of the search and the
// candidates depend on it.
func (o *opener) begin(ctx context.Context, n search.Node, cutoff float64) (opened search.Opened) {
	var candidates *candidateSet
	if math.IsInf(cutoff, 1) {
		o.prepare()
		candidates, opened.Answer = o.gatherFirst(ctx)
	} else {
		if opened = o.ask(n, cutoff); opened.Answer != nil {
			return opened
		}
		side := o.gatherSide(cutoff)
		if len(side) < o.Seats {
			return opened
		}
		o.prepare()
		candidates = o.gatherAround(side, cutoff)
	}
	if opened.Answer != nil {
		cutoff = opened.Answer.Bound
		candidates = candidates.shrink(o.query, cutoff)
	}
	candidates.displace(o.query)
	c := &o.children
	c.cutoff, c.nodes = cutoff, c.nodes[:0]
	if len(candidates.side) > 0 {
		c.add(search.Node{Bound: candidates.side[0].bound, State: candidates})
	}
	opened.Children = c.nodes
	return opened
}

// gatherFirst looks for an answer between X and near rows of the side whose own vote
// answers, and gathers what matters within its distance.
func (o *opener) gatherFirst(ctx context.Context) (candidates *candidateSet, answer *search.Answer) {
	z := o.firstAnswer(ctx)
	if z == nil {
		return o.gather(math.Inf(1)), nil
	}
	// No part that contains z is bounded beyond it.
	radius := o.Gauge().Distance(o.X, z) * (1 + 1e-9)
	candidates = o.gather(radius)
	if answer = o.diveTo(ctx, z, candidates, radius); answer == nil {
		candidates = o.gather(math.Inf(1))
	}
	return candidates, answer
}

// ask looks for any answer within a radius, where that is all that is asked. It comes with the
// node itself, which then looks for none: the answer is where it is, and not where its cell begins.
func (o *opener) ask(n search.Node, radius float64) (opened search.Opened) {
	if n.Item > 0 {
		return opened
	}
	z := o.table.Push(&o.Query, o.k, o.own.FirstWithin(o.X, o.Seats+pushed, o.few.Horizon(o.Spare, radius)), o.few.First, radius)
	if z == nil {
		return opened
	}
	a := cellpoint.Answer(&o.Query, n, z)
	a.Bound, a.Order = a.Distance, math.MaxInt64
	n.Item = 1
	o.children.nodes = append(o.children.nodes[:0], n)
	return search.Opened{Answer: a, Children: o.children.nodes}
}

// firstAnswer returns a point that answers the query on the way from X to a row of the
// side, nil if none of those close to X has an answering vote itself. Where the search will take
// long the ways to several rows are tried, and each answer is improved.
func (o *opener) firstAnswer(ctx context.Context) (nearest []float64) {
	distance, tried := math.Inf(1), 0
	for _, r := range o.close {
		p := o.Domain.Closest(nil, o.table.Row(r.id))
		if !o.answers(p) {
			continue
		}
		z := o.halve(p)
		if o.Seats > quickSeats {
			z = o.improve(ctx, z)
		}
		if d := o.Gauge().Distance(o.X, z); d < distance {
			nearest, distance = z, d
		}
		if tried++; o.Seats <= quickSeats || tried == improved {
			break
		}
	}
	return nearest
}

// halve returns a point that answers, near where the way from X to p, which does, begins to.
func (o *opener) halve(p []float64) []float64 {
	start, z := o.Domain.Closest(nil, o.X), make([]float64, len(p))
	near, far := 0.0, 1.0
	for range halvings {
		middle := (near + far) / 2
		if neighbors.Along(o.Gauge(), z, start, p, middle); o.answers(z) {
			far = middle
		} else {
			near = middle
		}
	}
	if far == 1 {
		return p
	}
	neighbors.Along(o.Gauge(), z, start, p, far)
	return z
}

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
	distance := o.Gauge().Distance(o.X, z)
	for i := 0; i < len(shares); i++ {
		y := make([]float64, len(z))
		for j, e := range o.X {
			y[j] = e + shares[i]*(z[j]-e)
		}
		try := o.closestLike(ctx, y, distance)
		if try == nil || !o.answers(try) {
			continue
		}
		if d := o.Gauge().Distance(o.X, try); d < distance*(1-leastGain) {
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
