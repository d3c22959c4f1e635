package potentials

import (
	"math"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
)

// TestBordersNearX: of a feature with more borders than bins, those nearest to X lie between bins
// where distance costs something, wherever X lies; the others, too, have some.
func TestBordersNearX(t *testing.T) {
	const last = 100
	for x := int32(-3); x <= last+3; x++ {
		var leaves []Leaf
		for i := range int32(last) { // a tree of two leaves for each border
			leaves = append(leaves,
				Leaf{Gain: 1, Ranges: []Range{{0, grid.Span{Lo: 0, Hi: i}}}},
				Leaf{Gain: 2, Ranges: []Range{{0, grid.Span{Lo: i + 1, Hi: last}}}})
		}
		first := make([]int32, last+1)
		for i := range first {
			first[i] = int32(2 * i)
		}
		d := New(grid.Box{{Lo: 0, Hi: last}}, 0, leaves, first)
		d.Charge(func(_ int32, s grid.Span) float64 {
			return math.Abs(float64(min(max(x, s.Lo), s.Hi) - x))
		}, 0.5)
		var s Sweeper
		s.Prepare(d)
		cuts := s.cuts[0]
		if len(cuts) != maxBins || cuts[maxBins-1] != last {
			t.Fatalf("X in %d: cuts %d", x, cuts)
		}
		near := min(max(x, 0), last)
		begin := min(max(0, near-nearBorders/2), last-nearBorders)
		for after := begin; after < begin+nearBorders; after++ {
			if !slices.Contains(cuts, after) {
				t.Errorf("X in %d: no border behind %d: %d", x, after, cuts)
			}
		}
		from := int32(-1)
		for _, after := range cuts {
			if after <= from || after-from > last/3 {
				t.Errorf("X in %d: a bin from %d to %d", x, from+1, after)
			}
			from = after
		}
	}
}
