package proof

import (
	"fmt"
	"math"
	"slices"
)

// boxes checks the body of a proof about trees that test one feature.
type boxes struct {
	*checker
	e         *ensemble
	axes      []axis  // of each feature
	low, high []int32 // the box: the first and the last slot of each feature
	gaps      []num   // its distances from x by feature, raised
	distance  num     // its distance, raised
	relaxing
	void  func() bool               // the claim is about no input of the box; nil: about some
	right func(leaves []int32) bool // they show that the claim holds in the box
	what  string                    // it says that there is none of
}

// axis is how the slots of a feature lie to x.
type axis struct {
	edges []float64 // where slots end, within the domain, from the lower end of the first on
	at    []float64 // of each slot: its value nearest to x, as seen from the moves of x
	home  int32     // the slot of x
	reach slotSet   // of a category: the slots that are nearer than the bound; nil for a number
}

// checkBoxes checks a tree of boxes for each label that answers.
func (c *checker) checkBoxes() {
	b := c.newBoxes()
	leaves, some := b.begins()
	if !some {
		return
	}
	if c.Also != nil {
		b.joined(leaves)
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
		leads := c.margins(label)
		b.right = func(leaves []int32) bool { return b.e.loses(leaves, label, leads) }
		b.tree(leaves, f)
	}
}

func (c *checker) newBoxes() *boxes {
	dim := c.m.dim
	return &boxes{
		checker: c,
		e:       c.trees(),
		axes:    make([]axis, dim),
		low:     make([]int32, dim),
		high:    make([]int32, dim),
		gaps:    make([]num, dim),
	}
}

// begins returns the leaves that meet the root box; false if some feature has no slot.
func (b *boxes) begins() (leaves []int32, some bool) {
	for f := range b.low {
		if b.root(f); b.low[f] > b.high[f] {
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
	root := b.distance
	b.part(leaves, p, 0)
	b.distance = root // the next tree begins there, too
	b.demand(b.byte() == '\n', "more follows after the last leaf")
}

// root sets the box to all slots of a feature in reach.
func (b *boxes) root(f int) {
	low, high := b.limits(f)
	borders := b.e.borders[f]
	a := axis{edges: []float64{low}, at: make([]float64, len(borders)+1), home: b.e.slot(f, b.X[f])}
	for _, e := range borders {
		a.edges = append(a.edges, min(max(e.end, low), high))
	}
	a.edges = append(a.edges, high)
	first, last := b.e.slot(f, low), b.e.slot(f, high)
	near := func(slot int32) bool { return b.isNear(f, a.at[slot]) }
	if b.isCategory(f) {
		a.reach = b.codes(f, &a, first, last)
		near = a.reach.has
	} else {
		for slot := range a.at {
			a.at[slot] = min(max(b.X[f], a.edges[slot]), a.edges[slot+1])
		}
	}
	for first <= last && !near(first) {
		first++
	}
	for first <= last && !near(last) {
		last--
	}
	b.low[f], b.high[f], b.axes[f] = first, last, a
}

// isNear reports whether a feature alone lies nearer than the bound at a value.
func (b *boxes) isNear(f int, z float64) bool {
	return norm("1").compare([]float64{z}, b.origin[f:f+1], b.prices(f), b.Bound, 0) < 0
}

// codes measures the slots of a category, of which those from first to last meet the domain, and
// returns those that are nearer than the bound.
func (b *boxes) codes(f int, a *axis, first, last int32) (reach slotSet) {
	low, high := b.limits(f)
	borders, reach := b.e.borders[f], make(slotSet, len(a.at)/64+1)
	if a.home >= first && a.home <= last && low <= b.X[f] && b.X[f] <= high && b.isNear(f, 0) {
		reach.add(a.home, a.home)
	}
	if !b.isNear(f, 1) {
		return reach
	}
	most := min(high, float64(b.Codes[f]-1))
	for slot := first; slot <= last; slot++ {
		code := max(0, math.Ceil(low))
		if slot > 0 {
			border := borders[slot-1]
			if code = max(code, math.Ceil(border.end)); border.low(code) {
				code++
			}
		}
		isCode := code <= most && (int(slot) == len(borders) || borders[slot].low(code))
		if isCode && !reach.has(slot) {
			a.at[slot] = 1
			reach.add(slot, slot)
		}
	}
	return reach
}

// nearest returns the slot nearest to x, of some or of those of them in a set, unless that is nil;
// −1 if the claim is about none of them.
func (b *boxes) nearest(f int, low, high int32, set slotSet) int32 {
	a := &b.axes[f]
	at := min(max(a.home, low), high)
	if set == nil && a.reach == nil {
		return at
	}
	below, above := lastOf(low, at, set, a.reach), firstOf(at, high, set, a.reach)
	switch {
	case below < low && above > high:
		return -1
	case below < low || below == above:
		return above
	case above > high:
		return below
	}
	further := signOf(func(m mode) num { return b.gap(f, below, m).minus(b.gap(f, above, m)) })
	if further > 0 {
		return above
	}
	return below
}

// gap returns how far a slot is, raised.
func (b *boxes) gap(f int, slot int32, m mode) num {
	return b.norm.move(b.axes[f].at[slot], b.origin[f], b.Prices, f, m)
}

// part checks the next part of the tree, about the box and the leaves that meet it; potentials know
// their own.
func (b *boxes) part(leaves []int32, p *potentials, depth int) {
	b.demand(depth <= deepest, "more than 100000 nodes on a path")
	switch token := b.byte(); {
	case token == '.':
		right := false
		if p != nil {
			n, sum := p.meeting(b)
			if right = sum < b.limit; !right {
				leaves = n.left(b)
			}
		}
		right = right || len(leaves) == 0 || b.void != nil && b.void()
		right = right || b.beyond(b.distance, nil) || b.right(leaves)
		b.demand(right, "this box may hold %s", b.what)
	case token == '*' && p != nil:
		b.relax(p, depth)
	default:
		b.demand(token >= 'a' && token <= 'z',
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
		p.sweeps(b, count)
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
	b.r.UnreadByte() // cannot fail, as ReadByte came last
}

// mostSweeps is how many one token may say.
const mostSweeps = 99

// digits reads a number of at most most, or most, and the byte after it. Its first digit is no zero
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
// no input of the claim is in the box.
func (b *boxes) meeting(leaves []int32) []int32 {
	b.distance = num{}
	for f := range b.gaps {
		slot := b.nearest(f, b.low[f], b.high[f], nil)
		if slot < 0 {
			return nil
		}
		b.gaps[f] = b.gap(f, slot, rounded)
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
		slot := b.nearest(f, low, high, r.set)
		if slot < 0 {
			return false
		}
		if b.norm != "inf" {
			distance = distance.plus(b.gap(f, slot, rounded).minus(b.gaps[f]))
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
		z[f] = b.axes[f].at[b.nearest(f, b.low[f], b.high[f], nil)]
	}
	for _, r := range ranges {
		f := int(r.feature)
		slot := b.nearest(f, max(b.low[f], r.low), min(b.high[f], r.high), r.set)
		z[f] = b.axes[f].at[slot]
	}
	return b.norm.compare(z, b.origin, b.Prices, b.Bound, 0) >= 0
}
