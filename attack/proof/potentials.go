package proof

import (
	"math"
	"slices"
)

// relaxing is shared by the potentials in the tree of a label.
type relaxing struct {
	limit int64 // a margin of fewer units is lost
	floor int64 // the least contribution
}

// potentials are a part's knowledge of the leaves that are left to each tree. All numbers count
// units.
type potentials struct {
	base      int64    // with the gains of trees that are settled
	constants []int64  // of each feature
	settled   []int32  // leaves of those trees
	trees     [][]leaf // leaves of each other tree
}

// leaf is one that is left.
type leaf struct {
	number        int32
	value         int64   // its gain and its contributions
	contributions []int64 // of the features in which it has a range
}

// begin returns the potentials with which the tree of a form begins, all zero.
func (b *boxes) begin(leaves []int32, f *form) *potentials {
	most, base := 0.0, upward(f.base(b.e, exactly))
	gains := make([]float64, len(b.e.ranges))
	for _, l := range leaves {
		gains[l] = f.roundedUp(b.e.of(l))
		most = max(most, math.Abs(gains[l]))
	}
	b.demand(most > 0x1p-900 && most < 0x1p900 &&
		math.Abs(base) < 0x1p30*most, "values of up to %v have no potentials", most)
	_, exponent := math.Frexp(most)
	unit := math.Ldexp(1, exponent-22)
	p, cutting := &potentials{base: units(base, unit), constants: make([]int64, b.m.dim)}, 1
	for tree := range b.e.byTree(leaves) {
		adds := func(l int32) bool { return gains[l] != 0 }
		if f.rests && !slices.ContainsFunc(tree, adds) {
			p.settled = append(p.settled, tree...)
			continue
		}
		open := make([]leaf, len(tree))
		for i, l := range tree {
			count := 0
			for _, r := range b.e.ranges[l] {
				if !b.within(r) {
					count++
				}
			}
			cutting = max(cutting, count)
			open[i] = leaf{l, units(gains[l], unit), make([]int64, len(b.e.ranges[l]))}
		}
		p.trees = append(p.trees, open)
	}
	b.floor = -(1 << 28 / int64(cutting))
	limit, fits := f.limit(unit)
	b.limit = limit
	b.demand(fits, "the slack is too great for potentials")
	return p
}

// units returns the least number of units that is no less than v.
func units(v, unit float64) int64 {
	n := math.Ceil(v / unit)
	if n*unit < v { // the quotient was too small for a float64
		n++
	}
	return int64(n)
}

// within reports whether the box lies within a range.
func (b *boxes) within(r slots) bool {
	return r.low <= b.low[r.feature] && r.high >= b.high[r.feature]
}

// hits reports whether the ranges of a leaf meet the box.
func (b *boxes) hits(l *leaf) bool {
	for _, r := range b.e.ranges[l.number] {
		if r.low > b.high[r.feature] || r.high < b.low[r.feature] {
			return false
		}
	}
	return true
}

// minusInfinity is less than all values.
const minusInfinity = math.MinInt64 / 2

// best returns the greatest value of some leaves.
func best(leaves []leaf) int64 {
	most := int64(minusInfinity)
	for i := range leaves {
		most = max(most, leaves[i].value)
	}
	return most
}

// meeting returns the potentials with no leaves but those that meet the box, and a sum that no
// margin of inputs there exceeds: less than the limit if a tree has no leaf.
func (p *potentials) meeting(b *boxes) (n *potentials, sum int64) {
	n, sum = &potentials{p.base, slices.Clone(p.constants), slices.Clone(p.settled), nil}, p.base
	for _, c := range p.constants {
		sum += c
	}
	for _, tree := range p.trees {
		some := make([]leaf, 0, len(tree))
		for i := range tree {
			if b.hits(&tree[i]) {
				some = append(some, tree[i])
			}
		}
		if len(some) == 0 {
			return n, math.MinInt64
		}
		n.trees, sum = append(n.trees, some), sum+best(some)
	}
	return n, sum
}

// left returns all leaves that are left in the box.
func (p *potentials) left(b *boxes) []int32 {
	leaves := slices.Clone(p.settled)
	for _, tree := range p.trees {
		for i := range tree {
			leaves = append(leaves, tree[i].number)
		}
	}
	slices.Sort(leaves)
	return b.meeting(leaves)
}

// narrow leaves out leaves that cannot win, and shrinks the box; nil if no leaf is left to a tree.
func (p *potentials) narrow(b *boxes) *potentials {
	n, sum := p.meeting(b)
	if sum < b.limit {
		return nil
	}
	for again := true; again; {
		n.keep(func(l *leaf, best int64) bool { return l.value >= best-(sum-b.limit) })
		if again = n.shrink(b); again {
			n.keep(func(l *leaf, _ int64) bool { return b.hits(l) })
		}
	}
	for f, low := range b.low {
		if low > b.high[f] {
			return nil
		}
	}
	return n.settle(b)
}

// keep leaves out leaves that do not fit, given the best of their tree.
func (p *potentials) keep(fits func(l *leaf, best int64) bool) {
	for t, tree := range p.trees {
		best := best(tree)
		p.trees[t] = slices.DeleteFunc(tree, func(l leaf) bool { return !fits(&l, best) })
	}
}

// shrink shrinks the box to the ranges of the leaves that are left to each tree, and reports
// whether that is less of it.
func (p *potentials) shrink(b *boxes) (less bool) {
	for _, tree := range p.trees {
		if len(tree) == 0 {
			continue
		}
		for _, r := range b.e.ranges[tree[0].number] { // others contain the box
			f, low, high := r.feature, r.low, r.high
			for i := 1; i < len(tree) && (low > b.low[f] || high < b.high[f]); i++ {
				own := b.rangeOf(tree[i].number, f)
				low, high = min(low, own.low), max(high, own.high)
			}
			less = less || low > b.low[f] || high < b.high[f]
			b.low[f], b.high[f] = max(b.low[f], low), min(b.high[f], high)
		}
	}
	return less
}

// rangeOf returns the range of a leaf in a feature.
func (b *boxes) rangeOf(l, f int32) slots {
	for _, r := range b.e.ranges[l] {
		if r.feature == f {
			return r
		}
	}
	return slots{feature: f, high: math.MaxInt32}
}

// settle settles trees of one leaf; nil if a tree has none.
func (p *potentials) settle(b *boxes) *potentials {
	open := p.trees[:0]
	for _, tree := range p.trees {
		switch len(tree) {
		case 0:
			return nil
		case 1:
			p.base, p.settled = p.base+tree[0].value, append(p.settled, tree[0].number)
			for i, r := range b.e.ranges[tree[0].number] {
				p.base -= tree[0].contributions[i]
				p.constants[r.feature] += tree[0].contributions[i]
			}
		default:
			for i := range tree {
				tree[i].contributions = slices.Clone(tree[i].contributions)
			}
			open = append(open, tree)
		}
	}
	p.trees = open
	return p
}
