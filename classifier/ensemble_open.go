package classifier

import (
	"context"
	"math"
)

func (s *ensembleSearch) NewOpener() Opener {
	dim := len(s.borders)
	return &ensembleOpener{
		ensembleSearch: s,
		lo:             make([]int32, dim), hi: make([]int32, dim), meetLo: make([]int32, dim), meetHi: make([]int32, dim),
		gaps:   make([]float64, dim),
		begins: make([]int32, s.grid.slots), ends: make([]int32, s.grid.slots),
	}
}

// ensembleOpener opens the parts of one goroutine. Its fields describe the part
// that was looked at last.
type ensembleOpener struct {
	*ensembleSearch
	children []Node

	c      *choices
	lo, hi []int32   // the box
	gaps   []float64 // scaled distances of its sides from X
	reach  float64   // of the box
	alive  []bool    // choices that meet it
	saved  []bool

	best           []int32   // the best choice of each group at the bound
	gain           []float64 // its gain
	steps          []step
	meetLo, meetHi []int32 // the intersection of the best choices and the box
	begins, ends   []int32 // how many of their sides begin and end at each slot; 0 between calls
}

// Open implements Opener. A part is opened by splitting it and looking at both
// halves.
func (o *ensembleOpener) Open(ctx context.Context, n Node, cutoff float64) (Opened, error) {
	p := n.State.(*part)
	if p == nil {
		return o.begin(ctx, cutoff)
	}
	return o.open(n, p, cutoff), nil
}

func (o *ensembleOpener) open(n Node, p *part, cutoff float64) Opened {
	o.children = o.children[:0]
	o.restore(p)
	f, cut := p.split.feature, p.split.cut
	near := Node{Bound: n.Bound, Order: n.Order, Item: n.Item}
	far := Node{Bound: n.Bound, Order: n.Order + p.span/2, Item: n.Item}
	var answer *Answer
	for i, child := range []Node{near, far} {
		half := &part{parent: p, choices: p.choices, feature: f, cut: cut, span: p.span / 2}
		half.beyond = (o.at[f] > cut) == (i == 0)
		lo, hi, gap, reach := o.lo[f], o.hi[f], o.gaps[f], o.reach
		if i == 0 {
			o.saved = append(o.saved[:0], o.alive...)
		}
		o.narrow(half)
		a := o.look(child, half, cutoff)
		answer = earlier(answer, a)
		o.lo[f], o.hi[f], o.gaps[f], o.reach = lo, hi, gap, reach
		if i == 0 {
			copy(o.alive, o.saved)
		}
	}
	return Opened{Children: o.children, Answer: answer}
}

// restore makes p the part looked at.
func (o *ensembleOpener) restore(p *part) {
	c := p.choices
	o.enter(c)
	for q := p; q.parent != nil; q = q.parent {
		if f := q.feature; q.beyond {
			o.lo[f] = max(o.lo[f], q.cut+1)
		} else {
			o.hi[f] = min(o.hi[f], q.cut)
		}
	}
	for q := p; q.parent != nil; q = q.parent {
		o.tighten(q.feature)
	}
}

// enter makes the ball of choices the part looked at.
func (o *ensembleOpener) enter(c *choices) {
	o.c = c
	copy(o.lo, c.lo)
	copy(o.hi, c.hi)
	o.reach = 0
	for f := range o.gaps {
		o.gaps[f] = 0
		if o.q.Domain != nil {
			o.gaps[f] = o.scale(o.gap(int32(f), o.lo[f], o.hi[f]))
			o.reach = o.join(o.reach, o.gaps[f], 0)
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
}

// narrow cuts the part looked at down to the half of it that p is.
func (o *ensembleOpener) narrow(p *part) {
	f := p.feature
	if p.beyond {
		o.lo[f] = max(o.lo[f], p.cut+1)
	} else {
		o.hi[f] = min(o.hi[f], p.cut)
	}
	o.tighten(f)
}

// tighten updates what depends on the slots of a feature.
func (o *ensembleOpener) tighten(f int32) {
	gap := o.scale(o.gap(f, o.lo[f], o.hi[f]))
	o.reach = o.join(o.reach, gap, o.gaps[f])
	o.gaps[f] = gap
	lo, hi := o.lo[f], o.hi[f]
	for _, s := range o.c.on[o.c.onF[f]:o.c.onF[f+1]] {
		if s.lo > hi || s.hi < lo {
			o.alive[s.choice] = false
		}
	}
}

// look bounds the part looked at. It appends it to the children, split where it
// should be, or returns the answer that solves it; neither if it can hold none.
func (o *ensembleOpener) look(n Node, p *part, cutoff float64) *Answer {
	bound := max(n.Bound, o.lowered(o.unscale(o.reach)))
	if bound > cutoff || o.lo[max(p.feature, 0)] > o.hi[max(p.feature, 0)] {
		return nil
	}
	radius, ok := o.tightest(o.targets[n.Item], bound, cutoff)
	bound = max(bound, o.lowered(radius))
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
func (o *ensembleOpener) judge(n Node, p *part, cutoff float64) (a *Answer, solved bool) {
	o.meet()
	if s, ok := o.disagreement(); ok {
		p.split = s
		return nil, false
	}
	s, distance, attained := o.farthest(n.Bound)
	if distance = max(n.Bound, o.lowered(distance)); distance <= cutoff {
		a = o.answer(n, distance)
	}
	if attained && a != nil {
		return a, true
	}
	if attained {
		if s, attained = o.outside(); !attained {
			return nil, true
		}
	}
	p.split = s
	return a, false
}

// answer returns the point of the intersection nearest to X if it really answers.
func (o *ensembleOpener) answer(n Node, bound float64) *Answer {
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
	return &Answer{Bound: bound, Order: n.Order, Example: z, Distance: o.q.Norm.Distance(o.q.X, z)}
}

// begin opens the whole domain.
func (o *ensembleOpener) begin(ctx context.Context, cutoff float64) (Opened, error) {
	c, first, err := o.dive(ctx, cutoff)
	if err != nil {
		return Opened{}, err
	}
	if first != nil {
		cutoff = min(cutoff, first.Bound)
		c = o.gather(o.scaled(cutoff))
		c.index()
	}
	first = earlier(first, o.roots(c, cutoff))
	return Opened{Children: o.children, Answer: first}, nil
}

// roots makes the children one part for each target, within the choices.
func (o *ensembleOpener) roots(c *choices, cutoff float64) (first *Answer) {
	o.children = o.children[:0]
	span := o.span()
	for i := range o.targets {
		o.enter(c)
		n := Node{Order: 1 + int64(i)*span, Item: int64(i)}
		first = earlier(first, o.look(n, &part{choices: c, feature: -1, span: span}, cutoff))
	}
	return first
}

// dive looks for a first answer in a growing ball around X: the nearest child of
// the nearest child of a root, and so on. It returns the choices of the last ball,
// which hold everything if there is no answer.
func (o *ensembleOpener) dive(ctx context.Context, cutoff float64) (*choices, *Answer, error) {
	for radius := o.firstRadius(); ; radius *= 2 {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		c := o.gather(o.scaled(radius))
		c.index()
		best := o.roots(c, cutoff)
		roots := append([]Node(nil), o.children...)
		for _, n := range roots {
			if best = earlier(best, o.descend(n, cutoff)); best != nil {
				cutoff = min(cutoff, best.Bound)
			}
		}
		if best != nil || c.all {
			if best != nil {
				best.Order = 0
			}
			return c, best, nil
		}
	}
}

// descend follows the nearest children of a part to an answer.
func (o *ensembleOpener) descend(n Node, cutoff float64) *Answer {
	for {
		opened := o.open(n, n.State.(*part), cutoff)
		if opened.Answer != nil || len(opened.Children) == 0 {
			return opened.Answer
		}
		n = opened.Children[0]
		if len(opened.Children) > 1 && opened.Children[1].Bound < n.Bound {
			n = opened.Children[1]
		}
	}
}

// firstRadius returns the distance of the nearest border, or a bit more.
func (o *ensembleOpener) firstRadius() float64 {
	least := math.Inf(1)
	for f := range o.lo {
		at := o.at[f]
		if at > o.ensembleSearch.lo[f] {
			least = min(least, o.gap(int32(f), at-1, at-1))
		}
		if at < o.ensembleSearch.hi[f] {
			least = min(least, o.gap(int32(f), at+1, at+1))
		}
	}
	if math.IsInf(least, 1) {
		return 1
	}
	return max(2*least, 1e-9)
}

// earlier returns the answer that comes first; either may be nil.
func earlier(a, b *Answer) *Answer {
	if a == nil || (b != nil && Before(b.Bound, b.Order, a.Bound, a.Order)) {
		return b
	}
	return a
}
