package proof

import (
	"math"
	"slices"
)

// relaxing is what potentials in the tree of a label share.
type relaxing struct {
	limit int64 // a lead of fewer units is lost
	floor int64 // the least share

	bins   [][]span // of the sides of each feature
	ends   []bool   // by slot of the box: that a side ends there
	best   []each   // of the users of a feature
	totals each
	vacant [mostBins]bool // bins in which some user has no leaf
}

type span struct{ first, last int32 }

// potentials are what a part of a tree knows of the leaves left there. All is counted in units.
type potentials struct {
	base      int64   // with the gains of trees that are settled
	constants []int64 // of each feature
	settled   []int32 // leaves of those trees
	leaves    []int32 // of the other trees, which ascend
	values    []int64 // of leaves
	trees     []int32 // where the leaves of each tree end
	sides     [][]side
}

// side is the range of a leaf in a feature, and its share there. A leaf without contains the box,
// and has a share of 0.
type side struct {
	leaf, low, high int32 // the leaf by its number in potentials
	share           int64
}

// begin returns the potentials with which the tree of a form begins, all zero.
func (b *boxes) begin(leaves []int32, f *form) *potentials {
	most, base := 0.0, upward(f.base(b.e, exactly))
	for _, l := range leaves {
		most = max(most, math.Abs(f.roundedUp(b.e.of(l))))
	}
	b.demand(most > 0x1p-900 && most < 0x1p900 &&
		math.Abs(base) < 0x1p30*most, "values of up to %v have no potentials", most)
	_, exponent := math.Frexp(most)
	unit := math.Ldexp(1, exponent-22)
	p := &potentials{
		base:      units(base, unit),
		constants: make([]int64, b.m.dim),
		sides:     make([][]side, b.m.dim),
	}
	cutting := 1
	adds := func(l int32) bool { return f.roundedUp(b.e.of(l)) != 0 }
	for tree := range b.e.byTree(leaves) {
		if f.rests && !slices.ContainsFunc(tree, adds) {
			p.settled = append(p.settled, tree...)
			continue
		}
		for _, l := range tree {
			i, count := int32(len(p.leaves)), 0
			p.leaves, p.values = append(p.leaves, l), append(p.values,
				units(f.roundedUp(b.e.of(l)), unit))
			for _, r := range b.e.ranges[l] {
				if r.low > b.low[r.feature] || r.high < b.high[r.feature] {
					p.sides[r.feature] = append(p.sides[r.feature], side{
						leaf: i,
						low:  r.low,
						high: r.high,
					})
					count++
				}
			}
			cutting = max(cutting, count)
		}
		p.trees = append(p.trees, int32(len(p.leaves)))
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

// sum is what no lead of inputs in leaves that are not gone exceeds; false if a tree has none.
func (p *potentials) sum(gone []bool) (sum int64, some bool) {
	sum = p.base
	for _, c := range p.constants {
		sum += c
	}
	first := int32(0)
	for _, end := range p.trees {
		best, _ := p.best(first, end, gone)
		if best == nothing {
			return 0, false
		}
		sum, first = sum+best, end
	}
	return sum, true
}

// nothing is less than all values.
const nothing = math.MinInt64 / 2

// best returns the greatest value of leaves that are not gone, and how many these are.
func (p *potentials) best(first, end int32, gone []bool) (best int64, count int) {
	best = nothing
	for l := first; l < end; l++ {
		if !gone[l] {
			best, count = max(best, p.values[l]), count+1
		}
	}
	return best, count
}

// meeting marks those leaves as gone that do not meet the box.
func (p *potentials) meeting(b *boxes, gone []bool) {
	for f, sides := range p.sides {
		for _, s := range sides {
			if s.low > b.high[f] || s.high < b.low[f] {
				gone[s.leaf] = true
			}
		}
	}
}

// refuted reports whether no lead in the box is won.
func (p *potentials) refuted(b *boxes) bool {
	gone := make([]bool, len(p.leaves))
	p.meeting(b, gone)
	sum, some := p.sum(gone)
	return !some || sum < b.limit
}

// left returns all leaves that are left in the box.
func (p *potentials) left(b *boxes) []int32 {
	leaves := slices.Concat(p.settled, p.leaves)
	slices.Sort(leaves)
	return b.meeting(leaves)
}

// narrow leaves out what cannot win, and shrinks the box; nil if nothing is left.
func (p *potentials) narrow(b *boxes) *potentials {
	gone := make([]bool, len(p.leaves))
	p.meeting(b, gone)
	sum, some := p.sum(gone)
	if !some || sum < b.limit {
		return nil
	}
	for again := true; again; {
		p.outdone(sum-b.limit, gone)
		if again = p.shrink(b, gone); again {
			p.meeting(b, gone)
		}
	}
	for f, low := range b.low {
		if low > b.high[f] {
			return nil
		}
	}
	return p.without(b, gone)
}

// outdone marks the leaves as gone that fall behind the best of their tree by more than some units.
func (p *potentials) outdone(room int64, gone []bool) {
	first := int32(0)
	for _, end := range p.trees {
		best, _ := p.best(first, end, gone)
		for l := first; l < end; l++ {
			gone[l] = gone[l] || p.values[l] < best-room
		}
		first = end
	}
}

// shrink shrinks the box to the ranges of what is left to each tree, and reports whether that is
// less of it.
func (p *potentials) shrink(b *boxes, gone []bool) (less bool) {
	for f, sides := range p.sides {
		tree, first, i := 0, int32(0), 0
		for i < len(sides) {
			for sides[i].leaf >= p.trees[tree] {
				first, tree = p.trees[tree], tree+1
			}
			low, high, count := int32(math.MaxInt32), int32(-1), 0
			for ; i < len(sides) && sides[i].leaf < p.trees[tree]; i++ {
				if s := &sides[i]; !gone[s.leaf] {
					low, high, count = min(low, s.low), max(high, s.high), count+1
				}
			}
			if _, left := p.best(first, p.trees[tree], gone); count < left || count == 0 {
				continue // or some leaf contains the box
			}
			less = less || low > b.low[f] || high < b.high[f]
			b.low[f], b.high[f] = max(b.low[f], low), min(b.high[f], high)
		}
	}
	return less
}

// without returns the potentials without leaves that are gone; nil if a tree has no other.
func (p *potentials) without(b *boxes, gone []bool) *potentials {
	n := &potentials{
		base:      p.base,
		constants: slices.Clone(p.constants),
		settled:   slices.Clone(p.settled),
		sides:     make([][]side, len(p.sides)),
	}
	renamed, first := make([]int32, len(p.leaves)), int32(0)
	for _, end := range p.trees {
		_, count := p.best(first, end, gone)
		if count == 0 {
			return nil
		}
		for l := first; l < end; l++ {
			switch renamed[l] = -1; {
			case gone[l]:
			case count == 1:
				renamed[l] = -2
				n.base, n.settled = n.base+p.values[l], append(n.settled, p.leaves[l])
			default:
				renamed[l] = int32(len(n.leaves))
				n.leaves, n.values = append(n.leaves, p.leaves[l]), append(n.values, p.values[l])
			}
		}
		if first = end; count > 1 {
			n.trees = append(n.trees, int32(len(n.leaves)))
		}
	}
	for f, sides := range p.sides {
		for _, s := range sides {
			contains := s.low <= b.low[f] && s.high >= b.high[f]
			switch to := renamed[s.leaf]; {
			case to == -2:
				n.base, n.constants[f] = n.base-s.share, n.constants[f]+s.share
			case to >= 0 && !(contains && s.share == 0):
				s.leaf = to
				n.sides[f] = append(n.sides[f], s)
			}
		}
	}
	return n
}
