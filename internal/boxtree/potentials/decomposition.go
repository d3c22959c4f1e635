package potentials

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
)

// Range restricts a leaf to the intervals of a feature.
type Range struct {
	Feature int32
	grid.Span
}

// Leaf is one of which a tree chooses: it adds a gain to the margin, from a reach on.
type Leaf struct {
	Gain, Reach float64
	Ranges      []Range // at most one of each feature
}

// Decomposition bounds a margin within a box. All of it is counted in units, in integers, so that
// only the gains are rounded, and those up.
type Decomposition struct {
	box      grid.Box
	left     grid.Box // the part that Tighten left; nil for all
	unit     float64
	floor    int32 // no contribution is less
	base     int64
	first    []int32   // leaves of tree t: first[t] ≤ l < first[t+1]
	values   []int32   // by leaf: its gain and its contributions
	reaches  []float64 // by leaf
	least    float64   // see Least
	features []feature
	cost     func(feature int32, s grid.Span) float64 // nil if moves are free
	rate     float64                                  // units for each unit of reach
}

// feature holds the potentials of one feature that are left.
type feature struct {
	constant int64   // the largest potential of each tree, summed
	entries  []entry // tree after tree, leaf after leaf
	users    []user
}

// entry is a range of a leaf. Its contribution is by how much the largest potential of the
// tree within the range falls short of the largest one in the box.
type entry struct{ leaf, lo, hi, contribution int32 }

// user is a tree that has entries, and where these end.
type user struct{ tree, end int32 }

// A gain is at most 2^gainBits units. Values lie above unreachable, from which
// potentials, differences of two such numbers, still are an int32.
const (
	gainBits    = 22
	unreachable = -1 << 29
)

// New returns the decomposition of a margin that is base and the gain of one leaf of each
// tree, within a box; leaves first[t] ≤ l < first[t+1] are those of tree t that meet it. All
// potentials are zero. It returns nil if gains are too large or too small to be counted.
func New(box grid.Box, base float64, leaves []Leaf, first []int32) *Decomposition {
	d := &Decomposition{box: box, features: make([]feature, len(box)), first: first}
	largest, sides := 0.0, 1
	for i := range leaves {
		largest = max(largest, math.Abs(leaves[i].Gain))
		sides = max(sides, len(leaves[i].Ranges))
	}
	if !(largest > 0x1p-900 && largest < 0x1p900 && math.Abs(base) < largest*0x1p30) {
		return nil
	}
	_, exponent := math.Frexp(largest)
	d.unit = math.Ldexp(1, exponent-gainBits)
	d.floor = int32(unreachable / (2 * sides))
	d.base = int64(d.units(base))
	d.reserve(leaves, first)
	for t := range int32(d.trees()) {
		for l := first[t]; l < first[t+1]; l++ {
			d.add(t, &leaves[l])
		}
	}
	return d
}

// reserve gives leaves, and the features that they restrict, the room that they need.
func (d *Decomposition) reserve(leaves []Leaf, first []int32) {
	entries, users := make([]int32, len(d.box)), make([]int32, len(d.box))
	last, all := slices.Repeat([]int32{-1}, len(d.box)), 0
	for t := range int32(d.trees()) {
		for l := first[t]; l < first[t+1]; l++ {
			for _, s := range leaves[l].Ranges {
				if !d.cuts(s) {
					continue
				}
				all++
				if entries[s.Feature]++; last[s.Feature] != t {
					last[s.Feature] = t
					users[s.Feature]++
				}
			}
		}
	}
	d.values, d.reaches = make([]int32, 0, len(leaves)), make([]float64, 0, len(leaves))
	rest := make([]entry, all)
	for f := range d.features {
		n := entries[f]
		d.features[f].entries, rest = rest[:0:n], rest[n:]
		d.features[f].users = make([]user, 0, users[f])
	}
}

// cuts reports whether a range restricts the box.
func (d *Decomposition) cuts(s Range) bool {
	now := d.box[s.Feature]
	return s.Lo > now.Lo || s.Hi < now.Hi
}

// units returns the least number of units that are no less than v.
func (d *Decomposition) units(v float64) float64 {
	n := math.Ceil(v / d.unit)
	if n*d.unit < v { // the quotient was too small for a float64
		n++
	}
	return n
}

// add appends a leaf of a tree.
func (d *Decomposition) add(t int32, leaf *Leaf) {
	l := int32(len(d.values))
	d.values = append(d.values, int32(d.units(leaf.Gain)))
	d.reaches = append(d.reaches, leaf.Reach)
	for _, s := range leaf.Ranges {
		if d.cuts(s) {
			d.features[s.Feature].add(t, entry{leaf: l, lo: s.Lo, hi: s.Hi})
		}
	}
}

// add appends an entry of a tree.
func (f *feature) add(t int32, e entry) {
	f.entries = append(f.entries, e)
	if n := len(f.users); n == 0 || f.users[n-1].tree != t {
		f.users = append(f.users, user{tree: t})
	}
	f.users[len(f.users)-1].end = int32(len(f.entries))
}

// trees is the number of trees that can choose.
func (d *Decomposition) trees() int { return len(d.first) - 1 }

// Box returns the box, or the part of it that Tighten left.
func (d *Decomposition) Box() grid.Box {
	if d.left != nil {
		return d.left
	}
	return d.box
}

// Unit returns the unit, a power of two.
func (d *Decomposition) Unit() float64 { return d.unit }

// Decided reports whether each tree has a single leaf left.
func (d *Decomposition) Decided() bool { return d.trees() == 0 }

// Bytes is the memory that d takes, but for a few hundred.
func (d *Decomposition) Bytes() int {
	n := 4*len(d.first) + 12*len(d.values) + 72*len(d.features)
	for f := range d.features {
		n += 16*len(d.features[f].entries) + 8*len(d.features[f].users)
	}
	return n
}

// Margin returns a number that no margin in the box and within a reach exceeds, over the real
// numbers, of inputs in leaves that are left; −Inf if a tree has none there.
func (d *Decomposition) Margin(reach float64) float64 {
	sum := d.start(reach)
	for t := range d.trees() {
		most, from, to := int32(math.MinInt32), d.first[t], d.first[t+1]
		reaches := d.reaches[from:to]
		for i, v := range d.values[from:to] {
			if v > most && reaches[i] <= reach {
				most = v
			}
		}
		if most == math.MinInt32 {
			return math.Inf(-1)
		}
		sum += int64(most)
	}
	return float64(sum) * d.unit
}

// start returns the value of a margin within a reach before trees add their leaves.
func (d *Decomposition) start(reach float64) int64 {
	sum := d.base + d.allowance(reach)
	for f := range d.features {
		sum += d.features[f].constant
	}
	return sum
}

// Least returns a reach that no input in the box falls short of: the largest of the leaves that
// trees of one leaf had, which no other of these functions looks at.
func (d *Decomposition) Least() float64 { return d.least }

// LastReach returns the largest reach of a leaf up to a limit, 0 if there is none.
func (d *Decomposition) LastReach(limit float64) float64 {
	last := 0.0
	for _, r := range d.reaches {
		if r > last && r <= limit {
			last = r
		}
	}
	return last
}

// Crossing returns a reach such that no margin within a smaller one comes to a goal, which it
// does not within from and may within to.
func (d *Decomposition) Crossing(goal, from, to float64) float64 {
	if d.cost != nil {
		return max(from, d.earliest(goal, to))
	}
	for range crossingSteps {
		if middle := from + (to-from)/2; d.Margin(middle) < goal {
			from = middle
		} else {
			to = middle
		}
	}
	return d.NextReach(from, to)
}

// NextReach returns the smallest reach of a leaf beyond another, at most a limit.
func (d *Decomposition) NextReach(after, limit float64) float64 {
	for _, r := range d.reaches {
		if r > after {
			limit = min(limit, r)
		}
	}
	return limit
}

// crossingSteps is how often Crossing halves its interval.
const crossingSteps = 8
