package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/examples/internal/plotting"
	"github.com/seed-1a7dc1f9/facet/internal/protocol"
)

// typical chooses the test point to show: of those attacked in both cells whose examples lie in
// the frame, the one whose two distances are nearest to the two means.
func typical(set *protocol.Set, before, after *cell) (row int, err error) {
	best, least := -1, math.Inf(1)
	for i, row := range before.test.Attacked {
		j := slices.Index(after.test.Attacked, row)
		if j < 0 {
			continue
		}
		a, b := before.points[i], after.points[j]
		if !inFrame(set.Test.RawRowView(row), a.Example, b.Example) {
			continue
		}
		off := math.Hypot(a.Distance-before.robustness, b.Distance-after.robustness)
		if off < least {
			best, least = row, off
		}
	}
	if best < 0 {
		return 0, fmt.Errorf("%s: no point was attacked both before and after pruning", before.contender.name)
	}
	return best, nil
}

func inFrame(points ...[]float64) bool {
	for _, p := range points {
		if !plotting.Unit().Contains(p[0], p[1]) {
			return false
		}
	}
	return true
}
