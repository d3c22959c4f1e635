package prune

import (
	"cmp"
	"context"
	"slices"
	"time"
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
	levels := make([]int32, len(p.row))
	for i := range levels {
		levels[i] = -1
	}
	for _, row := range keep {
		levels[point[row]] = 0
	}
	c.Begin(levels)
	until := deadline{ctx: ctx, left: left}
	for _, row := range p.byWeight() {
		if err := until.err(); err != nil {
			return keep, err
		}
		i := point[row]
		if levels[i] < 0 && c.Find(i, 0) < 0 {
			c.raise(i)
			keep = append(keep, row)
		}
	}
	return keep, nil
}

// deadline is that of a context and some time more.
type deadline struct {
	ctx   context.Context
	left  time.Duration
	ended time.Time // when the context was first seen to have ended
}

func (d *deadline) err() error {
	err := d.ctx.Err()
	if err == nil {
		return nil
	}
	if d.ended.IsZero() {
		d.ended = time.Now()
	}
	if time.Since(d.ended) < d.left {
		return nil
	}
	return finding(err)
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
