package prune

import (
	"cmp"
	"slices"
)

// complete adds rows to a separated set until it is maximal, heavy ones first and
// those of equal weight in order. Few are missing: rows without weight, and what
// an unfinished search has overlooked.
func (p *problem) complete(keep []int32) []int32 {
	c := p.doubled()
	point := p.points()
	levels := make([]int32, len(p.row))
	for i := range levels {
		levels[i] = -1
	}
	for _, row := range keep {
		levels[point[row]] = 0
	}
	c.Begin(levels)
	for _, row := range p.byWeight() {
		i := point[row]
		if levels[i] < 0 && c.Find(i, 0) < 0 {
			c.raise(i)
			keep = append(keep, row)
		}
	}
	return keep
}

// weightless reports that there are rows of no unit.
func (p *problem) weightless() bool {
	return p.units.count != nil && slices.Min(p.units.count) == 0
}

// byWeight returns the rows, heavy ones first.
func (p *problem) byWeight() []int32 {
	rows := slices.Clone(p.row)
	slices.SortFunc(rows, func(a, b int32) int {
		return cmp.Or(p.units.compare(b, a), cmp.Compare(a, b))
	})
	return rows
}
