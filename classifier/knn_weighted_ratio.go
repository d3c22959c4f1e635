package classifier

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/cellpoint"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// ratioPart is the set of inputs that have a row of the label that wins in a group,
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
// for votes = 1, whatever w, and its nearest point is found by cutting planes; for
// more votes this is a bound.
type ratioPart struct {
	group int32
	votes float64
	seats int // w
	cuts  []ratioCut
	spent int       // programs
	point []float64 // that the last one cut off
}

// mostRounds is the number of programs after which a part is left at its bound.
const mostRounds = 1024

// fewFrom is how many rows of From beyond the seats bound a part before all do.
const fewFrom = 4

// stalls reports whether the cuts do not move the closest point any more.
func (p *ratioPart) stalls(u []float64) bool {
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

// ratioRoots bounds the parts of each row by pairs of rows.
func (o *weightedOpener) ratioRoots(p *prologue) {
	rivals := o.nearFrom()
	for votes := 1; 2*votes <= o.c.K(); votes++ {
		seats := votes
		if o.c.Classes() == 2 {
			seats = o.c.K() - votes
		}
		if o.c.rows.table.Count(o.q.From) < seats {
			continue
		}
		for g := range int32(len(o.groups)) {
			if !o.wanted(g) {
				continue
			}
			part := &ratioPart{group: g, votes: float64(votes), seats: seats}
			if o.apart(part, rivals[:min(len(rivals), seats+fewFrom)]) >= o.goal(p.best.Distance) {
				continue
			}
			if bound := o.apart(part, rivals); bound < o.goal(p.best.Distance) {
				p.ratios.open.push(search.Node{Bound: bound, Order: int64(g), State: part})
			}
		}
	}
}

// nearFrom returns the groups of the rows of From nearest to X, nearest first.
func (o *weightedOpener) nearFrom() []int32 {
	t := o.c.rows.table.Trees[o.q.From]
	if t == nil {
		return nil
	}
	var nearest nnindex.Nearest
	nearest.Reset(neighbors.NearRivals, math.Inf(1))
	t.Nearest(o.q.X, &nearest)
	found := nearest.All()
	slices.SortFunc(found, nnindex.Neighbor.Compare)
	groups := make([]int32, len(found))
	for i, n := range found {
		groups[i] = o.groupOf[n.ID]
	}
	return groups
}

// apart bounds a part by pairs of rows: for each s all rows of From but s−1 lie at
// s/votes times D or farther.
func (o *weightedOpener) apart(part *ratioPart, rivals []int32) (bound float64) {
	for s := int(part.votes); s <= part.seats; s++ {
		o.most.reset(s)
		for _, r := range rivals {
			o.most.offer(o.apartFrom(part.group, r, float64(s)/part.votes))
		}
		bound = max(bound, o.most.least())
	}
	return bound
}

// wanted reports whether a row of a group may win a contest.
func (o *weightedOpener) wanted(g int32) bool {
	return slices.ContainsFunc(o.groups[g], func(row int32) bool {
		return slices.ContainsFunc(o.contests, func(t contest) bool { return t.label == o.c.rows.table.Labels[row] })
	})
}

// apartFrom returns the distance of the inputs that are θ times as far from group
// r as from group g, or rounded down. For θ > 1 they fill the ball around C = P_g +
// (P_g−P_r)/(θ²−1) with radius θ‖P_g−P_r‖/(θ²−1) (Apollonius), of which the
// half-space that touches it nearest to X is taken.
func (o *weightedOpener) apartFrom(g, r int32, theta float64) float64 {
	p, q := o.point(g), o.point(r)
	if theta == 1 {
		return neighbors.BisectorBound(nnindex.Squared(p, o.zero), nnindex.Squared(q, o.zero), neighbors.DualDistance(o.q.Norm, p, q), len(p))
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
	return gap * far / o.q.Norm.Dual().Length(center) * (1 - eps)
}

// ratioRounds is the number of programs that are solved for a part before others have
// their turn.
const ratioRounds = 8

// ratioNoise is the relative excess of a sum of ratios that is let stand.
const ratioNoise = 1e-11

// stepRatios solves the part that is behind, and cuts off its solution if the ratios
// are too large there. If not, the front ends, unless that shows an example.
func (o *weightedOpener) stepRatios(ctx context.Context, p *prologue) error {
	n := p.ratios.open.pop()
	part := *n.State.(*ratioPart)
	part.cuts = slices.Clone(part.cuts)
	for range ratioRounds {
		u, err := o.solveRatios(ctx, p, &n, &part)
		if u == nil || err != nil {
			return err
		}
		if part.stalls(u) || !o.cutRatios(&part, u) {
			return o.settled(ctx, p, n.Bound, &part, u)
		}
		part.point = u
		part.forget(u)
	}
	n.State = &part
	p.ratios.open.push(n)
	return nil
}

// forget drops the cuts that do not hold u back, once there are many.
func (p *ratioPart) forget(u []float64) {
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

// solveRatios returns the closest point under the cuts of a part, and raises the
// bound of its node; nil when none is nearer than the goal, or the solver cannot
// tell: then the front cannot go on from that bound.
func (o *weightedOpener) solveRatios(ctx context.Context, p *prologue, n *search.Node, part *ratioPart) ([]float64, error) {
	part.spent++
	goal := o.goal(p.best.Distance)
	o.family.reset(o.c.Dim())
	for _, c := range part.cuts {
		copy(o.family.next(), c.gradient)
		o.family.add(c.b)
	}
	problem := polytope.Problem{Norm: o.q.Norm, X: o.zero, Region: polytope.Polyhedron{Box: o.domain}}
	if len(part.cuts) > 0 {
		problem.Region.Rest = &o.family
	}
	if goal <= math.MaxFloat64 {
		problem.Cutoff = beyond(goal)
	}
	sol, err := o.q.Solver.Closest(ctx, problem)
	o.solves++
	n.Bound = max(n.Bound, sol.Bound)
	switch {
	case errors.Is(err, polytope.ErrNumerical):
		p.ratios.end = min(p.ratios.end, n.Bound)
		return nil, nil
	case err != nil:
		return nil, err
	case sol.Status == polytope.StatusStopped:
		return nil, cellpoint.Stopped(ctx)
	case sol.Status != polytope.StatusOptimal || n.Bound >= goal:
		return nil, nil
	}
	return sol.Point, nil
}

// cutRatios cuts off u; false when the ratios are not too large there, or when only
// tangents with a negative K would tell. Newton steps lead to the border, where the
// cut is deepest.
func (o *weightedOpener) cutRatios(part *ratioPart, u []float64) bool {
	t, excess := o.tangent(part, u)
	if t == nil || excess <= part.votes*ratioNoise {
		return false
	}
	at := slices.Clone(u)
	for range newtonSteps {
		length := nnindex.Squared(t.gradient, o.zero)
		for j, g := range t.gradient {
			at[j] -= t.value / length * g
		}
		next, excess := o.tangent(part, at)
		if next == nil || excess <= 0 {
			break
		}
		t = next
	}
	if t.excess(u) <= 0 {
		t, _ = o.tangent(part, u)
	}
	part.cuts = append(part.cuts, *t)
	return true
}

// newtonSteps is the number of steps from a point to the border of a part.
const newtonSteps = 6

// fromNear returns the groups of the rows of From nearest to u. Others, which rounding may
// choose, would bound the ratios as well.
func (o *weightedOpener) fromNear(u []float64, count int) []int32 {
	z := make([]float64, len(u))
	for j, x := range o.q.X {
		z[j] = x + u[j]
	}
	var nearest nnindex.Nearest
	nearest.Reset(count, math.Inf(1))
	o.c.rows.table.Trees[o.q.From].Nearest(z, &nearest)
	groups := make([]int32, 0, count)
	for _, m := range nearest.All() {
		groups = append(groups, o.groupOf[m.ID])
	}
	return groups
}

// ratioCut is {u : gradient·u ≤ b}, and the value at the point where it was made of
// the quadratic function that it bounds.
type ratioCut struct {
	gradient []float64
	b, value float64
}

func (c *ratioCut) excess(u []float64) float64 {
	sum := -c.b
	for j, g := range c.gradient {
		sum += g * u[j]
	}
	return sum
}

// tangent returns the tangent at u of the ball that belongs to the e_j of u, and by
// how much the ratios exceed the votes; nil where they do not, or where it is no ball.
func (o *weightedOpener) tangent(part *ratioPart, u []float64) (t *ratioCut, excess float64) {
	own := nnindex.Squared(u, o.point(part.group))
	if own == 0 {
		return nil, 0
	}
	rivals := o.fromNear(u, part.seats)
	excess = -part.votes
	for _, r := range rivals {
		excess += math.Sqrt(own / nnindex.Squared(u, o.point(r)))
	}
	if excess <= 0 {
		return nil, excess
	}
	steepest := 1 / (16 * part.votes * part.votes)
	if t = o.tangentFrom(part, u, own, rivals, steepest); t == nil {
		t = o.tangentFrom(part, u, own, rivals, 1)
	}
	return t, excess
}

// tangentFrom is tangent with 1 + e_j no smaller than least; nil when it does not cut
// off u.
func (o *weightedOpener) tangentFrom(part *ratioPart, u []float64, own float64, rivals []int32, least float64) *ratioCut {
	p := o.point(part.group)
	t := &ratioCut{gradient: make([]float64, len(u))}
	k, size := -part.votes, part.votes
	length, blur, weight := math.Sqrt(nnindex.Squared(u, o.zero)), 0.0, 0.0
	for _, r := range rivals {
		q := o.point(r)
		squared := nnindex.Squared(u, q)
		e := max(squared/own, least)
		psi := 1 / math.Sqrt(e)
		alpha := psi / e / 2
		k += psi + alpha*(e-1)
		t.value -= alpha * (squared - own)
		size += psi + alpha*(e+1)
		weight += alpha
		blur += alpha * o.pads[r] * (length + math.Sqrt(squared))
		for j, v := range q {
			t.gradient[j] -= 2 * alpha * (p[j] - v)
		}
	}
	if t.value += k * own; k < 0 || t.value <= 0 {
		return nil
	}
	// F(u) = K‖u−P‖² − Σ α (‖u−Q‖² − ‖u−P‖²) moves by 2(‖u‖+‖P‖) for each unit that
	// P moves, times its weight, and so for each Q.
	blur += (k + weight) * o.pads[part.group] * (length + math.Sqrt(own))
	t.b = precise.Noise(len(u))*16*size*own + 4*math.Sqrt(float64(len(u)))*blur - t.value
	for j, e := range u {
		t.gradient[j] += 2 * k * (e - p[j])
		t.b += t.gradient[j]*e + precise.Noise(len(u))*16*math.Abs(t.gradient[j])*(math.Abs(e)+math.Abs(p[j]))
	}
	return t
}

// settled looks for an example at the closest point of a part. Toward the row all
// ratios fall.
func (o *weightedOpener) settled(ctx context.Context, p *prologue, bound float64, part *ratioPart, u []float64) error {
	p.ratios.end = min(p.ratios.end, bound)
	var example []float64
	cellpoint.Toward(slices.Clone(u), o.point(part.group), func(v []float64) bool {
		z, ok := o.at(v)
		if ok {
			example = z
		}
		return ok
	})
	if example == nil {
		return nil
	}
	return o.improve(ctx, p, example)
}
