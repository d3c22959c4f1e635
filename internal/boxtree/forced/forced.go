package forced

import (
	"context"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Verdict is the answer to a question.
type Verdict int

const (
	Open   Verdict = iota // not known
	Forced                // every input of the box has the label
	Broken                // an input of it has another
)

// Problem is a vote of trees, as seen from an input.
type Problem struct {
	Grid *grid.Grid
	// Closed reports whether no input lies in an interval of a feature.
	Closed func(feature, interval int32) bool
	Leads  []Lead
	// Example returns an input of a box that has another label, nil if it finds none.
	Example func(b grid.Box) []float64
	// Answers, if it is not nil, says of a box that meets one leaf of each tree whether another
	// label may win there: its lead alone does not say so.
	Answers func(b grid.Box) bool
	Domain  grid.Box // of all inputs
	At      []int32  // intervals of the input
}

// Lead is that of another label over the one of the input.
type Lead struct {
	Base float64
	// Goal is the least sum of Base and gains with which the other label may win.
	Goal float64
	Gain func(tree, leaf int) float64
}

// Decider answers questions about one input, one at a time.
type Decider struct {
	*Problem
	contests []*contest
	last     int // the contest that broke the last box
}

// New prepares a problem.
func New(p *Problem) *Decider {
	d := &Decider{Problem: p}
	leaves := make([][]leaf, len(p.Grid.Trees))
	for t := range leaves {
		leaves[t] = leavesOf(p.Grid, &p.Grid.Trees[t])
	}
	for i := range p.Leads {
		d.contests = append(d.contests, newContest(p, &p.Leads[i], leaves))
	}
	return d
}

// Box returns the box of the inputs that are as X in some features.
func (d *Decider) Box(fixed func(feature int) bool) grid.Box {
	b := slices.Clone(d.Domain)
	for f, at := range d.At {
		if fixed(f) {
			b[f] = grid.Span{Lo: at, Hi: at}
		}
	}
	return b
}

// Span returns the intervals of a feature that meet an interval.
func (d *Decider) Span(feature int, i polytope.Interval) grid.Span {
	borders := d.Grid.Borders[feature]
	s := d.Domain[feature]
	s.Lo, s.Hi = max(s.Lo, borders.Interval(i.Lo)), min(s.Hi, borders.Interval(i.Hi))
	return s
}

// Beside returns the last float64 below the interval of a value of a feature, or the first one
// above it.
func (d *Decider) Beside(feature int, value float64, below bool) float64 {
	borders := d.Grid.Borders[feature]
	side := borders.Side(borders.Interval(value), borders.Interval(value))
	end, beyond, open := side.Hi, math.Inf(1), side.HiOpen
	if below {
		end, beyond, open = side.Lo, math.Inf(-1), side.LoOpen
	}
	if open {
		return end
	}
	return math.Nextafter(end, beyond)
}

// Decide says whether a box forces the label. It takes what it needs of the splits that
// are left, and gives up when there are none. It may change the box.
func (d *Decider) Decide(
	ctx context.Context, box grid.Box, left *int,
) (verdict Verdict, z []float64) {
	for f := range box {
		if box[f] = d.shrink(int32(f), box[f]); box[f].Lo > box[f].Hi {
			return Forced, nil // there is no input
		}
	}
	open := false
	for i := range d.contests {
		at := (d.last + i) % len(d.contests) // the label that won last may do so again
		c := d.contests[at]
		verdict, z := c.decide(ctx, box, left)
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

// shrink takes closed intervals off the ends of a span.
func (p *Problem) shrink(f int32, to grid.Span) grid.Span {
	return to.Trim(func(interval int32) bool { return !p.Closed(f, interval) })
}

// Missing says how much a box lacks until the best leaves of all trees, each on its own, could
// win, as a share of all that they could add: the larger, the surer it forces the label.
func (d *Decider) Missing(box grid.Box) float64 {
	least := 1.0
	for _, c := range d.contests {
		copy(c.box, box)
		c.start()
		if c.spread > 0 {
			least = min(least, (c.Goal-c.sum())/c.spread)
		}
	}
	return least
}

// leaf is a leaf of a tree, by the features that it restricts.
type leaf struct {
	number int
	gain   float64
	sides  []grid.Side
}

// meets reports whether a leaf and a box have intervals in common.
func (l *leaf) meets(b grid.Box) bool {
	for i := range l.sides {
		s := &l.sides[i]
		now := &b[s.Feature]
		if s.Lo > now.Hi || s.Hi < now.Lo {
			return false
		}
		if s.Set != nil &&
			!s.Set.Meets(grid.Span{Lo: max(s.Lo, now.Lo), Hi: min(s.Hi, now.Hi)}) {
			return false
		}
	}
	return true
}

// leavesOf lists the leaves of a tree that hold intervals.
func leavesOf(g *grid.Grid, t *grid.Tree) (leaves []leaf) {
	g.Leaves(t, whole(g), func(i int32, sides []grid.Side) {
		leaves = append(leaves, leaf{number: int(i), sides: slices.Clone(sides)})
	})
	return leaves
}

// whole returns all intervals of a grid.
func whole(g *grid.Grid) grid.Box {
	b := make(grid.Box, len(g.Borders))
	for f, borders := range g.Borders {
		b[f].Hi = int32(len(borders))
	}
	return b
}
