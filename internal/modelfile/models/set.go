package models

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Ends returns where the runs of codes of a set, ascending, begin and end. Values of code c lie
// left of end(c), but not of end(c−1).
func Ends(codes []int, end func(code int) float64) []float64 {
	var ends []float64
	for i, code := range codes {
		if i > 0 && codes[i-1] == code-1 {
			ends[len(ends)-1] = end(code)
			continue
		}
		ends = append(ends, end(code-1), end(code))
	}
	return slices.Clip(ends)
}

// TestEnds makes a node with children test between which of some thresholds, ascending, a value
// lies: before the first it goes left or right, as is said, between the next two the other way, and
// so on. Nothing changes about where a NaN goes.
func TestEnds(n *trees.Node, c trees.Comparison, ends []float64, left bool) {
	rounds := c == trees.AtMostFloat32 || c == trees.BelowFloat32
	atMost := c == trees.AtMostFloat32 || c == trees.AtMostFloat64
	if last := len(ends) - 1; last >= 0 && atMost && math.IsInf(ends[last], 1) {
		ends = ends[:last] // no value lies behind it
	}
	if len(ends) > 1 && rounds && math.IsInf(ends[0], -1) {
		ends = slices.Clone(ends)
		ends[0] = -math.MaxFloat64 // which rounds to it
	}
	switch len(ends) {
	case 0: // all numbers go one way: left of +Inf, or not left of −Inf
		if n.Threshold = math.Inf(-1); atMost {
			n.Threshold = math.Inf(1)
		}
		left = left == atMost
	case 1:
		n.Threshold = ends[0]
	default:
		n.Thresholds = ends
	}
	if !left {
		n.Left, n.Right, n.MissingLeft = n.Right, n.Left, !n.MissingLeft
	}
}
