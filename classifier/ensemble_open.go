package classifier

import (
	"context"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
)

func (s *ensembleSearch) NewOpener() search.Opener {
	dim := len(s.borders)
	return &ensembleOpener{
		ensembleSearch: s,
		lo:             make([]int32, dim), hi: make([]int32, dim), meetLo: make([]int32, dim), meetHi: make([]int32, dim),
		gaps: make([]float64, dim),
	}
}

// ensembleOpener opens the parts of one goroutine. Its fields describe the part
// that was looked at last.
type ensembleOpener struct {
	*ensembleSearch
	metric   // that of c
	children []search.Node

	current *part // the part looked at
	c       *choices
	lo, hi  []int32   // the box
	gaps    []float64 // scaled distances of its sides from X
	reach   float64   // of the box, when it is looked at
	alive   []bool    // choices that meet it
	saved   []bool

	binding int     // the contrast that crosses last
	known   float64 // the bound, scaled

	best           []int32   // the best choice of each group at the bound
	gain           []float64 // its gain
	steps          steps
	meetLo, meetHi []int32   // the intersection of the best choices and the box
	torn           []int32   // features in which that is empty
	begins, ends   []float64 // by slot: regrets of the best choices that begin or end there
}

// Open implements Opener. A part is opened by splitting it and looking at both
// halves.
func (o *ensembleOpener) Open(ctx context.Context, n search.Node, cutoff float64) (search.Opened, error) {
	p := n.State.(*part)
	if p == nil {
		return o.begin(ctx, n, cutoff)
	}
	if p.thin {
		return search.Opened{Answer: tooThin(n)}, nil
	}
	return o.open(n, p, cutoff), nil
}

// open splits a part and looks at both halves, that of X, or nearer to it, first.
func (o *ensembleOpener) open(n search.Node, p *part, cutoff float64) search.Opened {
	o.children = o.children[:0]
	o.restore(p)
	f, cut := p.split.feature, p.split.cut
	near := search.Node{Bound: n.Bound, Order: n.Order, Item: n.Item}
	far := search.Node{Bound: n.Bound, Order: n.Order + p.span/2, Item: n.Item}
	var answer *search.Answer
	for i, child := range []search.Node{near, far} {
		half := &part{parent: p, choices: p.choices, feature: f, cut: cut, span: p.span / 2}
		half.beyond = (o.at[f] > cut) == (i == 0)
		lo, hi, gap := o.lo[f], o.hi[f], o.gaps[f]
		o.saved = append(o.saved[:0], o.alive...)
		o.narrow(half)
		answer = earlier(answer, o.look(child, half, cutoff))
		o.lo[f], o.hi[f], o.gaps[f] = lo, hi, gap
		o.alive, o.saved = o.saved, o.alive
	}
	return search.Opened{Children: o.children, Answer: answer}
}

// restore makes p the part looked at.
func (o *ensembleOpener) restore(p *part) {
	switch {
	case p.parent == nil:
		o.enter(p.choices)
	case p.parent == o.current:
		o.narrow(p)
	case p != o.current:
		o.restoreAll(p)
	}
	o.current = p
}

// restoreAll is restore from the root on.
func (o *ensembleOpener) restoreAll(p *part) {
	o.enter(p.choices)
	for q := p; q.parent != nil; q = q.parent {
		o.narrow(q)
	}
}

// enter makes the ball of choices the part looked at.
func (o *ensembleOpener) enter(c *choices) {
	o.c, o.metric, o.current = c, c.metric, nil
	copy(o.lo, c.lo)
	copy(o.hi, c.hi)
	for f := range o.gaps {
		o.gaps[f] = 0
		if o.q.Domain != nil {
			o.gaps[f] = o.scale(o.gap(int32(f), o.lo[f], o.hi[f]))
		}
	}
	o.alive = o.alive[:0]
	for range c.len() {
		o.alive = append(o.alive, true)
	}
	for len(o.best) < c.groups() {
		o.best = append(o.best, 0)
		o.gain = append(o.gain, 0)
	}
	o.best, o.gain = o.best[:c.groups()], o.gain[:c.groups()]
	o.begins, o.ends = resize(o.begins, c.slots()), resize(o.ends, c.slots())
}

// narrow cuts the part looked at down to the half of it that p is.
func (o *ensembleOpener) narrow(p *part) {
	f := p.feature
	if p.beyond {
		if p.cut < o.lo[f] {
			return
		}
		o.kill(o.c.ends.between(f, o.lo[f], p.cut+1))
		o.lo[f] = p.cut + 1
	} else {
		if p.cut >= o.hi[f] {
			return
		}
		o.kill(o.c.begins.between(f, p.cut+1, o.hi[f]+1))
		o.hi[f] = p.cut
	}
	o.gaps[f] = o.scale(o.gap(f, o.lo[f], o.hi[f]))
}

// kill takes choices that do not meet the box.
func (o *ensembleOpener) kill(choices []int32) {
	for _, i := range choices {
		o.alive[i] = false
	}
}

// look bounds the part looked at. It appends it to the children, split where it
// should be, or returns the answer that solves it; neither if it can hold none.
func (o *ensembleOpener) look(n search.Node, p *part, cutoff float64) *search.Answer {
	// Summed anew, so that rounding does not depend on what was looked at before.
	o.reach = 0
	for _, gap := range o.gaps {
		o.reach = o.join(o.reach, gap, 0)
	}
	bound := max(n.Bound, o.distance(o.reach))
	if bound > cutoff {
		return nil
	}
	radius, ok := o.tightest(o.targets[n.Item], bound, cutoff)
	bound = max(bound, radius)
	if !ok || bound > cutoff {
		return nil
	}
	n.Bound = bound
	a, solved := o.judge(n, p, cutoff)
	if !solved {
		n.State = p
		o.children = append(o.children, n)
	}
	return a
}

// judge solves a part by the intersection of the best choices, or says where to
// split it. In ℓ1 and ℓ2 an intersection beyond the bound answers as well, but
// does not solve.
func (o *ensembleOpener) judge(n search.Node, p *part, cutoff float64) (a *search.Answer, solved bool) {
	o.meet()
	o.known = o.scaled(n.Bound)
	if s, ok := o.disagreement(); ok {
		p.split = s
		return nil, false
	}
	s, distance, attained := o.farthest(n.Bound)
	if distance <= cutoff {
		a = o.answer(n, distance)
	}
	if attained && a != nil {
		return a, true
	}
	if attained {
		if s, attained = o.outside(); !attained {
			p.thin = !o.inhabited() && o.q.Reaches(o.label())
			return nil, !p.thin
		}
	}
	p.split = s
	return a, false
}

// inhabited reports whether a float64 lies in the intersection. None does in some
// real ones at an open end of the domain.
func (o *ensembleOpener) inhabited() bool {
	for f := range o.meetLo {
		if _, ok := o.side(f, o.meetLo[f], o.meetHi[f]).Inside(o.q.X[f]); !ok {
			return false
		}
	}
	return true
}

// label returns what is predicted in the intersection.
func (o *ensembleOpener) label() int {
	sum := slices.Clone(o.e.base)
	for t := range o.trees {
		node := int32(0)
		for n := o.trees[t].nodes[0]; n.feature >= 0; n = o.trees[t].nodes[node] {
			if node = n.right; o.meetLo[n.feature] <= n.cut {
				node = n.left
			}
		}
		o.e.add(sum, t, int(node))
	}
	return o.e.opts.decide(sum, len(o.trees))
}

// answer returns the point of the intersection nearest to X if it really answers.
func (o *ensembleOpener) answer(n search.Node, bound float64) *search.Answer {
	z := make([]float64, len(o.lo))
	for f := range z {
		v, ok := o.side(f, o.meetLo[f], o.meetHi[f]).Inside(o.q.X[f])
		if !ok {
			return nil
		}
		z[f] = v
	}
	if !o.q.Reaches(o.e.Predict(z)) {
		return nil
	}
	return &search.Answer{Bound: bound, Order: n.Order, Example: z, Distance: o.q.Norm.Distance(o.q.X, z)}
}

// begin opens the whole domain: it climbs to a first answer, and gathers what is
// nearer. When ctx ends after the climb, the domain is left to be opened again.
func (o *ensembleOpener) begin(ctx context.Context, n search.Node, cutoff float64) (search.Opened, error) {
	first := o.climbAtScale(ctx, cutoff)
	answer, err := o.gatherRoots(ctx, cutoff, first)
	for err == nil && answer != nil && o.fit(answer.Distance) {
		// The first one there is, and squares overflow or underflow at its size.
		answer.Bound, answer.Order = o.boundOf(answer.Example), 0
		first = answer
		answer, err = o.gatherRoots(ctx, cutoff, first)
	}
	switch {
	case err == nil:
		return search.Opened{Children: o.children, Answer: answer}, nil
	case ctx.Err() == nil || first == nil:
		return search.Opened{}, err
	}
	return search.Opened{Children: append(o.children[:0], n), Answer: first}, nil
}

// gatherRoots gathers what is as near as the first answer, and makes the children of
// the whole domain.
func (o *ensembleOpener) gatherRoots(ctx context.Context, cutoff float64, first *search.Answer) (*search.Answer, error) {
	if first != nil {
		cutoff = min(cutoff, first.Bound)
	}
	o.children = o.children[:0]
	spare, _ := o.e.spare.Get().(*choices)
	spare, err := o.gather(ctx, o.metric, cutoff, spare)
	c := spare.clone()
	o.e.spare.Put(spare)
	if err != nil {
		return nil, err
	}
	c.index()
	return o.roots(ctx, c, cutoff, first)
}

// roots makes the children one part for each target, within the choices, and returns
// the answer that comes first. Of answers at one distance that of an earlier target
// does, so later ones must be nearer.
func (o *ensembleOpener) roots(ctx context.Context, c *choices, cutoff float64, first *search.Answer) (*search.Answer, error) {
	span := o.span()
	for i := range o.targets {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if first != nil {
			cutoff = min(cutoff, math.Nextafter(first.Bound, math.Inf(-1)))
		}
		o.enter(c)
		n := search.Node{Order: 1 + int64(i)*span, Item: int64(i)}
		first = earlier(first, o.look(n, &part{choices: c, feature: -1, span: span}, cutoff))
	}
	return first, nil
}

// earlier returns the answer that comes first; either may be nil.
func earlier(a, b *search.Answer) *search.Answer {
	if a == nil || (b != nil && search.Before(b.Bound, b.Order, a.Bound, a.Order)) {
		return b
	}
	return a
}
