package climb

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Search looks for an answer near X without a proof: coordinate ascent on the margins
// of a target. Within a ball it moves one feature at a time to the interval that helps the
// target most, which changes the leaf of several trees at once, and then tries a smaller
// ball.
type Search struct {
	metric grid.Metric
	cell   []int32    // where it is
	gaps   []float64  // scaled, of each feature
	reach  float64    // of the cell; in ℓ∞ not kept up to date
	memory []float64  // of profiles
	inside grid.Box   // where ascend stays, if not nil
	stays  bool       // and so does retreat
	masks  []grid.Set // memory of visitSet, by depth
	cachedSums
}

// New prepares local searches in the part of an ensemble that a view shows.
func New(v *grid.View, e *trees.Ensemble[*trees.Axis], u *Uses, m grid.Metric) *Search {
	l := &Search{}
	l.Use(v, e, u, m)
	return l
}

// Use prepares a search like New, in the memory that it has.
func (l *Search) Use(v *grid.View, e *trees.Ensemble[*trees.Axis], u *Uses, m grid.Metric) {
	l.metric, l.View, l.model, l.uses = m, v, e, u
	l.cell, l.gaps = resize(l.cell, len(v.At)), resize(l.gaps, len(v.At))
}

// Release forgets all but memory, until Use.
func (l *Search) Release() {
	l.View, l.model, l.uses, l.margins = nil, nil, nil, nil
	l.inside, l.stays = nil, false
}

// FirstRadius returns the distance within which half as many borders lie as there
// are trees, so that a few of these can change their vote.
func (l *Search) FirstRadius() float64 {
	near := l.memory[:0]
	add := func(f, interval int32) {
		if gap := l.Gap(f, interval, interval); !l.metric.Infeasible(l.metric.Scale(gap)) {
			near = append(near, gap)
		}
	}
	tried := int32(1 + len(l.Trees)/len(l.At)) // borders to each side of X
	for f, at := range l.At {
		for i := range tried {
			if interval := at - 1 - i; interval >= l.Domain[f].Lo {
				add(int32(f), interval)
			}
			if interval := at + 1 + i; interval <= l.Domain[f].Hi {
				add(int32(f), interval)
			}
		}
	}
	slices.Sort(near)
	l.memory = near
	for i := max(0, min(len(near)-1, len(l.Trees)/2)); i < len(near); i++ {
		if near[i] > 0 {
			return near[i]
		}
	}
	_, far := l.Extent()
	return far
}

// Find returns intervals that should answer, as it wins all margins there, and their distance; nil
// if it finds none within the cutoff.
func (l *Search) Find(
	ctx context.Context, margins []trees.Margin, radius, cutoff float64,
) (found []int32, distance float64) {
	if found, distance = l.byRatio(ctx, margins, cutoff); found != nil {
		return found, distance
	}
	return l.near(ctx, margins, radius, cutoff)
}

// Within is Find of any such intervals within a radius, be they near or not. It is faster.
func (l *Search) Within(
	ctx context.Context, margins []trees.Margin, radius float64,
) (found []int32, distance float64) {
	if found, distance = l.byRatio(ctx, margins, radius); found != nil {
		return found, distance
	}
	copy(l.cell, l.At)
	if !l.ascend(ctx, margins, radius, 0) {
		return nil, 0
	}
	distance = l.retreat(margins)
	return slices.Clone(l.cell), distance
}

// near is find by balls: it looks in one of some radius first, which grows
// until there are such intervals and then shrinks.
func (l *Search) near(
	ctx context.Context, margins []trees.Margin, radius, cutoff float64,
) (found []int32, distance float64) {
	copy(l.cell, l.At)
	failed := 0.0
	for radius = min(radius, cutoff); !l.ascend(
		ctx, margins, radius, 0,
	); radius = min(2*radius, cutoff) {
		if failed = radius; radius >= cutoff || l.isDomain(radius) || ctx.Err() != nil {
			return nil, 0
		}
	}
	distance = l.retreat(margins)
	found = slices.Clone(l.cell)
	for failed*closeEnough < distance && ctx.Err() == nil {
		middle := max(math.Sqrt(failed/distance)*distance, distance/4)
		if middle <= failed { // no number in between
			break
		}
		copy(l.cell, found)
		if l.ascend(ctx, margins, middle, 0) {
			if d := l.retreat(margins); d < distance {
				distance = d
				copy(found, l.cell)
				continue
			}
		}
		failed = middle
	}
	return found, distance
}

// closeEnough is the ratio at which the radius of a ball with an answer and that
// of one in which none was found are close enough.
const closeEnough = 1.25

// ascend moves the cell within a radius of X until the margins exceed a goal, or no feature can
// raise the smallest of them any more.
func (l *Search) ascend(
	ctx context.Context, margins []trees.Margin, radius, enough float64,
) bool {
	limit := l.metric.Scaled(radius)
	l.stale = true // until it stands
	l.clamp(limit)
	l.fill(l.cell)
	best := math.Inf(-1)
	for still := 0; still < len(l.cell) && ctx.Err() == nil; {
		for f := int32(0); int(f) < len(l.cell) && still < len(l.cell); f++ {
			still++
			if l.idle(f) {
				continue
			}
			if ctx.Err() != nil {
				break
			}
			s := l.IntervalsWithin(&l.metric, f, l.others(f), limit)
			if l.inside != nil {
				s = grid.Span{Lo: max(s.Lo, l.inside[f].Lo), Hi: min(s.Hi, l.inside[f].Hi)}
			}
			if s.Lo >= s.Hi {
				continue
			}
			p := l.profile(margins, f, s)
			l.bar(&p, limit)
			interval, margin := p.highest(l.At[f])
			if margin > enough {
				l.move(f, l.nearestSure(&p))
				return true
			}
			if margin > best {
				best, still = margin, 0
				l.move(f, interval)
			}
		}
	}
	return false
}

// clamp moves the cell into a ball, feature after feature.
func (l *Search) clamp(limit float64) {
	l.reach = 0
	for f, interval := range l.cell {
		l.gaps[f] = l.metric.Scale(l.Gap(int32(f), interval, interval))
		l.reach = l.metric.Join(l.reach, l.gaps[f], 0)
	}
	for f := range l.cell {
		for l.cell[f] != l.At[f] && l.beyond(f, limit) {
			l.move(int32(f), l.cell[f]+int32(cmp.Compare(l.At[f], l.cell[f])))
		}
	}
}

// beyond reports whether a feature keeps the cell out of a ball.
func (l *Search) beyond(f int, limit float64) bool {
	if l.Norm == polytope.LInf {
		return l.gaps[f] > limit
	}
	return l.reach > limit
}

func (l *Search) move(f, interval int32) {
	gap := l.metric.Scale(l.Gap(f, interval, interval))
	l.reach = l.metric.Join(l.reach, gap, l.gaps[f])
	moved := interval != l.cell[f]
	l.cell[f], l.gaps[f] = interval, gap
	if moved {
		l.update(l.cell, f)
	}
}

// others returns the contribution of all features but one to the reach of the cell.
func (l *Search) others(f int32) float64 {
	if l.Norm == polytope.LInf {
		return 0
	}
	return l.reach - l.gaps[f]
}

// isDomain reports whether no feature can leave the ball within the domain.
func (l *Search) isDomain(radius float64) bool {
	limit := l.metric.Scaled(radius)
	for f, domain := range l.Domain {
		if l.IntervalsWithin(&l.metric, int32(f), l.others(int32(f)), limit) != domain {
			return false
		}
	}
	return true
}

// retreat moves each feature of a cell with sure margins back toward X as far as these stay
// so. It returns the distance.
func (l *Search) retreat(margins []trees.Margin) float64 {
	for f, interval := range l.cell {
		if l.Norm != polytope.LInf && l.gaps[f] > 0 {
			back := grid.Span{Lo: min(interval, l.At[f]), Hi: max(interval, l.At[f])}
			if l.stays {
				back.Lo = min(interval, max(back.Lo, l.inside[f].Lo))
				back.Hi = max(interval, min(back.Hi, l.inside[f].Hi))
			}
			p := l.profile(margins, int32(f), back)
			l.move(int32(f), l.nearestSure(&p))
		}
	}
	return l.metric.Distance(l.CellReach(&l.metric, l.cell))
}

// nearestSure returns the interval nearest to X with sure margins, the present one if there is
// none.
func (l *Search) nearestSure(p *profile) int32 {
	best, least := l.cell[p.feature], math.Inf(1)
	for interval := p.Lo; interval <= p.Hi; interval++ {
		if gap := l.Gap(p.feature, interval, interval); gap < least && p.least(interval) > 0 {
			best, least = interval, gap
		}
	}
	return best
}
