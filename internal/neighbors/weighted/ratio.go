package weighted

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/cellpoint"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// ratioNode is the set of inputs that have a row of the label that wins in a group,
// at distance D, none of the label nearer, and where From has at least as many of
// the k neighbours as the label, which has votes.
//
// The label's weights sum to at most votes/D, so Σ D/d_j ≤ votes over any w rows of
// From, w the number of neighbours it has: k − votes with two classes, at least
// votes with more. With E_j = d_j² − D², which is linear in u, the ratio D/d_j is
// ψ(E_j/D²), ψ(e) = 1/√(1+e). As ψ is convex, each of its tangents gives
//
//	K·D² ≤ Σ α_j E_j,  α_j = −ψ'(e_j),  K = Σ (ψ(e_j) + α_j e_j) − votes,
//
// which is a ball of inputs if K > 0, a half-space if K = 0 (for two rows, the
// theorem of Apollonius). No K is negative where all e_j ≥ 0. So the set is convex
// for votes = 1 and every w, and its nearest point is found by cutting planes; for more votes this
// is a bound.
type ratioNode struct {
	group int32
	votes float64
	ranks int // w
	cuts  []ratioCut
	spent int       // programs
	point []float64 // that the last one cut off
}

const (
	// mostFrom is how many of the rows of From nearest to X bound a node by pairs, and
	// fewFrom is how many beyond the ranks do before all of them.
	mostFrom = 96
	fewFrom  = 4
	// mostRounds is the number of programs after which a node is left at its bound, and
	// ratioRounds that after which others have their turn.
	mostRounds  = 1024
	ratioRounds = 8
	// ratioNoise is the relative excess of a sum of ratios that is let stand.
	ratioNoise = 1e-11
)

// addRatioRoots bounds the nodes of each row by pairs of rows.
func (o *opener) addRatioRoots(b *boundsWithoutBoxes) {
	var rivals []int32
	for _, n := range o.table.Trees[o.q.From:o.q.From+1].First(o.q.X, mostFrom) {
		rivals = append(rivals, o.groups.of[n.ID])
	}
	goal := o.goal(b.best.Distance)
	for votes := 1; 2*votes <= o.k; votes++ {
		ranks := votes
		if o.table.Classes == 2 {
			ranks = o.k - votes
		}
		if o.table.Count(o.q.From) < ranks {
			continue
		}
		for g := range int32(len(o.groups.rows)) {
			if !o.wanted(g) {
				continue
			}
			p := &ratioNode{group: g, votes: float64(votes), ranks: ranks}
			if o.boundByPairs(p, rivals[:min(len(rivals), ranks+fewFrom)]) >= goal {
				continue
			}
			if bound := o.boundByPairs(p, rivals); bound < goal {
				b.ratios.open.Push(search.Node{Bound: bound, Order: int64(g), State: p})
			}
		}
	}
}

// boundByPairs bounds a node by pairs of rows: for each s all rows of From but s−1 lie at
// s/votes times D or farther.
func (o *opener) boundByPairs(p *ratioNode, rivals []int32) (bound float64) {
	for s := int(p.votes); s <= p.ranks; s++ {
		o.top.Reset(s)
		for _, r := range rivals {
			if b := o.apollonius(p.group, r, float64(s)/p.votes); b > o.top.Least() {
				o.top.Offer(b, r)
			}
		}
		bound = max(bound, o.top.Least())
	}
	return bound
}

// apollonius returns the distance of the inputs that are θ times as far from group
// r as from group g, or rounded down. For θ > 1 they fill the ball around C = P_g +
// (P_g−P_r)/(θ²−1) with radius θ‖P_g−P_r‖/(θ²−1) (Apollonius), of which the
// half-space that touches it nearest to X is taken.
func (o *opener) apollonius(g, r int32, theta float64) float64 {
	p, q := o.point(g), o.point(r)
	if theta == 1 {
		return neighbors.BisectorBound(nnindex.Squared(p, o.zero), nnindex.Squared(q, o.zero),
			neighbors.DualDistance(o.q.Cost, q, p), len(p))
	}
	share := 1 / (theta*theta - 1)
	center := make([]float64, len(p))
	size := 0.0
	for j, e := range p {
		center[j] = e + (e-q[j])*share
		size = max(size, math.Abs(e)+(math.Abs(e)+math.Abs(q[j]))*share)
	}
	radius := theta * share * math.Sqrt(nnindex.Squared(p, q))
	far := math.Sqrt(nnindex.Squared(center, o.zero))
	eps := precise.Noise(len(p))
	gap := far - radius - eps*(far+radius+size*math.Sqrt(float64(len(p))))
	if !(gap > 0) {
		return 0
	}
	return gap * far / o.q.Cost.DualDistance(o.zero, center) * (1 - eps)
}

// stepRatios solves the node that is behind, and cuts off its solution if the ratios
// are too large there. If not, the front ends, unless that shows an example.
func (o *opener) stepRatios(ctx context.Context, b *boundsWithoutBoxes) error {
	n := b.ratios.open.Pop()
	p := *n.State.(*ratioNode)
	p.cuts = slices.Clone(p.cuts)
	for range ratioRounds {
		u, err := o.solveRatios(ctx, b, &n, &p)
		if u == nil || err != nil {
			return err
		}
		if p.stalls(u) || !o.cutRatios(&p, u) {
			b.ratios.end = min(b.ratios.end, n.Bound)
			return o.exampleToward(ctx, b, p.group, u)
		}
		p.point = u
		p.forget(u)
	}
	n.State = &p
	b.ratios.open.Push(n)
	return nil
}

// stalls reports whether the cuts do not move the closest point any more.
func (p *ratioNode) stalls(u []float64) bool {
	if p.spent > mostRounds {
		return true
	}
	for j, e := range p.point {
		if math.Abs(e-u[j]) > ratioNoise*math.Abs(e) {
			return false
		}
	}
	return p.point != nil
}

// forget drops the cuts that do not hold u back, once there are many.
func (p *ratioNode) forget(u []float64) {
	if len(p.cuts) < 3*len(u)+8 {
		return
	}
	last := len(p.cuts) - 1
	kept := p.cuts[:0]
	for i, c := range p.cuts {
		if i == last || c.excess(u) > -1e-9*(math.Abs(c.b)+math.Abs(c.value)) {
			kept = append(kept, c)
		}
	}
	p.cuts = kept
}

// solveRatios returns the closest point under the cuts of a node, and raises the
// bound of its node; nil when none is nearer than the goal, or the solver cannot
// tell: then the front cannot go on from that bound.
func (o *opener) solveRatios(
	ctx context.Context, b *boundsWithoutBoxes, n *search.Node, p *ratioNode,
) ([]float64, error) {
	p.spent++
	goal := o.goal(b.best.Distance)
	f := o.rows()
	for _, c := range p.cuts {
		copy(f.next(), c.gradient)
		f.add(c.b)
	}
	cutoff := 0.0
	if precise.Finite(goal) {
		cutoff = cellpoint.Beyond(goal)
	}
	sol, err := o.closest(ctx, o.domain, f, 0, cutoff)
	n.Bound = max(n.Bound, sol.Bound)
	switch {
	case errors.Is(err, polytope.ErrNumerical):
		b.ratios.end = min(b.ratios.end, n.Bound)
		return nil, nil
	case n.Bound >= goal:
		return nil, err
	}
	return sol.Point, err
}

// exampleToward looks for an example at the closest point of a node or, as all ratios
// fall that way, on the way from there to its row.
func (o *opener) exampleToward(
	ctx context.Context, b *boundsWithoutBoxes, group int32, u []float64,
) error {
	var example []float64
	z, start := slices.Clone(u), make([]float64, len(u))
	found := cellpoint.Toward(z, o.point(group), start, func(v []float64) (ok bool) {
		example, ok = o.at(v)
		return ok
	})
	if !found {
		return nil
	}
	return o.improve(ctx, b, example)
}
