package boxtree_test

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// intervalsOf returns the ranges of float64 between the borders of each feature, ends included.
func intervalsOf(in instance.Ensemble) [][][2]float64 {
	cuts := make([][]float64, len(in.Query))
	for i := range in.Ensemble.Len() {
		tree := in.Ensemble.Tree(i)
		for _, n := range tree.Nodes() {
			if n.Left < 0 {
				continue
			}
			if x, ok := instance.LastLeft(tree.Comparison(), n.Threshold); ok {
				cuts[n.Feature] = append(cuts[n.Feature], x)
			}
		}
	}
	intervals := make([][][2]float64, len(cuts))
	for f, c := range cuts {
		slices.Sort(c)
		lo := -math.MaxFloat64
		for _, end := range append(slices.Compact(c), math.MaxFloat64) {
			a, b := lo, end
			if in.Box != nil {
				side := in.Box[f]
				if side.LoOpen {
					side.Lo = math.Nextafter(side.Lo, math.Inf(1))
				}
				if side.HiOpen {
					side.Hi = math.Nextafter(side.Hi, math.Inf(-1))
				}
				a, b = max(a, side.Lo), min(b, side.Hi)
			}
			if a <= b {
				intervals[f] = append(intervals[f], [2]float64{a, b})
			}
			lo = math.Nextafter(end, math.Inf(1))
		}
	}
	return intervals
}

// intervalRadius tries every combination of intervals: the prediction is the same all over it,
// so its point nearest to the query decides.
func intervalRadius(in instance.Ensemble, norm polytope.Norm) float64 {
	from, least := in.Ensemble.Predict(in.Query), math.Inf(1)
	z := make([]float64, len(in.Query))
	intervals := intervalsOf(in)
	var try func(f int)
	try = func(f int) {
		if f < len(intervals) {
			for _, s := range intervals[f] {
				z[f] = min(max(in.Query[f], s[0]), s[1])
				try(f + 1)
			}
			return
		}
		label := in.Ensemble.Predict(z)
		if (in.Target == nil && label != from) || (in.Target != nil && label == *in.Target) {
			least = min(least, norm.Distance(in.Query, z))
		}
	}
	try(0)
	return least
}
