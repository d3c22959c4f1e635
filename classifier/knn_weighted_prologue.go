package classifier

import (
	"context"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
)

// prologue is the state of the first nodes, which find an example, and a bound
// without boxes. Of the k nearest rows of an answer either so many hold other
// labels than From that the uniform vote leaves it as well, or From has at least as
// many as the label that wins. The search for the uniform vote bounds the first
// kind, and the ratios of distances the second (ratioPart).
type prologue struct {
	uniform search.Opener
	votes   front // of nodes of the uniform search
	ratios  front // of nodes with a ratioPart
	nodes   int
	best    search.Answer // Example is nil as long as there is none
}

// front is a search that is opened best first.
type front struct {
	open nodeHeap
	end  float64 // the bound at which it cannot go on
}

// lowest returns the bound that the front has reached.
func (f *front) lowest() float64 {
	if len(f.open) > 0 {
		return min(f.open[0].Bound, f.end)
	}
	return f.end
}

// A node of the prologue takes prologueStep steps; together they take
// prologueSteps at most.
const (
	prologueStep  = 64
	prologueSteps = 4096
)

// begin finds a first example and the roots of both fronts.
func (o *weightedOpener) begin(ctx context.Context, n search.Node, cutoff float64) (*search.Answer, error) {
	if len(o.free()) == 0 { // the domain is a point
		if z, ok := o.at(o.zero); ok {
			return o.answer(&n, z), nil
		}
		return nil, nil
	}
	p := &prologue{votes: front{end: math.Inf(1)}, ratios: front{end: math.Inf(1)}}
	p.best.Distance = math.Inf(1)
	if err := o.firstExample(ctx, p); err != nil {
		return nil, err
	}
	q := o.q
	q.Target = -1
	uniform, err := o.c.rows.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	p.uniform = uniform.NewOpener()
	for _, root := range uniform.Roots() {
		p.votes.open.push(root)
	}
	o.ratioRoots(p)
	return o.goOn(ctx, n, p, math.Inf(1), cutoff)
}

// resume takes some steps of a prologue.
func (o *weightedOpener) resume(ctx context.Context, n search.Node, before *prologue, cutoff float64) (*search.Answer, error) {
	p := *before
	p.votes.open = slices.Clone(p.votes.open)
	p.ratios.open = slices.Clone(p.ratios.open)
	for range prologueStep {
		if o.finished(&p) {
			break
		}
		if err := o.step(ctx, &p); err != nil {
			return nil, err
		}
	}
	return o.goOn(ctx, n, &p, before.best.Distance, cutoff)
}

// goOn makes the node after some steps, and returns an example nearer than the one
// known before.
func (o *weightedOpener) goOn(ctx context.Context, n search.Node, p *prologue, known, cutoff float64) (answer *search.Answer, err error) {
	if p.best.Distance < known {
		answer = o.answer(&n, p.best.Example)
	}
	n.Bound = max(n.Bound, min(p.votes.lowest(), p.ratios.lowest()))
	switch {
	case n.Bound >= o.goal(p.best.Distance):
	case o.finished(p) && p.best.Distance-n.Bound <= o.blur:
		answer = &search.Answer{Bound: n.Bound, Order: n.Order, Example: p.best.Example, Distance: p.best.Distance, Settled: true}
	case o.finished(p):
		err = o.start(ctx, n, p, cutoff)
	case n.Bound <= cutoff:
		n.State = p
		o.children = append(o.children, n)
	}
	return answer, err
}

// finished reports whether the prologue has proven its best example, or can do no
// more.
func (o *weightedOpener) finished(p *prologue) bool {
	return p.nodes >= prologueSteps || (p.votes.done(o.goal(p.best.Distance)) && p.ratios.done(o.goal(p.best.Distance)))
}

// done reports whether a front is open for nothing that it could still prove.
func (f *front) done(goal float64) bool { return f.lowest() >= min(f.end, goal) }

// step opens a node of the front that is behind, of those that can go on.
func (o *weightedOpener) step(ctx context.Context, p *prologue) error {
	p.nodes++
	votes := p.votes.lowest() <= p.ratios.lowest()
	if votes && p.votes.done(o.goal(p.best.Distance)) || !votes && p.ratios.done(o.goal(p.best.Distance)) {
		votes = !votes
	}
	if votes {
		return o.stepVotes(ctx, p)
	}
	return o.stepRatios(ctx, p)
}

// stepVotes opens a node of the uniform search. Its first answer ends it, unless
// that is an answer here as well: then it is as good as proven.
func (o *weightedOpener) stepVotes(ctx context.Context, p *prologue) error {
	n := p.votes.open.pop()
	opened, err := p.uniform.Open(ctx, n, min(p.votes.end, p.best.Distance))
	o.solves += opened.Solves
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		p.votes.end = min(p.votes.end, n.Bound) // it is known no better
		return nil
	}
	for _, child := range opened.Children {
		p.votes.open.push(child)
	}
	if a := opened.Answer; a != nil {
		p.votes.end = min(p.votes.end, a.Bound)
		if a.Example == nil {
			return nil
		}
		return o.improve(ctx, p, a.Example)
	}
	return nil
}

// improve takes up an example if z is one, and nearer than the best after a descent.
func (o *weightedOpener) improve(ctx context.Context, p *prologue, z []float64) error {
	if !o.q.Reaches(o.c.Predict(z)) {
		return nil
	}
	z, err := o.descend(ctx, z)
	if e := o.example(z); e.Distance < p.best.Distance {
		p.best = e
	}
	return err
}

// nodeHeap is a heap of nodes in the order of Before.
type nodeHeap []search.Node

func (h nodeHeap) before(i, j int) bool {
	return search.Before(h[i].Bound, h[i].Order, h[j].Bound, h[j].Order)
}

func (h *nodeHeap) push(n search.Node) {
	*h = append(*h, n)
	all := *h
	for i := len(all) - 1; i > 0; {
		up := (i - 1) / 2
		if !all.before(i, up) {
			return
		}
		all[i], all[up] = all[up], all[i]
		i = up
	}
}

func (h *nodeHeap) pop() search.Node {
	all := *h
	first, last := all[0], len(all)-1
	all[0], all[last] = all[last], search.Node{}
	all = all[:last]
	*h = all
	for i := 0; ; {
		c := 2*i + 1
		if c >= last {
			return first
		}
		if c+1 < last && all.before(c+1, c) {
			c++
		}
		if !all.before(c, i) {
			return first
		}
		all[i], all[c] = all[c], all[i]
		i = c
	}
}
