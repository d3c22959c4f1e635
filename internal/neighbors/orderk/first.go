package orderk

import (
	"context"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/closest"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors/orderk/bisectors"
	"github.com/seed-1a7dc1f9/facet/internal/search"
)

// halvings is how often the way to the first answer is halved, exitHalvings that to where it
// leaves a radius.
const halvings, exitHalvings = 6, 20

// begin opens the first node: it looks for an answer between X and near rows of the side whose own
// vote answers. Nodes that it opens are opened again when their turn comes, so only the cutoff of
// the search and the candidates depend on it.
func (o *opener) begin(ctx context.Context, n search.Node, cutoff float64) (opened search.Opened) {
	var candidates *candidateSet
	var supporting []candidate
	o.surroundings = o.surround()
	if !math.IsInf(cutoff, 1) {
		if o.Any {
			return o.ask(ctx, n, cutoff)
		}
		if supporting, _ = o.gatherSupporting(cutoff, math.MaxInt); len(supporting) == 0 {
			return opened
		}
	}
	o.prepare()
	opened.Answer, candidates = o.firstWithin(ctx, cutoff, 1)
	if opened.Answer != nil {
		cutoff = min(cutoff, opened.Answer.Bound)
		candidates = candidates.shrink(o.Allowed, cutoff)
	} else if supporting != nil {
		candidates = o.gatherAround(supporting, cutoff)
	} else {
		candidates = o.gather(cutoff)
	}
	if !o.ended() {
		opened.Children = o.beginWith(candidates, cutoff)
	}
	return opened
}

// firstWithin returns a first answer within the cutoff on some ways to rows, nil if it finds none,
// and the candidates within its distance.
func (o *opener) firstWithin(
	ctx context.Context, cutoff float64, ways int,
) (answer *search.Answer, candidates *candidateSet) {
	z := o.firstAnswer(ctx, cutoff, ways)
	if z == nil {
		return nil, nil
	}
	// No node that contains z is bounded beyond it.
	radius := o.Cost.Distance(o.X, z) * (1 + neighbors.Spread)
	if !(radius <= cutoff) {
		return nil, nil
	}
	candidates = o.gather(radius)
	return o.diveTo(ctx, z, candidates, radius), candidates
}

// beginWith returns the node that opens into the pivots of a candidate set, if there are any.
func (o *opener) beginWith(candidates *candidateSet, cutoff float64) []search.Node {
	candidates.displace(o.query)
	c := &o.children
	c.cutoff, c.nodes = cutoff, c.nodes[:0]
	if len(candidates.supporting) > 0 {
		c.add(search.Node{Bound: candidates.supporting[0].bound, State: candidates})
	}
	return c.nodes
}

// firstAnswer returns a point that answers the query on the way from X to a row of the
// side, nil if none of those close to X has an answering vote itself or the way to the
// first that has meets no answer within the cutoff. Where several ways are tried, each answer is
// improved.
func (o *opener) firstAnswer(ctx context.Context, cutoff float64, ways int) (nearest []float64) {
	improves := ways > 1
	if improves {
		cutoff = math.Inf(1) // an answer beyond it may be improved to lie within
	}
	distance := math.Inf(1)
	for _, r := range o.close {
		p := geometry.NearestIn(nil, o.Domain, o.table.Row(r.id))
		if ways == 0 || o.ended() {
			break
		}
		if !o.answers(p) {
			continue
		}
		z := o.halve(p, cutoff)
		if z == nil {
			break
		}
		if improves {
			z = o.improve(ctx, z)
		}
		if d := o.Cost.Distance(o.X, z); d < distance {
			nearest, distance = z, d
		}
		ways--
	}
	return nearest
}

// halve returns a point that answers, near where the way from X to p, which does,
// begins to. Where the way leaves the cutoff before p, one vote decides whether it does so
// answering; if not, there is none.
func (o *opener) halve(p []float64, cutoff float64) []float64 {
	start := geometry.NearestIn(nil, o.Domain, o.X)
	way := neighbors.NewWay(o.Cost, start, p)
	end := 1.0
	if o.Cost.Distance(o.X, p) > cutoff {
		end, _ = way.Halve(0, 1, exitHalvings,
			func(z []float64) bool {
				return o.Cost.Distance(o.X, z) > cutoff
			})
		if !o.answers(way.At(end)) {
			return nil
		}
	}
	_, share := way.Halve(0, end, halvings, o.answers)
	return way.At(share)
}

const (
	// improved is how many first answers are improved, where nodes become many.
	improved = 4
	// leastGain is the least share of the distance that a step must save.
	leastGain = 1e-3
)

// improve goes from a point that answers to nearer ones of other cells, as long as it
// finds any: it makes those rows the nearest that would be so at shares of the way to
// the answer. Nothing is proven by it.
func (o *opener) improve(ctx context.Context, z []float64) []float64 {
	shares := [...]float64{0.7, 0.85, 0.93, 0.97, 1}
	distance := o.Cost.Distance(o.X, z)
	for i := 0; i < len(shares); i++ {
		y := make([]float64, len(z))
		for j, e := range o.X {
			y[j] = e + shares[i]*(z[j]-e)
		}
		try := o.closestLike(ctx, y, distance)
		if try == nil || !o.answers(try) {
			continue
		}
		if d := o.Cost.Distance(o.X, try); d < distance*(1-leastGain) {
			z, distance = try, d
			i = -1
		}
	}
	return z
}

// closestLike returns the point nearest to X at which the supporting rows that are
// nearest to y come before all rivals but those nearest to y, nil if there is none
// within a distance.
func (o *opener) closestLike(ctx context.Context, y []float64, distance float64) []float64 {
	own, preceding := firstIDs(o.own, y, o.Required), firstIDs(o.rivals, y, o.Allowed)
	var added []bisectors.Constraint
	o.start(nil)
	for {
		o.solves++
		sol, err := o.program.Solve(ctx, distance)
		if err != nil || sol.Status != closest.Optimal {
			return nil
		}
		at, before := o.moveTo(sol), len(added)
		o.addFaces(&added, at)
		o.addLinear(&added, at)
		if !o.addMargin(&added, at, own, preceding) {
			return nil
		}
		if len(added) == before {
			return slices.Clone(at.z)
		}
	}
}

// addMargin adds the constraint that the last of own comes before the first rival that
// is not in preceding, by a margin, if that is violated. It returns false if it holds nowhere.
func (o *opener) addMargin(added *[]bisectors.Constraint, at *point, own, preceding []int32) bool {
	last := slices.MaxFunc(own, o.byDistance(at))
	for _, id := range firstIDs(o.rivals, at.z, len(preceding)+1) {
		if !slices.Contains(preceding, id) {
			return o.addViolated(added, at, o.withMargin(at, o.bisector(last, id)))
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
