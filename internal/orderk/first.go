package orderk

import (
	"context"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// halvings is how often the way to the first answer is halved.
const halvings = 6

// begin opens the first node: it looks for an answer between X and near rows of
// the side whose own vote answers. What it opens is opened again when its turn
// comes, so only the cutoff of the search and the candidates depend on it.
func (o *opener) begin(ctx context.Context, cutoff float64) (opened search.Opened) {
	var candidates *candidateSet
	if z := o.firstAnswer(ctx); z != nil {
		// No part that contains z is bounded beyond it.
		if radius := o.Norm.Distance(o.X, z) * (1 + 1e-9); radius <= cutoff {
			candidates = o.gather(radius)
			opened.Answer = o.diveTo(ctx, z, candidates, radius)
		}
	}
	if opened.Answer != nil {
		cutoff = min(cutoff, opened.Answer.Bound)
		candidates = candidates.shrink(o.query, cutoff)
	} else {
		candidates = o.gather(cutoff)
	}
	candidates.displace(o.X)
	c := &o.children
	c.cutoff, c.nodes = cutoff, c.nodes[:0]
	if len(candidates.side) > 0 {
		c.add(search.Node{Bound: candidates.side[0].bound, Item: pack(stagePivots, 0), State: candidates})
	}
	opened.Children = c.nodes
	return opened
}

// firstAnswer returns a point that answers the query on the way from X to a row of the
// side, nil if none of those close to X has an answering vote itself. Where the
// search will take long the ways to several rows are tried, and each answer is improved.
func (o *opener) firstAnswer(ctx context.Context) (nearest []float64) {
	improves := o.Seats > quickSeats
	distance, tried := math.Inf(1), 0
	for _, r := range o.close {
		p := o.table.Row(r.ID)
		if !o.answers(p) {
			continue
		}
		z := o.halve(p)
		if improves {
			z = o.improve(ctx, z)
		}
		if d := o.Norm.Distance(o.X, z); d < distance {
			nearest, distance = z, d
		}
		if tried++; !improves || tried == improved {
			break
		}
	}
	return nearest
}

// halve returns a point that answers, near where the way from X to p, which does,
// begins to.
func (o *opener) halve(p []float64) []float64 {
	start := o.Domain.Closest(nil, o.X)
	z, far := slices.Clone(p), 1.0
	try := make([]float64, len(z))
	near := 0.0
	for range halvings {
		middle := (near + far) / 2
		along(o.Norm, try, start, p, middle)
		if o.answers(try) {
			far = middle
			copy(z, try)
		} else {
			near = middle
		}
	}
	return z
}

// along sets z to a point on a way from x to p on which nothing is gone farther in
// the norm than need be: in ℓ∞ all coordinates move at once, each until it
// arrives; in ℓ1 those that have farthest to go are first.
func along(norm polytope.Norm, z, x, p []float64, share float64) {
	most := polytope.LInf.Distance(p, x)
	for j, e := range x {
		u := p[j] - e
		switch norm {
		case polytope.LInf:
			z[j] = e + max(-share*most, min(share*most, u))
		case polytope.L1:
			z[j] = e + math.Copysign(max(0, math.Abs(u)-(1-share)*most), u)
		default:
			z[j] = e + share*u
		}
	}
}
