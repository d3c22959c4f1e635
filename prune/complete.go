package prune

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/seed-1a7dc1f9/facet/internal/bipartite"
)

// grace is how long a set is still completed when the context has ended: long enough for
// nearly every set, and soon enough for a caller who waits.
const grace = 50 * time.Millisecond

// complete adds rows to a separated set until it is maximal, heavy ones first and
// those of equal weight in order. Few are missing: rows without weight, and what
// an unfinished search has overlooked. When the context has ended, and the time that is
// left after it, it returns what it has and the error.
func (p *problem) complete(ctx context.Context, left time.Duration, keep []int32) ([]int32, error) {
	c := p.doubled()
	point := p.points()
	levels := slices.Repeat([]int32{-1}, len(p.row))
	for _, row := range keep {
		levels[point[row]] = 0
	}
	c.Begin(levels)
	byWeight := slices.Clone(p.row)
	slices.SortFunc(byWeight, func(a, b int32) int {
		return cmp.Or(p.units.compare(b, a), cmp.Compare(a, b))
	})
	var ended time.Time // when the context was first seen to have ended
	for _, row := range byWeight {
		if err := ctx.Err(); err != nil {
			if ended.IsZero() {
				ended = time.Now()
			}
			if time.Since(ended) >= left {
				return keep, finding(err)
			}
		}
		i := point[row]
		if levels[i] < 0 && c.Find(i, 0) == bipartite.None {
			c.set(i, 0)
			keep = append(keep, row)
		}
	}
	return keep, nil
}
