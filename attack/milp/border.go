//go:build lpsolve

package milp

import (
	"cmp"
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/classifier"
)

// border is where, on the real line, the inputs end that a node sends left.
type border struct {
	end    float64
	closed bool // the end itself goes left
}

// passes reports whether v goes left.
func (b border) passes(v float64) bool { return v < b.end || (v == b.end && b.closed) }

// compare orders borders from left to right.
func (b border) compare(o border) int {
	if c := cmp.Compare(b.end, o.end); c != 0 || b.closed == o.closed {
		return c
	}
	if o.closed {
		return -1 // x < end ends before x ≤ end
	}
	return 1
}

// borderOf asks a tree of one split where it splits, so that rounding to
// float32 is the classifier's own and not a second version of it.
func borderOf(c classifier.Comparison, threshold float64) (border, error) {
	const left, right = 0, 1
	stump, err := classifier.NewTree(1, c, []classifier.TreeNode{
		{Threshold: threshold, Left: 1, Right: 2, Value: []float64{0, 0}},
		{Left: -1, Right: -1, Value: []float64{left: 1, right: 0}},
		{Left: -1, Right: -1, Value: []float64{left: 0, right: 1}},
	})
	if err != nil {
		return border{}, fmt.Errorf("border of threshold %v: %w", threshold, err)
	}
	for cell := range stump.Cells() {
		if cell.Label == left {
			side := cell.Region.Box[0]
			return border{side.Hi, !side.HiOpen}, nil
		}
	}
	return border{end: math.Inf(-1)}, nil // nothing goes left
}
