package boxtree

import (
	"context"
	"math"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
)

// beginWithin opens the whole domain when nothing beyond a cutoff matters. Most radii that
// somebody asks about lie well below the nearest answer: then the leaves within it do not
// suffice, and no local search is needed. It comes before they are indexed, because its
// answer may be all that is asked for.
func (o *opener) beginWithin(
	ctx context.Context, n search.Node, cutoff float64,
) (search.Opened, error) {
	m := o.Metric()
	m.Fit(cutoff)
	if !o.promising(o.ball(&m, cutoff)) {
		return search.Opened{}, nil
	}
	c := o.model.borrow()
	defer o.model.spare.Put(c)
	if err := o.gather(ctx, c, m, cutoff); err != nil {
		return search.Opened{}, err
	}
	if !o.anyTarget(func(lead int) float64 { return c.best(lead) }) {
		return search.Opened{}, nil
	}
	first, _ := o.firstAnswer(ctx, cutoff)
	if first != nil {
		n.Item = answered
		return search.Opened{Children: append(o.children[:0], n), Answer: first}, nil
	}
	answer, err := o.nodes(ctx, c.indexed(), cutoff, nil)
	if err != nil {
		return search.Opened{}, err
	}
	return search.Opened{Children: o.children, Answer: answer}, nil
}

// promising reports whether the best leaf of each tree that meets a box could win all leads
// of a target.
func (s *boxSearch) promising(b grid.Box) bool {
	return s.anyTarget(func(lead int) float64 {
		sum := s.leads[lead].Base
		for t := range s.Trees {
			sum += s.bestGain(&s.Trees[t], 0, b, lead)
		}
		return sum
	})
}

// anyTarget reports whether sums of the best gains could win all leads of a target.
func (s *boxSearch) anyTarget(sum func(lead int) float64) bool {
	for _, t := range s.targets {
		i := t.first
		for i < t.last && sum(i) >= -(s.leads[i].Slack+float64(s.model.Len())*s.leads[i].Change) {
			i++
		}
		if i == t.last {
			return true
		}
	}
	return false
}

// bestGain returns the greatest gain of the leaves below a node that meet a box, which it
// changes and restores.
func (s *boxSearch) bestGain(t *grid.Tree, i int32, b grid.Box, lead int) float64 {
	for {
		n := &t.Nodes[i]
		if n.Feature < 0 {
			return s.leads[lead].Gain(s.model.Value(t.Index, int(i)))
		}
		switch now := b[n.Feature]; {
		case n.Cut >= now.Hi:
			i = n.Left
		case n.IsSet():
			return s.bestOfSet(t, n, b, lead)
		case n.Cut < now.Lo:
			i = n.Right
		default:
			b[n.Feature].Hi = n.Cut
			best := s.bestGain(t, n.Left, b, lead)
			b[n.Feature] = grid.Span{Lo: n.Cut + 1, Hi: now.Hi}
			best = max(best, s.bestGain(t, n.Right, b, lead))
			b[n.Feature] = now
			return best
		}
	}
}

// bestOfSet is bestGain below a node that tests a set. What it sends to either side counts as all
// between the first and the last interval of it, so that the gain may be that of a leaf too many.
func (s *boxSearch) bestOfSet(t *grid.Tree, n *grid.Node, b grid.Box, lead int) float64 {
	best, now := math.Inf(-1), b[n.Feature]
	left, right := s.Halves(n, now)
	for i, hull := range [...]grid.Span{left, right} {
		if hull.Lo <= hull.Hi {
			b[n.Feature] = hull
			best = max(best, s.bestGain(t, [...]int32{n.Left, n.Right}[i], b, lead))
		}
	}
	b[n.Feature] = now
	return best
}
