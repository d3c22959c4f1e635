package proof

import "slices"

// box is a range of slots of each feature, and how far from x they are.
type box struct {
	low, high []int32
	first     []int32    // by feature: the first slot of gaps
	gaps      [][]gap    // by feature, of the slots that x has in reach
	home      []int32    // the slots nearest to x
	open      []boxSplit // splits whose second part is still to come, or is being checked
	base      float64    // distance, as it is rounded
}

// gap is how far a slot is from x: that of an end of it, rounded, or nothing.
type gap struct {
	size, end float64
	away      bool
}

// boxSplit is a split of a box at a slot, the last one of the first part.
type boxSplit struct {
	feature, at, low, high int32
	alive                  int
	second                 bool
}

func newBox(e *ensemble) box {
	if e.oblique {
		return box{}
	}
	return box{
		low: make([]int32, e.dim), high: make([]int32, e.dim), first: make([]int32, e.dim),
		home: make([]int32, e.dim), gaps: make([][]gap, e.dim),
	}
}

// gap returns how far a slot of a feature is from x, within the domain.
func (b *treeBody) gap(f, slot int) gap {
	low, high := b.limits(f)
	if slot > 0 {
		low = max(low, b.e.borders[f][slot-1].end)
	}
	if slot < len(b.e.borders[f]) {
		high = min(high, b.e.borders[f][slot].end)
	}
	switch x := b.X[f]; {
	case x < low:
		return gap{low - x, low, true}
	case x > high:
		return gap{x - high, high, true}
	}
	return gap{}
}

// reaches reports whether a gap is less than the bound.
func (b *treeBody) reaches(g gap, f int) bool {
	if b.bound == nil || g.size != b.Bound {
		return b.bound == nil || g.size < b.Bound
	}
	exact := b.exactGap(g, f)
	return exact.cmp(b.bound) < 0
}

func (b *treeBody) exactGap(g gap, f int) *dyadic {
	if !g.away {
		return &dyadic{}
	}
	d := difference(g.end, b.X[f])
	d.m.Abs(&d.m)
	return d
}

// root makes the box of all slots in reach, and reports whether there are some of each feature.
func (b *treeBody) root() bool {
	for f := range b.X {
		low, high := b.limits(f)
		lowest, highest := b.e.slot(f, low), b.e.slot(f, high)
		home := b.e.slot(f, min(max(b.X[f], low), high))
		first, last := home, home
		for first > lowest && b.reaches(b.gap(f, first-1), f) {
			first--
		}
		for last < highest && b.reaches(b.gap(f, last+1), f) {
			last++
		}
		b.box.gaps[f] = b.box.gaps[f][:0]
		for s := first; s <= last; s++ {
			b.box.gaps[f] = append(b.box.gaps[f], b.gap(f, s))
		}
		if !b.reaches(b.gap(f, home), f) {
			return false
		}
		b.box.first[f], b.box.low[f], b.box.high[f], b.box.home[f] = int32(first), int32(first), int32(last), int32(home)
	}
	return true
}

// nearest returns the least gap of some slots of the root box.
func (b *treeBody) nearest(f, low, high int32) gap {
	return b.box.gaps[f][min(max(b.box.home[f], low), high)-b.box.first[f]]
}

// checkBoxes checks a label's tree of boxes.
func (b *treeBody) checkBoxes() {
	if !b.root() {
		return
	}
	b.gather(func(n *node) (left, right bool) {
		return b.box.low[n.feature] <= n.rank, b.box.high[n.feature] > n.rank
	})
	b.measure()
	for i := b.alive - 1; i >= 0; i-- {
		if !b.meets(b.leaves[i]) {
			b.remove(b.leaves[i])
		}
	}
	b.heading()
	b.finish()
	b.number, b.last = b.number+1, -1
	for whole := false; !whole && b.err == nil; {
		switch token := b.readByte(); {
		case token == '.':
			if !b.farther(b.box.base, nil) && !b.holds() {
				b.fail("this box may hold an input with label %d nearer than the bound", b.label)
			}
			whole = b.next()
		case token >= 'a' && token <= 'z':
			b.split(token)
		default:
			b.fail("%q is neither a split nor a leaf", token)
		}
	}
	if end := b.readByte(); end != '\n' {
		b.fail("%q after the last leaf", end)
	}
	b.advance()
}

// readByte reads the next byte of a line that is not kept.
func (s *scanner) readByte() byte {
	if s.err != nil {
		return 0
	}
	s.last++
	c, err := s.r.ReadByte()
	if err != nil {
		s.fail("the file ends within a tree: %w", err)
	}
	return c
}

// split reads a split and goes to its first part.
func (b *treeBody) split(token byte) {
	f, r := 0, 0
	for ; token >= 'a' && token <= 'z'; token = b.readByte() {
		f = min(26*f+int(token-'a'), b.e.dim)
	}
	if f >= b.e.dim || token < '0' || token > '9' {
		b.fail("a split of a feature below %d needs a number of slots", b.e.dim)
		return
	}
	width := int(b.box.high[f] - b.box.low[f])
	for ; token >= '0' && token <= '9'; token = b.readByte() {
		r = min(10*r+int(token-'0'), width)
	}
	if r >= width {
		b.fail("the split leaves nothing of %d slots of feature %d", width+1, f)
	}
	if b.err != nil {
		return
	}
	b.last--
	b.r.UnreadByte() // what ReadByte read last, so that it cannot fail
	at := b.box.low[f] + int32(r)
	b.box.open = append(b.box.open, boxSplit{int32(f), at, b.box.low[f], b.box.high[f], b.alive, false})
	b.narrow(int32(f), b.box.low[f], at)
}

// next goes to the part that follows a leaf, and reports whether there is none.
func (b *treeBody) next() (whole bool) {
	for len(b.box.open) > 0 {
		s := &b.box.open[len(b.box.open)-1]
		b.restore(s.alive)
		if !s.second {
			s.second = true
			b.narrow(s.feature, s.at+1, s.high)
			return false
		}
		b.box.low[s.feature], b.box.high[s.feature] = s.low, s.high
		b.box.open = b.box.open[:len(b.box.open)-1]
	}
	return true
}

// narrow narrows the box in one feature, and takes out the leaves that do not meet it any more.
func (b *treeBody) narrow(f, low, high int32) {
	b.box.low[f], b.box.high[f] = low, high
	b.measure()
	for i := b.alive - 1; i >= 0; i-- {
		if l := b.leaves[i]; !b.meets(l) {
			b.remove(l)
		}
	}
}

// meets reports whether a leaf meets the box nearer than the bound.
func (b *treeBody) meets(l int32) bool {
	ranges := b.e.ranges[l]
	for _, r := range ranges {
		if max(r.low, b.box.low[r.feature]) > min(r.high, b.box.high[r.feature]) {
			return false
		}
	}
	// In ℓ∞ no slot of the root is too far.
	return b.norm == normInf || !b.farther(b.within(ranges), ranges)
}

// measure computes the length of the gaps of the box, rounded, for ℓ2 its square.
func (b *treeBody) measure() {
	b.box.base = 0
	if b.norm == normInf {
		return
	}
	for f := range b.box.home {
		b.box.base = b.norm.join(b.box.base, b.nearest(int32(f), b.box.low[f], b.box.high[f]).size)
	}
}

// within returns the like of the box and a leaf that meets it.
func (b *treeBody) within(ranges []slots) float64 {
	length := b.box.base
	for _, r := range ranges {
		f := r.feature
		was := b.nearest(f, b.box.low[f], b.box.high[f]).size
		is := b.nearest(f, max(r.low, b.box.low[f]), min(r.high, b.box.high[f])).size
		if is != was {
			length += b.norm.join(0, is) - b.norm.join(0, was)
		}
	}
	return length
}

// farther reports whether a distance that was rounded so is the bound or more: that of the box, or
// of its intersection with a leaf.
func (b *treeBody) farther(rounded float64, ranges []slots) bool {
	if b.bound == nil || b.norm == normInf {
		return false
	}
	limit := b.norm.join(0, b.Bound)
	// A gap, its square and each sum are rounded; what is subtracted is never more than the result.
	noise := float64(2*b.e.dim+6*len(ranges)+16) * 0x1p-52
	if usual := limit > 0x1p-900 && limit < 0x1p900; usual && (rounded > limit*(1+noise) || rounded < limit*(1-noise)) {
		return rounded > limit
	}
	low, high := slices.Clone(b.box.low), slices.Clone(b.box.high)
	for _, r := range ranges {
		low[r.feature], high[r.feature] = max(low[r.feature], r.low), min(high[r.feature], r.high)
	}
	gaps := make([]*dyadic, len(low))
	for f := range gaps {
		gaps[f] = b.exactGap(b.nearest(int32(f), low[f], high[f]), f)
	}
	return b.norm.power(gaps).cmp(b.norm.raise(b.bound.copy())) >= 0
}
