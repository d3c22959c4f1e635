package climb

import (
	"context"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// byRatio begins to look for the margins: by the moves that gain most margin per distance, from X
// on. In ℓ∞, where moves within a ball are free, it finds none.
func (l *Search) byRatio(
	ctx context.Context, margins []trees.Margin, cutoff float64,
) (found []int32, distance float64) {
	l.aim(margins)
	if l.Norm == polytope.LInf {
		return nil, 0
	}
	copy(l.cell, l.At)
	return l.greedy(ctx, margins, cutoff)
}

// greedy is byRatio from the cell where the search is.
func (l *Search) greedy(
	ctx context.Context, margins []trees.Margin, cutoff float64,
) (found []int32, distance float64) {
	l.stale = true
	limit := l.metric.Scaled(cutoff)
	l.clamp(limit)
	l.fill(l.cell)
	for range 4 * len(l.cell) {
		f, interval := l.cheapest(ctx, margins, limit)
		if f < 0 || ctx.Err() != nil {
			return nil, 0
		}
		l.move(f, interval)
		if l.sure(margins, f) {
			distance = l.retreat(margins)
			return slices.Clone(l.cell), distance
		}
	}
	return nil, 0
}

// Nearer moves a cell that answers, at a distance, as long as that brings it nearer: one feature
// after the other goes back to X, and others make up for it. It returns the distance.
func (l *Search) Nearer(
	ctx context.Context, margins []trees.Margin, cell []int32, distance float64,
) float64 {
	l.aim(margins)
	tries := 0
	for still, f := 0, 0; still < len(cell) && tries < mostTries; f = (f + 1) % len(cell) {
		if still++; cell[f] == l.At[f] {
			continue
		}
		tries++
		copy(l.cell, cell)
		l.cell[f] = l.At[f]
		if found, d := l.greedy(ctx, margins, distance); found != nil && d < distance {
			distance, still = d, 0
			copy(cell, found)
		}
	}
	return distance
}

// mostTries is how many ways back Nearer tries.
const mostTries = 100

// cheapest returns the move within a limit that raises the smallest margin most for each unit that
// it adds to the reach; feature −1 if none raises it. More than a sure margin counts no more than
// that.
func (l *Search) cheapest(
	ctx context.Context, margins []trees.Margin, limit float64,
) (feature, interval int32) {
	feature = -1
	most := 0.0
	for f := range int32(len(l.cell)) {
		if ctx.Err() != nil {
			break
		}
		if l.idle(f) {
			continue
		}
		s := l.IntervalsWithin(&l.metric, f, l.others(f), limit)
		if s.Lo == s.Hi {
			continue
		}
		p := l.profile(margins, f, s)
		l.bar(&p, limit)
		now := p.least(l.cell[f])
		for to := s.Lo; to <= s.Hi; to++ {
			margin := min(p.least(to), 0)
			if margin <= now {
				continue
			}
			worth := math.Inf(1)
			if cost := l.metric.Scale(l.Gap(f, to, to)) - l.gaps[f]; cost > 0 {
				worth = (margin - now) / cost
			}
			if worth > most {
				feature, interval, most = f, to, worth
			}
		}
	}
	return feature, interval
}

// sure reports whether all margins are sure where the search stands.
func (l *Search) sure(margins []trees.Margin, f int32) bool {
	at := l.cell[f]
	p := l.profile(margins, f, grid.Span{Lo: at, Hi: at})
	return p.least(at) > 0
}
