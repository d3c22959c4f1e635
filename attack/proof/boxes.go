package proof

import (
	"fmt"
	"math"
	"slices"
)

// boxes checks the body of a proof about trees that test one feature.
type boxes struct {
	*checker
	e *ensemble
	// of each feature: where its slots end, within the domain, from the lower end of the first on
	edges     [][]float64
	home      []int32      // of each feature: the slot of x
	codes     []*codeSlots // of each feature: nil for a number
	low, high []int32      // the box: the first and the last slot of each feature
	gaps      []num        // its distances from x by feature, raised
	distance  num          // its distance, raised
	relaxing
	void  func() bool               // the claim is about no input of the box; nil: about some
	right func(leaves []int32) bool // they show that the claim holds in the box
	what  string                    // it says that there is none of
}

// checkBoxes checks a tree of boxes for each label that answers.
func (c *checker) checkBoxes() {
	b := c.newBoxes()
	leaves, some := b.begins()
	if !some {
		return
	}
	for label := range c.answering() {
		var f *form
		if b.more {
			rival := b.integer(b.m.classes)
			f = b.e.over(0, label, rival)
			b.demand(b.norm == "inf" && b.rivals(label, rival) && !f.vain,
				"no potentials of label %d over %d in a proof of this norm or vote", label, rival)
		}
		b.what = fmt.Sprintf("an input with label %d nearer than the bound", label)
		leads := c.leads(label)
		b.right = func(leaves []int32) bool { return b.e.loses(leaves, label, leads) }
		b.tree(leaves, f)
	}
}

func (c *checker) newBoxes() *boxes {
	dim := c.m.dim
	return &boxes{
		checker: c,
		e:       c.m.trees,
		home:    make([]int32, dim),
		codes:   make([]*codeSlots, dim),
		low:     make([]int32, dim),
		high:    make([]int32, dim),
		gaps:    make([]num, dim),
	}
}

// begins returns the leaves that meet the root box; false if some feature has no slot.
func (b *boxes) begins() (leaves []int32, some bool) {
	for f := range b.low {
		if !b.root(f) {
			return nil, false
		}
	}
	leaves = make([]int32, len(b.e.ranges))
	for l := range leaves {
		leaves[l] = int32(l)
	}
	return b.meeting(leaves), true
}

// tree checks a tree, with potentials if there is a form.
func (b *boxes) tree(leaves []int32, f *form) {
	var p *potentials
	if f != nil {
		p = b.begin(leaves, f)
	}
	b.finish()
	b.number, b.at = b.number+1, -1
	b.part(leaves, p, 0)
	b.demand(b.byte() == '\n', "more follows after the last leaf")
}

// root sets the box to all slots of a feature in reach, and reports whether there are some.
func (b *boxes) root(f int) bool {
	low, high := b.limits(f)
	edges := []float64{low}
	for _, e := range b.e.borders[f] {
		edges = append(edges, min(max(e.end, low), high))
	}
	b.edges, b.home[f] = append(b.edges, append(edges, high)), b.e.slot(f, b.X[f])
	first, last := b.e.slot(f, low), b.e.slot(f, high)
	far := func(slot int32) bool { return b.farPoint(f, b.point(f, slot, slot)) }
	if b.isCategory(f) {
		b.codes[f] = b.codeSlots(f, first, last)
		far = func(slot int32) bool {
			_, ok := b.nearest(f, slot, slot, nil)
			return !ok
		}
	}
	for first <= last && far(first) {
		first++
	}
	for first <= last && far(last) {
		last--
	}
	b.low[f], b.high[f] = first, last
	return first <= last
}

// farPoint reports whether a feature alone lies as far as the bound at a value.
func (b *boxes) farPoint(f int, z float64) bool {
	return norm("1").compare([]float64{z}, b.origin[f:f+1], b.prices(f), b.Bound, 0) >= 0
}

// point returns the value nearest to x of some slots.
func (b *boxes) point(f int, low, high int32) float64 {
	return min(max(b.X[f], b.edges[f][low]), b.edges[f][high+1])
}

// nearest returns the value nearest to x, as seen from its moves, of some slots, or of those of
// them in a set; false if the claim is about none of them.
func (b *boxes) nearest(f int, low, high int32, set slotSet) (z float64, ok bool) {
	if low > high {
		return 0, false
	}
	if codes := b.codes[f]; codes != nil {
		return codes.nearest(low, high, set)
	}
	if set == nil {
		return b.point(f, low, high), true
	}
	at := min(max(b.home[f], low), high)
	below, above := set.upTo(low, at), set.from(at, high)
	switch {
	case below < low && above > high:
		return 0, false
	case below < low || below == above:
		return b.point(f, above, above), true
	case above > high:
		return b.point(f, below, below), true
	}
	first, second := b.point(f, below, below), b.point(f, above, above)
	s := signOf(func(m mode) num {
		return b.norm.move(first, b.X[f], b.Prices, f, m).minus(
			b.norm.move(second, b.X[f], b.Prices, f, m))
	})
	if s <= 0 {
		return first, true
	}
	return second, true
}

// gap returns how far a value is, raised.
func (b *boxes) gap(f int, z float64) num {
	return b.norm.move(z, b.origin[f], b.Prices, f, rounded)
}

// part checks the next part of the tree, about the box and the leaves that meet it; potentials know
// their own.
func (b *boxes) part(leaves []int32, p *potentials, depth int) {
	b.demand(depth <= deepest, "more than 100000 nodes on a path")
	switch token := b.byte(); {
	case token == '.':
		right := p != nil && p.refuted(b)
		if p != nil && !right {
			leaves = p.left(b)
		}
		right = right || len(leaves) == 0 || b.void != nil && b.void()
		right = right || b.beyond(b.distance, nil) || b.right(leaves)
		b.demand(right, "this box may hold %s", b.what)
	case token == '*' && p != nil:
		b.relax(p, depth)
	default:
		b.demand(token >= 'a' &&
			token <= 'z',
			"%q is neither a split nor a leaf, nor a sweep where the label has a rival", token)
		b.split(token, leaves, p, depth)
	}
}

// relax checks the next part of the tree after some sweeps.
func (b *boxes) relax(p *potentials, depth int) {
	count, _ := b.digits(b.byte(), '0', '9', mostSweeps+1)
	b.demand(count <= mostSweeps, "%d sweeps or more are more than %d", count, mostSweeps)
	b.unread()
	low, high := slices.Clone(b.low), slices.Clone(b.high)
	if p = p.narrow(b); p == nil {
		b.demand(b.byte() == '.', "nothing is left, and a leaf should follow")
	} else {
		b.divide(p)
		for range count {
			b.sweep(p)
		}
		b.part(nil, p, depth+1)
	}
	copy(b.low, low)
	copy(b.high, high)
}

// split checks both parts of a box.
func (b *boxes) split(token byte, leaves []int32, p *potentials, depth int) {
	f, token := b.digits(token, 'a', 'z', b.m.dim)
	b.demand(f < b.m.dim, "there is no feature %d", f)
	low, high := b.low[f], b.high[f]
	r, _ := b.digits(token, '0', '9', int(high-low))
	b.demand(r < int(high-low), "the split leaves nothing of %d slots of feature %d", high-low+1, f)
	b.unread()
	middle := low + int32(r)
	for _, part := range [2][2]int32{{low, middle}, {middle + 1, high}} {
		b.low[f], b.high[f] = part[0], part[1]
		if p == nil {
			b.part(b.meeting(leaves), nil, depth+1)
		} else {
			b.part(nil, p, depth+1)
		}
	}
	b.low[f], b.high[f] = low, high
}

// unread takes back the last byte.
func (b *boxes) unread() {
	b.at--
	b.r.UnreadByte() // what ReadByte read last, so that it cannot fail
}

// mostSweeps is how many one token may say.
const mostSweeps = 99

// digits reads a number of at most most, or most, and what follows it. Its first digit is no zero
// where there are others.
func (b *boxes) digits(token, zero, last byte, most int) (n int, next byte) {
	first, count := token, 0
	for ; token >= zero && token <= last; token = b.byte() {
		n = min(n*int(last-zero+1)+int(token-zero), most)
		count++
		b.demand(count < 10 && (count == 1 || first != zero),
			"a number begins with %q, or has more than 9 digits", zero)
	}
	b.demand(count > 0, "%q where a number is expected", token)
	return n, token
}

// meeting measures the box, and returns those leaves which meet it nearer than the bound; none if
// it holds nothing that the claim is about.
func (b *boxes) meeting(leaves []int32) []int32 {
	b.distance = num{}
	for f := range b.gaps {
		z, ok := b.nearest(f, b.low[f], b.high[f], nil)
		if !ok {
			return nil
		}
		b.gaps[f] = b.gap(f, z)
		b.distance = b.norm.join(b.distance, b.gaps[f])
	}
	kept := make([]int32, 0, len(leaves))
	for _, l := range leaves {
		if b.meets(b.e.ranges[l]) {
			kept = append(kept, l)
		}
	}
	return kept
}

// meets reports whether the box has a part within these slots nearer than the bound.
func (b *boxes) meets(ranges []slots) bool {
	distance := b.distance
	for _, r := range ranges {
		f := int(r.feature)
		low, high := max(r.low, b.low[f]), min(r.high, b.high[f])
		if low > high {
			return false
		}
		if r.set == nil && low == b.low[f] && high == b.high[f] {
			continue
		}
		z, ok := b.nearest(f, low, high, r.set)
		if !ok {
			return false
		}
		if b.norm != "inf" {
			distance = distance.plus(b.gap(f, z).minus(b.gaps[f]))
		}
	}
	return !b.beyond(distance, ranges)
}

// beyond reports whether a distance, raised and perhaps rounded, is the bound or more: that of the
// box, or of its part within ranges, which is there. In ℓ∞ it is not, since no slot of the root is
// so far.
func (b *boxes) beyond(distance num, ranges []slots) bool {
	if b.norm == "inf" || math.IsInf(b.Bound, 1) {
		return false
	}
	if s, sure := distance.minus(b.norm.raise(num{v: b.Bound})).sign(); sure {
		return s > 0
	}
	z := make([]float64, len(b.low))
	for f := range z {
		z[f], _ = b.nearest(f, b.low[f], b.high[f], nil)
	}
	for _, r := range ranges {
		f := r.feature
		z[f], _ = b.nearest(int(f), max(b.low[f], r.low), min(b.high[f], r.high), r.set)
	}
	return b.norm.compare(z, b.origin, b.Prices, b.Bound, 0) >= 0
}
