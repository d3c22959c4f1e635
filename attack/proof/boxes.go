package proof

import (
	"math"
	"slices"
)

// boxes checks the body of a proof about trees that test one feature.
type boxes struct {
	*checker
	e         *ensemble
	edges     [][]float64 // of each feature: where its slots end, within the domain, from the lower end of the first on
	low, high []int32     // the box: the first and the last slot of each feature
	gaps      []float64   // of each feature of the box, as gap returns them
	base      float64     // distance of the box, as it is rounded, for ℓ2 its square; not of ℓ∞
	label     int         // that is shown to lie far
}

// checkBoxes checks a tree of boxes for each label that answers.
func (c *checker) checkBoxes() {
	b := &boxes{checker: c, e: c.m.trees, low: make([]int32, c.m.dim), high: make([]int32, c.m.dim), gaps: make([]float64, c.m.dim)}
	if !b.root() {
		return
	}
	all := make([]int32, len(b.e.ranges))
	for l := range all {
		all[l] = int32(l)
	}
	root := b.meeting(all)
	for b.label = range c.m.classes {
		if !c.answers(b.label) {
			continue
		}
		b.heading(b.label)
		b.number, b.at = b.number+1, -1
		b.base = b.distance()
		b.part(root, 0)
		if end := b.byte(); end != '\n' {
			b.fail("%q after the last leaf", end)
		}
	}
}

// heading reads the line that begins the part about a label.
func (c *checker) heading(label int) {
	c.expect("label")
	if l := c.integer(c.m.classes); l != label {
		c.fail("label %d, want %d", l, label)
	}
	c.finish()
}

// root makes the box of all slots in reach, and reports whether there are some of each feature.
func (b *boxes) root() bool {
	for f, x := range b.X {
		low, high := b.limits(f)
		edges := []float64{low}
		for _, e := range b.e.borders[f] {
			edges = append(edges, min(max(e.end, low), high))
		}
		b.edges = append(b.edges, append(edges, high))
		first, last := b.e.slot(f, low), b.e.slot(f, high)
		for first <= last && !b.reaches(b.point(f, first, first), x) {
			first++
		}
		for first <= last && !b.reaches(b.point(f, last, last), x) {
			last--
		}
		if b.low[f], b.high[f] = first, last; first > last {
			return false
		}
	}
	return true
}

// reaches reports whether v lies nearer to x than the bound.
func (b *boxes) reaches(v, x float64) bool {
	if gap := math.Abs(v - x); gap != b.Bound {
		return gap < b.Bound // rounding keeps the order
	}
	return norm("1").compareDistance([]float64{v}, []float64{x}, exact(b.Bound)) < 0
}

// point returns the value nearest to x of some slots.
func (b *boxes) point(f int, low, high int32) float64 {
	return min(max(b.X[f], b.edges[f][low]), b.edges[f][high+1])
}

// gap returns how far it is, rounded, for ℓ2 its square.
func (b *boxes) gap(f int, low, high int32) float64 {
	return b.norm.join(0, math.Abs(b.point(f, low, high)-b.X[f]))
}

// part checks the next part of the tree, about the box and the leaves that meet it.
func (b *boxes) part(leaves []int32, depth int) {
	b.deeper(depth)
	token := b.byte()
	if token == '.' {
		if !b.beyond(b.base, nil) && !b.holds(leaves, b.label) {
			b.fail("this box may hold an input with label %d nearer than the bound", b.label)
		}
		return
	}
	if token < 'a' || token > 'z' {
		b.fail("%q is neither a split nor a leaf", token)
	}
	f, token := b.digits(token, 'a', 'z', b.m.dim)
	if f >= b.m.dim || token < '0' || token > '9' {
		b.fail("a split of a feature below %d needs a number of slots", b.m.dim)
	}
	low, high := b.low[f], b.high[f]
	r, _ := b.digits(token, '0', '9', int(high-low))
	if r >= int(high-low) {
		b.fail("the split leaves nothing of %d slots of feature %d", high-low+1, f)
	}
	b.at--
	b.r.UnreadByte() // what ReadByte read last, so that it cannot fail
	middle := low + int32(r)
	for _, part := range [2][2]int32{{low, middle}, {middle + 1, high}} {
		b.low[f], b.high[f] = part[0], part[1]
		kept := b.meeting(leaves)
		b.part(kept, depth+1)
	}
	b.low[f], b.high[f] = low, high
}

// digits reads the rest of a number of at most most, or most, and what follows it.
func (b *boxes) digits(token, zero, last byte, most int) (n int, next byte) {
	for ; token >= zero && token <= last; token = b.byte() {
		n = min(n*int(last-zero+1)+int(token-zero), most)
	}
	return n, token
}

// meeting measures the box, and returns those leaves which meet it nearer than the bound.
func (b *boxes) meeting(leaves []int32) []int32 {
	b.base = b.distance()
	kept := make([]int32, 0, len(leaves))
	for _, l := range leaves {
		if b.meets(b.e.ranges[l]) {
			kept = append(kept, l)
		}
	}
	return kept
}

// distance returns that of the box, rounded, for ℓ2 its square. In ℓ∞ no slot of the root is at the bound.
func (b *boxes) distance() (sum float64) {
	if b.norm != "inf" {
		for f := range b.low {
			b.gaps[f] = b.gap(f, b.low[f], b.high[f])
			sum += b.gaps[f]
		}
	}
	return sum
}

// meets reports whether the box has a part within these ranges nearer than the bound.
func (b *boxes) meets(ranges []slots) bool {
	length := b.base
	for _, r := range ranges {
		f := int(r.feature)
		low, high := max(r.low, b.low[f]), min(r.high, b.high[f])
		if low > high {
			return false
		}
		if b.norm != "inf" {
			length += b.gap(f, low, high) - b.gaps[f]
		}
	}
	return !b.beyond(length, ranges)
}

// beyond reports whether a distance that was rounded so, for ℓ2 its square, is the bound or more: that of the box, or
// of its part within ranges.
func (b *boxes) beyond(rounded float64, ranges []slots) bool {
	if b.norm == "inf" {
		return false
	}
	limit := b.norm.join(0, b.Bound)
	// A gap, its square and each sum are rounded; what is subtracted is never more than the result.
	noise := float64(2*b.m.dim+6*len(ranges)+16) * 0x1p-52
	if usual := limit > 0x1p-900 && limit < 0x1p900; usual && (rounded > limit*(1+noise) || rounded < limit*(1-noise)) {
		return rounded > limit
	}
	low, high := slices.Clone(b.low), slices.Clone(b.high)
	for _, r := range ranges {
		low[r.feature], high[r.feature] = max(low[r.feature], r.low), min(high[r.feature], r.high)
	}
	z := make([]float64, len(low))
	for f := range z {
		z[f] = b.point(f, low[f], high[f])
	}
	return b.norm.compareDistance(z, b.X, exact(b.Bound)) >= 0
}
