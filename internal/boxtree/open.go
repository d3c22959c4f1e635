package boxtree

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-1a7dc1f9/facet/internal/bestfirst"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/climb"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/potentials"
	"github.com/seed-1a7dc1f9/facet/internal/cellpoint"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// opener opens the nodes of one goroutine.
type opener struct {
	splitter
	ctx         context.Context // of the node that is being opened
	children    []search.Node
	made        []*choices // for the whole domain
	sweep       trees.Sweep
	steps, tops []float64 // of together
	radii       []float64 // of winners
	best        []int32   // of crossings, like the fields below
	gains       []float64
	partials    []partial
	leaves      []potentials.Leaf  // of decompose
	sides       []potentials.Range // of them

	sweeper potentials.Sweeper
	climber *climb.Search
}

// Open implements search.Opener. A node is opened by splitting it and looking at both
// halves.
func (o *opener) Open(ctx context.Context, n search.Node, cutoff float64) (search.Opened, error) {
	o.ctx, o.children = ctx, o.children[:0]
	var answer *search.Answer
	switch p := n.State.(type) {
	case domain:
		return o.begin(ctx, n, cutoff)
	case unreached:
		answer = cellpoint.Answer(&o.Query, n, nil)
	case waiting:
		answer = o.resume(ctx, n, p.node, cutoff)
	case *node:
		if o.Query.Trace != nil && p.relaxation == nil {
			o.Query.Trace.Split(n, nil)
		}
		answer = o.split(ctx, n, p, cutoff)
	}
	if err := ctx.Err(); err != nil {
		return search.Opened{}, err // the halves may be bounded in part only
	}
	return search.Opened{Children: o.children, Answer: answer}, nil
}

// Release implements search.Releaser.
func (o *opener) Release() {
	if o.Query.Trace != nil {
		return // who listens keeps nodes
	}
	model := o.model
	for _, c := range o.made {
		model.ended.Put(c)
	}
	if o.climber != nil {
		model.free(o.climber)
	}
	clear(o.made)
	clear(o.children[:cap(o.children)])
	o.made, o.boxSearch, o.ctx, o.climber = o.made[:0], nil, nil, nil
	o.region.View, o.region.node, o.region.choices = nil, nil, nil
	model.idle.Put(o)
}

// ended reports whether the context of the node that is being opened has ended.
func (o *opener) ended() bool { return o.ctx.Err() != nil }

// split looks at both halves of a node. That which is bounded lower comes first; of equal
// ones, the rule on data that lie on a grid, that where the best choices win more clearly:
// nodes of one bound are opened depth first, and the first answer among them ends the search.
func (o *opener) split(
	ctx context.Context, n search.Node, p *node, cutoff float64,
) (answer *search.Answer) {
	r, own := &o.region, o.recall(n, p)
	r.load(p)
	if own != nil {
		r.restrict(own.Box())
		own.steps = nil
	}
	f := p.split.Feature
	xBeyond := o.At[f] > p.split.After
	var seen [2]half
	for i, beyond := range [...]bool{xBeyond, !xBeyond} {
		s := r.box[f]
		if own != nil &&
			(beyond && p.split.After >= s.Hi || !beyond && p.split.After < s.Lo) {
			continue // potentials have excluded it
		}
		node := node{
			target: p.target, parent: p, choices: p.choices, cut: p.split, beyond: beyond,
			depth: p.depth + 1, orders: p.orders / 2, relaxation: own, whole: p.whole,
			plain: p.plain,
		}
		whole := r.mark()
		r.narrow(&node)
		seen[i] = o.look(ctx, n.Bound, node, cutoff)
		r.undo(whole)
	}
	if seen[1].before(&seen[0]) {
		seen[0], seen[1] = seen[1], seen[0]
	}
	for i := range seen {
		answer = earlier(answer, o.take(&seen[i], n.Order+int64(i)*(p.orders/2)))
	}
	return answer
}

// half is the outcome of looking at a node: an answer that solves it, or at least an answer in it,
// and the node if it stays open.
type half struct {
	answer *search.Answer
	node   search.Node
	open   bool
	later  *search.Node // the rest of the node, which is farther
	won    float64      // by how much the best choices within the bound win
	tied   []float64    // where linear rules put the features that they tie together: see relaxed
}

func (h *half) before(o *half) bool {
	return h.node.Bound < o.node.Bound || (h.node.Bound == o.node.Bound && h.won > o.won)
}

// take gives a half its orders, and keeps its node if that is open. An answer of another target
// comes after those of this one.
func (o *opener) take(h *half, order int64) *search.Answer {
	if h.open {
		h.node.Order = order
		o.children = append(o.children, h.node)
	}
	if h.later != nil {
		h.later.Order = order + h.later.State.(waiting).orders
		o.children = append(o.children, *h.later)
	}
	if h.answer != nil {
		h.answer.Order = max(h.answer.Order, order)
	}
	return h.answer
}

// look bounds a node, which is the region and has a bound already, and says where to split it if it
// stays open, or solves it by an answer; neither if it can hold none.
func (o *opener) look(ctx context.Context, bound float64, p node, cutoff float64) (h half) {
	h.node.Bound = bound
	if p.relaxation != nil {
		cutoff = min(cutoff, p.within)
		if p.relaxation = o.inherit(p.relaxation); p.relaxation == nil {
			return h
		}
	}
	reach := o.region.reach()
	bound = max(bound, p.choices.metric.Distance(reach))
	if o.tied != nil {
		var least float64
		least, h.tied = o.relaxed(o.region.box)
		bound = max(bound, least)
	}
	if h.node.Bound = bound; bound > min(cutoff, math.MaxFloat64) ||
		p.choices.metric.Infeasible(reach) {
		return h
	}
	x, ok := o.lastCrossing(o.targets[p.target], reach, bound, cutoff)
	h.node.Bound = max(bound, x.radius)
	if !ok || h.node.Bound > cutoff {
		return h
	}
	if o.model.Vote.Rule == trees.Share {
		at, ok := o.together(o.targets[p.target], reach, h.node.Bound, cutoff)
		if h.node.Bound = at; !ok {
			return h
		}
	}
	h.won = floats.Sum(x.gains)
	if p.depth == 0 {
		p.whole = float32(p.choices.share(h.node.Bound))
	}
	h.answer, p.split, h.open = o.solve(&h, &p, x, cutoff)
	if h.open && p.relaxation == nil && x.margin >= 0 && o.begins(&p, h.node.Bound) {
		p.relaxation, h.open = o.relax(p.choices, x.margin)
		p.plain = p.relaxation == nil
		if o.Query.Trace != nil && (p.relaxation != nil || !h.open) {
			o.Query.Trace.Leaf(h.node, relaxed{x.margin})
		}
	}
	if h.open && p.relaxation != nil {
		o.tighten(ctx, &h, &p, cutoff)
	}
	if h.open && !o.ended() && o.joins(&p, h.node.Bound) {
		return o.lookJoined(ctx, h, p, cutoff)
	}
	if h.open && p.split.Feature < 0 {
		h.node.State = unreached{}
	} else if h.open {
		h.node.State = keep(&h.node, p)
	}
	return h
}

// lookJoined looks at an open node again, as a root of its own whose groups are joined.
func (o *opener) lookJoined(ctx context.Context, h half, p node, cutoff float64) half {
	if p.parent, p.choices, p.relaxation = nil, o.join(p.relaxation.within), nil; o.ended() {
		return h
	}
	whole := o.region
	o.region = newRegion(&o.View)
	o.region.reset(p.choices)
	if h.answer != nil { // answers of the node at the same distance come after it
		cutoff = min(cutoff, math.Nextafter(h.answer.Bound, math.Inf(-1)))
	}
	again := o.look(ctx, h.node.Bound, p, cutoff)
	o.region = whole
	again.answer = earlier(h.answer, again.answer)
	return again
}

// solve solves the region by the intersection of the best choices, or says where to split it, if
// anywhere, and that it stays open. In ℓ1 and ℓ2 an intersection beyond the bound answers as well,
// but does not solve. Where potentials will say where to split, any cut does.
func (o *opener) solve(
	h *half, p *node, x crossing, cutoff float64,
) (a *search.Answer, split grid.Cut, open bool) {
	m := o.meet(x.best)
	b, bound := m.Box, h.node.Bound
	if split, ok := m.Border(); ok && p.relaxation != nil && len(o.parts) == 1 {
		return nil, split, true
	}
	if m.Empty() {
		return nil, o.border(&x, m, bound, x.spread*regretFloor), true
	}
	split, distance, attained := o.farthest(b, bound)
	if o.tied != nil {
		if attained {
			split.Feature = -1
		}
		return o.solveTied(h, b, split, cutoff)
	}
	if distance <= cutoff {
		a = o.answer(b, distance)
	}
	if !attained {
		return a, split, true
	}
	if a != nil {
		return a, split, false
	}
	if split, ok := o.region.box.Outside(b); ok {
		return nil, split, true
	}
	if split, ok := o.undecided(); ok {
		return nil, split, true
	}
	_, inhabited := o.inside(b)
	open = (!inhabited || o.anyOrder()) && o.mayAnswer(b)
	if o.Query.Trace != nil && !open && !o.evaluated(b, o.targets[p.target]) {
		o.Query.Trace.Leaf(h.node, doubtful{})
	}
	return nil, grid.Cut{Feature: -1}, open
}

// inside returns the point of a box nearest to X; false if no float64 lies in it, or its distance
// is none. None lies in some real ones at an open end of the domain.
func (s *boxSearch) inside(b grid.Box) (z []float64, ok bool) {
	if s.coding != nil {
		z, ok = s.coding.Point(&s.View, b)
	} else {
		z, ok = s.Point(b)
	}
	return z, ok && !math.IsInf(s.Query.Distance(z), 1)
}

// mayAnswer reports whether a label that answers is predicted in a box that meets one leaf of each
// tree within the ball, or could be in another order of the sums.
func (s *boxSearch) mayAnswer(b grid.Box) bool {
	sums := make([][]float64, len(s.parts))
	for i := range sums {
		sums[i] = s.sums(b, &s.parts[i])
	}
	return slices.ContainsFunc(s.targets, func(t target) bool {
		return search.Enough(s.quorums, func(i int) bool {
			return s.parts[i].MayWin(t.labels[i], slices.Clone(sums[i]))
		})
	})
}

// anyOrder reports whether some sums may be added in another order than ours.
func (s *boxSearch) anyOrder() bool {
	return slices.ContainsFunc(s.parts, func(p part) bool { return p.Vote.AnyOrder })
}

// sums returns the sum of each class of a part in a box that meets one leaf of each tree within the
// ball.
func (s *boxSearch) sums(b grid.Box, p *part) []float64 {
	sum := slices.Clone(p.Vote.Base)
	for t := range p.Len() {
		p.Add(sum, t, s.leaf(b, p.Tree+t))
	}
	return sum
}

// leaf returns the leaf of a tree in which the point of a box nearest to X lies: others may meet
// the box beyond the ball.
func (s *boxSearch) leaf(b grid.Box, tree int) int {
	nodes, i := s.Trees[tree].Nodes, int32(0)
	for n := &nodes[0]; n.Feature >= 0; n = &nodes[i] {
		if i = n.Right; s.Left(n, s.Nearest(n.Feature, b[n.Feature])) {
			i = n.Left
		}
	}
	return int(i)
}

// answer returns the point of a box nearest to X if it really answers, in any order of the sums.
func (s *boxSearch) answer(b grid.Box, bound float64) *search.Answer {
	if s.tied != nil {
		least, z := s.closest(b)
		return s.confirm(z, max(bound, least))
	}
	z, ok := s.inside(b)
	if !ok {
		return nil
	}
	return s.confirm(z, bound)
}

// confirm returns an input as the answer that it is; nil if it is nil, or none. One that is nearer
// than the bound of a node does not answer as the target of the node wants: another target has it.
func (s *boxSearch) confirm(z []float64, bound float64) *search.Answer {
	if z == nil {
		return nil
	}
	if !search.Enough(s.quorums, func(i int) bool {
		p := s.parts[i].predictor
		return s.answers(i, p.Predict(z)) && p.Certain(z)
	}) {
		return nil
	}
	a := cellpoint.Answer(&s.Query, search.Node{Bound: bound}, z)
	if bound > a.Distance+bestfirst.Tolerance*max(1, a.Distance) {
		a.Bound, a.Order = a.Distance, math.MaxInt64 // it comes after those that were looked for
	}
	return a
}

// earlier returns the answer that comes first; either may be nil.
func earlier(a, b *search.Answer) *search.Answer {
	if a == nil || (b != nil && bestfirst.Before(b.Bound, b.Order, a.Bound, a.Order)) {
		return b
	}
	return a
}
