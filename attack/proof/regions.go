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
	gaps      []num       // its distances from x by feature, raised
	distance  num         // its distance, raised
	label     int         // that is shown to lie far
}

// checkBoxes checks a tree of boxes for each label that answers.
func (c *checker) checkBoxes() {
	dim := c.m.dim
	b := &boxes{checker: c, e: c.m.trees, low: make([]int32, dim), high: make([]int32, dim), gaps: make([]num, dim)}
	for f := range dim {
		if !b.root(f) {
			return
		}
	}
	leaves := make([]int32, len(b.e.ranges))
	for l := range leaves {
		leaves[l] = int32(l)
	}
	leaves = b.meeting(leaves)
	for b.label = range c.answering() {
		b.finish()
		b.number, b.at = b.number+1, -1
		b.part(leaves, 0)
		b.demand(b.byte() == '\n', "more follows after the last leaf")
	}
}

// root sets the box to all slots of a feature in reach, and reports whether there are some.
func (b *boxes) root(f int) bool {
	low, high := b.limits(f)
	edges := []float64{low}
	for _, e := range b.e.borders[f] {
		edges = append(edges, min(max(e.end, low), high))
	}
	b.edges = append(b.edges, append(edges, high))
	far := func(slot int32) bool {
		return norm("1").compare([]float64{b.point(f, slot, slot)}, b.X[f:f+1], b.prices(f), b.Bound, 0) >= 0
	}
	first, last := b.e.slot(f, low), b.e.slot(f, high)
	for first <= last && far(first) {
		first++
	}
	for first <= last && far(last) {
		last--
	}
	b.low[f], b.high[f] = first, last
	return first <= last
}

// point returns the value nearest to x of some slots.
func (b *boxes) point(f int, low, high int32) float64 {
	return min(max(b.X[f], b.edges[f][low]), b.edges[f][high+1])
}

// gap returns how far it is, raised.
func (b *boxes) gap(f int, low, high int32) num {
	return b.norm.move(b.point(f, low, high), b.X[f], b.Prices, f, rounded)
}

// part checks the next part of the tree, about the box and the leaves that meet it.
func (b *boxes) part(leaves []int32, depth int) {
	b.demand(depth <= deepest, "more than 100000 nodes on a path")
	token := b.byte()
	if token == '.' {
		b.demand(b.beyond(b.distance, nil) || b.holds(leaves, b.label), "this box may hold an input with label %d nearer than the bound", b.label)
		return
	}
	b.demand(token >= 'a' && token <= 'z', "%q is neither a split nor a leaf", token)
	f, token := b.digits(token, 'a', 'z', b.m.dim)
	b.demand(f < b.m.dim && token >= '0' && token <= '9', "a split of a feature below %d needs a number of slots", b.m.dim)
	low, high := b.low[f], b.high[f]
	r, _ := b.digits(token, '0', '9', int(high-low))
	b.demand(r < int(high-low), "the split leaves nothing of %d slots of feature %d", high-low+1, f)
	b.at--
	b.r.UnreadByte() // what ReadByte read last, so that it cannot fail
	middle := low + int32(r)
	for _, part := range [2][2]int32{{low, middle}, {middle + 1, high}} {
		b.low[f], b.high[f] = part[0], part[1]
		b.part(b.meeting(leaves), depth+1)
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
	b.distance = num{}
	for f := range b.gaps {
		b.gaps[f] = b.gap(f, b.low[f], b.high[f])
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

// meets reports whether the box has a part within these ranges nearer than the bound.
func (b *boxes) meets(ranges []slots) bool {
	distance := b.distance
	for _, r := range ranges {
		f := int(r.feature)
		low, high := max(r.low, b.low[f]), min(r.high, b.high[f])
		if low > high {
			return false
		}
		if b.norm != "inf" && (low > b.low[f] || high < b.high[f]) {
			distance = distance.plus(b.gap(f, low, high).minus(b.gaps[f]))
		}
	}
	return !b.beyond(distance, ranges)
}

// beyond reports whether a distance, raised and perhaps rounded, is the bound or more: that of the box, or of its
// part within ranges. In ℓ∞ it is not, since no slot of the root is so far.
func (b *boxes) beyond(distance num, ranges []slots) bool {
	if b.norm == "inf" || math.IsInf(b.Bound, 1) {
		return false
	}
	if s, sure := distance.minus(b.norm.raise(num{v: b.Bound})).sign(); sure {
		return s > 0
	}
	low, high := slices.Clone(b.low), slices.Clone(b.high)
	for _, r := range ranges {
		low[r.feature], high[r.feature] = max(low[r.feature], r.low), min(high[r.feature], r.high)
	}
	z := make([]float64, len(low))
	for f := range z {
		z[f] = b.point(f, low[f], high[f])
	}
	return b.norm.compare(z, b.X, b.Prices, b.Bound, 0) >= 0
}

// regions checks the body of a proof about oblique trees.
type regions struct {
	*checker
	e     *ensemble
	label int    // that is shown to lie far
	made  []half // the decisions above
}

// checkRegions checks a tree of regions for each label that answers.
func (c *checker) checkRegions() {
	b := &regions{checker: c, e: c.m.trees}
	var root []int32
	for _, nodes := range b.e.trees {
		root = b.reached(&nodes[0], root)
	}
	for b.label = range c.answering() {
		b.part(root, 0)
	}
}

// reached appends the leaves below a node all of whose tests have them on a side nearer than the bound.
func (b *regions) reached(n *node, leaves []int32) []int32 {
	if n.left == nil {
		return append(leaves, n.first)
	}
	if !b.contradict(n.sides[0]) {
		leaves = b.reached(n.left, leaves)
	}
	if !b.contradict(n.sides[1]) {
		leaves = b.reached(n.right, leaves)
	}
	return leaves
}

// without returns the leaves, which ascend, that are not below a node.
func without(leaves []int32, n *node) []int32 {
	from, _ := slices.BinarySearch(leaves, n.first)
	to, _ := slices.BinarySearch(leaves, n.end)
	return slices.Concat(leaves[:from], leaves[to:])
}

// part checks the next part of the tree, about what the decisions leave of the ball, and the leaves that are left.
func (b *regions) part(leaves []int32, depth int) {
	b.demand(depth <= deepest, "more than 100000 nodes on a path")
	for {
		b.key()
		key := b.word()
		var nodes []node
		var n *node
		if key == "s" || key == "d" {
			nodes = b.e.trees[b.integer(len(b.e.trees))]
			n = &nodes[b.integer(len(nodes))]
		}
		switch key {
		case "s":
			b.demand(n.isTest(), "this node has no test")
			for side, gone := range []*node{n.right, n.left} {
				b.made = append(b.made, n.sides[side])
				b.part(without(leaves, gone), depth+1)
				b.made = b.made[:depth]
			}
			return
		case "d":
			b.demand(n.left == nil, "this node is no leaf")
			b.refute(func(term string) half { return b.term(term, nodes, n) })
			leaves = without(leaves, n)
		case "c":
			b.refute(func(term string) half { return b.term(term, nil, nil) })
			return
		case ".":
			b.demand(b.holds(leaves, b.label), "this region may hold an input with label %d nearer than the bound", b.label)
			return
		default:
			b.demand(false, "%.40q is none of s, d, c and a leaf", key)
		}
	}
}

// term returns the half-space of a decision above, "@k", or of the test of a node on the path to a leaf, "#N".
func (b *regions) term(word string, nodes []node, leaf *node) half {
	if word[0] == '@' {
		return b.made[b.below(word[1:], len(b.made))]
	}
	b.demand(word[0] == '#' && leaf != nil, "%.40q is no half-space", word)
	n := &nodes[b.below(word[1:], len(nodes))]
	above := n.isTest() && n.first <= leaf.first && leaf.first < n.end
	b.demand(above, "node %s has no test above this leaf", word[1:])
	if leaf.first < n.left.end {
		return n.sides[0]
	}
	return n.sides[1]
}
