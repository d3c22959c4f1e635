package boxtree

import (
	"context"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Verdict says whether a box of inputs forces the label of X.
type Verdict int

const (
	Open   Verdict = iota // not known
	Forced                // every input of the box has the label
	Broken                // an input of it has another
)

// Decider decides which boxes of inputs force the label of X or, if there is a target, keep it from
// being that. It answers one question at a time, and distances do not count.
type Decider struct {
	splitter
	choices  *choices // of the whole domain
	at       []int32  // intervals of X
	refuters []*refuter
	last     int // the refuter that broke the last box
}

// Forcing returns a decider; nil where the leaves of all trees are too many to be kept.
func (s *boxSearch) Forcing() *Decider {
	own := *s
	own.Norm = polytope.LInf // in which gaps do not add up
	d := &Decider{splitter: newSplitter(&own), at: s.cellOf(s.Query.X)}
	c := s.model.borrow()
	defer s.model.spare.Put(c)
	m := grid.NewMetric(own.Norm, len(own.At), own.Depth) // closed intervals are as near as others
	if own.gather(context.Background(), c, m, math.Inf(1)) != nil {
		return nil
	}
	clear(c.reaches) // of two leaves that add the same none is the better
	d.choices = c.indexed()
	for _, t := range s.targets {
		margin := t.first
		// A label has to beat that of X. Shares have no such margin.
		for s.model.Vote.Rule != trees.Share && s.margins[margin].Rival != s.Query.From {
			margin++
		}
		d.refuters = append(d.refuters, d.newRefuter(margin))
	}
	return d
}

// Box returns the box of the inputs that are as X in some features.
func (d *Decider) Box(fixed func(feature int) bool) grid.Box {
	b := slices.Clone(d.Domain)
	for f, at := range d.at {
		if fixed(f) {
			b[f] = grid.Span{Lo: at, Hi: at}
		}
	}
	return b
}

// Span returns the intervals of a feature that meet an interval.
func (d *Decider) Span(feature int, i polytope.Interval) grid.Span {
	borders := d.Borders[feature]
	s := d.Domain[feature]
	s.Lo, s.Hi = max(s.Lo, borders.Interval(i.Lo)), min(s.Hi, borders.Interval(i.Hi))
	return s
}

// Beside returns the last float64 below the interval of a value of a feature, or the first one
// above it.
func (d *Decider) Beside(feature int, value float64, below bool) float64 {
	borders := d.Borders[feature]
	side := borders.Values(borders.Interval(value), borders.Interval(value))
	end, beyond, open := side.Hi, math.Inf(1), side.HiOpen
	if below {
		end, beyond, open = side.Lo, math.Inf(-1), side.LoOpen
	}
	if open {
		return end
	}
	return math.Nextafter(end, beyond)
}

// Decide says whether a box forces the label, and else returns an input that has another. It takes
// splits from the number that is left, and gives up when there are none. It may change the box.
func (d *Decider) Decide(
	ctx context.Context, box grid.Box, left *int,
) (verdict Verdict, z []float64) {
	for f := range box {
		box[f] = d.shrink(int32(f), box[f])
	}
	if !d.enter(box) {
		return Forced, nil // there is no input
	}
	open := false
	for i := range d.refuters {
		at := (d.last + i) % len(d.refuters) // the label that won last may do so again
		verdict, z := d.refuters[at].decide(ctx, left)
		switch verdict {
		case Broken:
			d.last = at
			return Broken, z
		case Open:
			open = true
		}
	}
	if open {
		return Open, nil
	}
	return Forced, nil
}

// enter makes the part of a box in the domain the region; false if there is none.
func (d *Decider) enter(box grid.Box) bool {
	d.region.reset(d.choices)
	for f, s := range box {
		whole := d.Domain[f]
		if s.Lo, s.Hi = max(s.Lo, whole.Lo), min(s.Hi, whole.Hi); s.Lo > s.Hi {
			return false
		}
		d.region.cut(int32(f), s)
	}
	return true
}

// shrink takes closed intervals off the ends of a span.
func (d *Decider) shrink(f int32, to grid.Span) grid.Span {
	return to.Trim(func(interval int32) bool { return !d.closed(f, interval) })
}

// closed reports whether an interval of the domain has no allowed value.
func (s *boxSearch) closed(feature, interval int32) bool {
	return s.Prices != nil && s.Gap(feature, interval, interval) >= grid.Closed
}

// Missing says how much a box lacks until the best leaves of all trees, each on its own, could
// win, as a share of all that they could add: the larger, the surer it forces the label.
func (d *Decider) Missing(box grid.Box) float64 {
	least := 1.0
	if !d.enter(box) {
		return least
	}
	for _, r := range d.refuters {
		if r.start(); r.spread > 0 {
			least = min(least, (r.goal-r.sum())/r.spread)
		}
	}
	return least
}
