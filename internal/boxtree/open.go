package boxtree

import (
	"context"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// opener opens the parts of one goroutine.
type opener struct {
	*boxSearch
	region   region
	children []search.Node
	saved    []bool // choices that meet the part being opened

	sweep   trees.Sweep
	meeting box // memory of meet
	torn    []int32
	regrets regrets
}

// Open implements search.Opener. A part is opened by splitting it and looking at both
// halves.
func (o *opener) Open(ctx context.Context, n search.Node, cutoff float64) (search.Opened, error) {
	o.children = o.children[:0]
	p := n.State.(*part)
	switch {
	case p == nil:
		return o.begin(ctx, n, cutoff)
	case p.thin:
		return search.Opened{Answer: tooThin(n)}, nil
	}
	answer := o.split(n, p, cutoff)
	return search.Opened{Children: o.children, Answer: answer}, nil
}

// split looks at both halves of a part, that of X, or nearer to it, first.
func (o *opener) split(n search.Node, p *part, cutoff float64) (answer *search.Answer) {
	r := &o.region
	r.load(p)
	f, orders := p.split.feature, p.orders/2
	xBeyond := o.at[f] > p.split.slot
	near := search.Node{Bound: n.Bound, Order: n.Order, Item: n.Item}
	far := search.Node{Bound: n.Bound, Order: n.Order + orders, Item: n.Item}
	for i, child := range []search.Node{near, far} {
		half := &part{parent: p, choices: p.choices, cut: p.split, beyond: xBeyond == (i == 0), orders: orders}
		whole, gap := r.box[f], r.gaps[f]
		o.saved = append(o.saved[:0], r.alive...)
		r.narrow(half)
		answer = earlier(answer, o.look(child, half, cutoff))
		r.box[f], r.gaps[f] = whole, gap
		r.alive, o.saved = o.saved, r.alive
	}
	return answer
}

// look bounds a part, which is the region. It appends it to the children, split where it
// should be, or returns the answer that solves it; neither if it can hold none.
func (o *opener) look(n search.Node, p *part, cutoff float64) *search.Answer {
	reach := o.region.reach()
	bound := max(n.Bound, p.choices.metric.distance(reach))
	if bound > cutoff {
		return nil
	}
	x, ok := o.crossing(o.targets[n.Item], reach, bound, cutoff)
	n.Bound = max(bound, x.radius)
	if !ok || n.Bound > cutoff {
		return nil
	}
	a, solved := o.judge(n, p, x, cutoff)
	if !solved {
		n.State = p
		o.children = append(o.children, n)
	}
	return a
}

// judge solves a part by the intersection of the best choices, or says where to
// split it. In ℓ1 and ℓ2 an intersection beyond the bound answers as well, but
// does not solve.
func (o *opener) judge(n search.Node, p *part, x crossing, cutoff float64) (a *search.Answer, solved bool) {
	b := o.meet(x.best)
	if split, ok := o.disagreement(x, b, n.Bound); ok {
		p.split = split
		return nil, false
	}
	split, distance, attained := o.farthest(b, n.Bound)
	if distance <= cutoff {
		a = o.answer(b, distance, n.Order)
	}
	if attained && a != nil {
		return a, true
	}
	if attained {
		if split, attained = o.outside(b); !attained {
			_, inhabited := o.inside(b)
			p.thin = !inhabited && o.q.Reaches(o.label(b))
			return nil, !p.thin
		}
	}
	p.split = split
	return a, false
}

// meet intersects the region with the best choices, in memory that the next call
// overwrites. The intersection may be empty.
func (o *opener) meet(best []int32) box {
	b, c := o.meeting, o.region.choices
	copy(b, o.region.box)
	for _, i := range best {
		for j := c.ends[i]; j < c.ends[i+1]; j++ {
			s := &c.sides[j]
			b[s.feature].lo = max(b[s.feature].lo, s.lo)
			b[s.feature].hi = min(b[s.feature].hi, s.hi)
		}
	}
	return b
}

// inside returns the point of a box nearest to X; false if no float64 lies in it. None
// does in some real ones at an open end of the domain.
func (s *boxSearch) inside(b box) ([]float64, bool) {
	z := make([]float64, len(b))
	for f, slots := range b {
		v, ok := s.side(f, slots).Inside(s.q.X[f])
		if !ok {
			return nil, false
		}
		z[f] = v
	}
	return z, true
}

// label returns what is predicted in a box that meets one leaf of each tree.
func (o *opener) label(b box) int {
	sum := slices.Clone(o.model.votes.Vote.Base)
	for t := range o.trees {
		nodes, i := o.trees[t].nodes, int32(0)
		for n := nodes[0]; n.feature >= 0; n = nodes[i] {
			if i = n.right; b[n.feature].lo <= n.cut {
				i = n.left
			}
		}
		o.model.votes.Add(sum, t, int(i))
	}
	return o.model.votes.Decide(sum)
}

// answer returns the point of a box nearest to X if it really answers.
func (s *boxSearch) answer(b box, bound float64, order int64) *search.Answer {
	z, ok := s.inside(b)
	if !ok || !s.q.Reaches(s.model.votes.Predict(z)) {
		return nil
	}
	return &search.Answer{Bound: bound, Order: order, Example: z, Distance: s.q.Norm.Distance(s.q.X, z)}
}

// earlier returns the answer that comes first; either may be nil.
func earlier(a, b *search.Answer) *search.Answer {
	if a == nil || (b != nil && search.Before(b.Bound, b.Order, a.Bound, a.Order)) {
		return b
	}
	return a
}
