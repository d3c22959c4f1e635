package weighted

import (
	"context"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/bestfirst"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// boundsWithoutBoxes is the state of the first nodes, which find an example, and a
// bound. Of the k nearest rows of an answer either so many hold other labels than From
// that the uniform vote leaves it as well, or From has at least as many as the label
// that wins. The search for the uniform vote bounds the first kind, and the ratios of
// distances the second (ratioNode).
type boundsWithoutBoxes struct {
	uniform search.Opener
	votes   front // of nodes of the uniform search
	ratios  front // of nodes whose State is a ratioNode
	nodes   int
	best    search.Answer // Example is nil as long as there is none
}

// front is a search that is opened best first.
type front struct {
	open bestfirst.Queue
	end  float64 // the bound at which it cannot go on
}

// lowest returns the bound that the front has reached.
func (f *front) lowest() float64 {
	if f.open.Len() > 0 {
		return min(f.open.Bound(), f.end)
	}
	return f.end
}

// done reports whether the open nodes of a front cannot raise its bound any more.
func (f *front) done(goal float64) bool { return f.lowest() >= min(f.end, goal) }

// A node takes stepsOfNode steps without boxes; together they take mostSteps at most.
const (
	stepsOfNode = 64
	mostSteps   = 4096
)

// begin finds a first example and the roots of both fronts.
func (o *opener) begin(ctx context.Context, n search.Node, cutoff float64) (*search.Answer, error) {
	// a point
	if o.domain != nil &&
		!slices.ContainsFunc(o.q.Domain, func(i polytope.Interval) bool { return i.Lo < i.Hi }) {
		if z, ok := o.at(o.zero); ok {
			return o.answer(&n, z), nil
		}
		return nil, nil
	}
	b := &boundsWithoutBoxes{votes: front{end: math.Inf(1)}, ratios: front{end: math.Inf(1)}}
	b.best.Distance = math.Inf(1)
	for _, z := range o.firstExamples() {
		if err := o.improve(ctx, b, z); err != nil {
			return nil, err
		}
	}
	b.uniform = o.votes.NewOpener()
	for _, root := range o.votes.Roots() {
		b.votes.open.Push(root)
	}
	o.addRatioRoots(b)
	return o.goOn(ctx, n, b, math.Inf(1), cutoff)
}

// resume takes some steps.
func (o *opener) resume(
	ctx context.Context, n search.Node, before *boundsWithoutBoxes, cutoff float64,
) (*search.Answer, error) {
	b := *before
	b.votes.open = b.votes.open.Clone()
	b.ratios.open = b.ratios.open.Clone()
	for last := b.nodes + stepsOfNode; b.nodes < last && !o.finished(&b); {
		if err := o.step(ctx, &b); err != nil {
			return nil, err
		}
	}
	return o.goOn(ctx, n, &b, before.best.Distance, cutoff)
}

// goOn makes the node after some steps, and returns an example nearer than the one
// known before.
func (o *opener) goOn(
	ctx context.Context, n search.Node, b *boundsWithoutBoxes, known, cutoff float64,
) (answer *search.Answer, err error) {
	if b.best.Distance < known {
		answer = o.answer(&n, b.best.Example)
	}
	n.Bound = max(n.Bound, min(b.votes.lowest(), b.ratios.lowest()))
	switch {
	case n.Bound >= o.goal(b.best.Distance):
	case o.finished(b) && b.best.Distance-n.Bound <= o.resolution:
		answer = o.answer(&n, b.best.Example)
		answer.Bound, answer.Settled = min(n.Bound, b.best.Distance), true
	case o.finished(b):
		err = o.splitFirst(ctx, n, &b.best, cutoff)
	case n.Bound <= cutoff:
		n.State = b
		o.children = append(o.children, n)
	}
	return answer, err
}

// finished reports whether the best example is proven, or no more can be done.
func (o *opener) finished(b *boundsWithoutBoxes) bool {
	goal := o.goal(b.best.Distance)
	return b.nodes >= mostSteps || (b.votes.done(goal) && b.ratios.done(goal))
}

// step opens a node of the front that is behind, of those that can go on.
func (o *opener) step(ctx context.Context, b *boundsWithoutBoxes) error {
	b.nodes++
	goal := o.goal(b.best.Distance)
	behind := b.votes.lowest() <= b.ratios.lowest()
	if behind && !b.votes.done(goal) || b.ratios.done(goal) {
		return o.stepVotes(ctx, b)
	}
	return o.stepRatios(ctx, b)
}

// stepVotes opens a node of the uniform search. Its first answer ends it, unless
// that is an answer here as well: then it is as good as proven.
func (o *opener) stepVotes(ctx context.Context, b *boundsWithoutBoxes) error {
	n := b.votes.open.Pop()
	opened, err := b.uniform.Open(ctx, n, min(b.votes.end, b.best.Distance))
	o.solves += opened.Solves
	if err != nil {
		b.votes.end = min(b.votes.end, n.Bound) // it is known no better
		return ctx.Err()
	}
	for _, child := range opened.Children {
		b.votes.open.Push(child)
	}
	a := opened.Answer
	if a == nil {
		return nil
	}
	b.votes.end = min(b.votes.end, a.Bound)
	if a.Example == nil || !o.q.Reaches(o.Predict(a.Example)) {
		return nil
	}
	return o.improve(ctx, b, a.Example)
}

// improve takes up an example if it is nearer than the best after a descent.
func (o *opener) improve(ctx context.Context, b *boundsWithoutBoxes, z []float64) error {
	z, err := o.descend(ctx, z)
	if distance := o.distance(z); distance < b.best.Distance {
		b.best.Example, b.best.Distance = z, distance
	}
	return err
}
