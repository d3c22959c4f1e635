package trees

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Border is where the inputs on the low side of a test end, on the real line.
type Border struct {
	End    float64
	Closed bool // the end itself is on the low side
}

// Low reports whether v lies on the low side.
func (b Border) Low(v float64) bool { return v < b.End || (b.Closed && v == b.End) }

// Side returns the low side of the border or the high one.
func (b Border) Side(low bool) polytope.Interval {
	if low {
		return polytope.Interval{Lo: math.Inf(-1), Hi: b.End, HiOpen: !b.Closed}
	}
	return polytope.Interval{Lo: b.End, LoOpen: b.Closed, Hi: math.Inf(1)}
}

func compareBorders(a, b Border) int {
	if c := cmp.Compare(a.End, b.End); c != 0 || a.Closed == b.Closed {
		return c
	}
	if b.Closed {
		return -1 // x < end ends before x ≤ end
	}
	return 1
}

// Borders are the different borders on one line, ascending. K of them cut it into K+1
// slots: slot s lies above the borders before s and below border s.
type Borders []Border

// NewBorders sorts borders, which it keeps, and removes those that are there twice.
func NewBorders(b []Border) Borders {
	slices.SortFunc(b, compareBorders)
	return slices.Compact(b)
}

// BordersOf returns the finite borders that trees over dim features set on each of them.
func BordersOf(dim int, axes []*Axis) []Borders {
	borders := make([]Borders, dim)
	for _, t := range axes {
		for i := range t.Len() {
			if b := t.Border(i); !t.IsLeaf(i) && !math.IsInf(b.End, 0) {
				borders[t.Feature(i)] = append(borders[t.Feature(i)], b)
			}
		}
	}
	for f, b := range borders {
		borders[f] = NewBorders(b)
	}
	return borders
}

// Rank returns the slot that ends at a border: −1 for one that no number lies below, the
// last for one that all do.
func (b Borders) Rank(border Border) int32 {
	if math.IsInf(border.End, -1) {
		return -1
	}
	i, _ := slices.BinarySearchFunc(b, border, compareBorders)
	return int32(i)
}

// Slot returns the slot that holds v.
func (b Borders) Slot(v float64) int32 {
	return int32(sort.Search(len(b), func(i int) bool { return b[i].Low(v) }))
}

// Side returns the values of the slots lo ≤ s ≤ hi.
func (b Borders) Side(lo, hi int32) polytope.Interval {
	i := polytope.Line()
	if lo > 0 {
		i.Lo, i.LoOpen = b[lo-1].End, b[lo-1].Closed
	}
	if int(hi) < len(b) {
		i.Hi, i.HiOpen = b[hi].End, !b[hi].Closed
	}
	return i
}
