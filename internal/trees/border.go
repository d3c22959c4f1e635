package trees

import (
	"cmp"
	"math"
	"math/big"
	"slices"
	"sort"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Border is where the inputs on the low side of a test end, on the real line.
type Border struct {
	End    float64
	Closed bool // the end itself is on the low side
	// Between is the end if it is no float64, and nil if it is one. End is then the float64
	// before it, or −Inf, and lies on the low side.
	Between *big.Rat
}

// Low reports whether v, a float64, lies on the low side.
func (b Border) Low(v float64) bool {
	return v < b.End || (v == b.End && (b.Closed || b.Between != nil))
}

// Side returns the low side of the border or the high one. An end between two float64 is rounded
// outwards: both sides then have all that lies between the two.
func (b Border) Side(low bool) polytope.Interval {
	switch {
	case low && b.Between != nil:
		return polytope.Interval{Lo: math.Inf(-1), Hi: next(b.End), HiOpen: true}
	case low:
		return polytope.Interval{Lo: math.Inf(-1), Hi: b.End, HiOpen: !b.Closed}
	}
	return polytope.Interval{Lo: b.End, LoOpen: b.Closed || b.Between != nil, Hi: math.Inf(1)}
}

// next returns the float64 after v.
func next(v float64) float64 { return math.Nextafter(v, math.Inf(1)) }

func compareBorders(a, b Border) int {
	if c := cmp.Compare(a.End, b.End); c != 0 {
		return c
	}
	switch {
	case a.Between != nil && b.Between != nil:
		if c := a.Between.Cmp(b.Between); c != 0 {
			return c
		}
	case a.Between != nil:
		return 1
	case b.Between != nil:
		return -1
	}
	switch {
	case a.Closed == b.Closed:
		return 0
	case b.Closed:
		return -1 // x < end ends before x ≤ end
	}
	return 1
}

// Borders are the different borders on one line, ascending. K of them cut it into K+1
// intervals: interval s lies above the borders before s and below border s.
type Borders []Border

// NewBorders sorts borders, which it keeps, and removes those that are there twice.
func NewBorders(b []Border) Borders {
	slices.SortFunc(b, compareBorders)
	return slices.CompactFunc(b, func(a, b Border) bool { return compareBorders(a, b) == 0 })
}

// BordersOf returns the finite borders that trees over dim features set on each of them.
func BordersOf(dim int, axes []*Axis) []Borders {
	borders := make([]Borders, dim)
	for _, t := range axes {
		for i := range t.Len() {
			if t.IsLeaf(i) {
				continue
			}
			f := t.Feature(i)
			if set := t.SetBorders(i); set != nil {
				borders[f] = append(borders[f], set...)
			} else if b := t.Border(i); !math.IsInf(b.End, 0) {
				borders[f] = append(borders[f], b)
			}
		}
	}
	for f, b := range borders {
		borders[f] = NewBorders(b)
	}
	return borders
}

// Rank returns the interval that ends at a border: −1 for one that no number lies below, the
// last for one that all do.
func (b Borders) Rank(border Border) int32 {
	if math.IsInf(border.End, -1) && border.Between == nil {
		return -1
	}
	i, _ := slices.BinarySearchFunc(b, border, compareBorders)
	return int32(i)
}

// Interval returns the interval that holds v.
func (b Borders) Interval(v float64) int32 {
	return int32(sort.Search(len(b), func(i int) bool { return b[i].Low(v) }))
}

// Values returns the values of the intervals lo ≤ s ≤ hi.
func (b Borders) Values(lo, hi int32) polytope.Interval {
	i := polytope.Line()
	if lo > 0 {
		above := b[lo-1].Side(false)
		i.Lo, i.LoOpen = above.Lo, above.LoOpen
	}
	if int(hi) < len(b) {
		below := b[hi].Side(true)
		i.Hi, i.HiOpen = below.Hi, below.HiOpen
	}
	return i
}
