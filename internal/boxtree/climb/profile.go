package climb

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// profile holds the margins in each interval of a span of a feature, the other features being where
// they are, less their slack: above zero they are sure.
type profile struct {
	feature int32
	grid.Span
	margins []trees.Margin
	sums    []float64 // of margin i in interval s: i·width + s − lo
}

// profile computes a profile by one walk through each tree whose leaf changes in it, in memory that
// the next call overwrites.
func (l *Search) profile(margins []trees.Margin, f int32, s grid.Span) profile {
	p := profile{feature: f, Span: s, margins: margins}
	w := p.width()
	l.memory = resize(l.memory, len(margins)*w)
	p.sums = l.memory
	clear(p.sums)
	if l.sparse() {
		for i := range margins {
			p.sums[i*w] = l.without(i, f)
		}
		for _, t := range l.users(f) {
			l.walk(&p, &l.Trees[t])
		}
	} else {
		for i := range margins {
			p.sums[i*w] = l.base[i]
		}
		l.addLive(&p)
	}
	for i := range p.sums { // of differences from interval to interval
		if i%w > 0 {
			p.sums[i] += p.sums[i-1]
		}
	}
	return p
}

// bar takes the intervals beyond a limit that lie between others off a profile, under rules of
// moves.
func (l *Search) bar(p *profile, limit float64) {
	if l.Prices == nil {
		return
	}
	others := l.others(p.feature)
	for interval := p.Lo; interval <= p.Hi; interval++ {
		if interval != l.cell[p.feature] &&
			others+l.metric.Scale(l.Gap(p.feature, interval, interval)) > limit {
			p.sums[interval-p.Lo] = math.Inf(-1)
		}
	}
}

// width is the number of differences of one margin: the last is that behind the span.
func (p *profile) width() int { return int(p.Hi-p.Lo) + 2 }

// walk adds the leaves of a tree that the intervals of a profile reach.
func (l *Search) walk(p *profile, t *grid.Tree) {
	if l.Words(p.feature) == 0 {
		l.visit(p, t, 0, p.Lo, p.Hi)
		return
	}
	for len(l.masks) < l.Depth+1 {
		l.masks = append(l.masks, nil)
	}
	l.masks[0] = resize(l.masks[0], l.Words(p.feature))
	l.masks[0].Fill()
	l.visitSet(p, t, 0, 0)
}

// visitSet is visit of a feature that some test asks for a set: the intervals of a mask, those that
// reach so many tests of it, reach the node.
func (l *Search) visitSet(p *profile, t *grid.Tree, node int32, depth int) {
	mask := l.masks[depth]
	for {
		n := &t.Nodes[node]
		switch {
		case n.Feature < 0:
			p.addSet(l.model.Value(t.Index, int(node)), mask)
			return
		case n.Feature != p.feature:
			if node = n.Right; l.Left(n, l.cell[n.Feature]) {
				node = n.Left
			}
		default:
			for _, left := range [...]bool{true, false} {
				below := append(l.masks[depth+1][:0], mask...)
				l.masks[depth+1] = below
				if l.Keep(below, n, left); below.Meets(p.Span) {
					child := n.Right
					if left {
						child = n.Left
					}
					l.visitSet(p, t, child, depth+1)
				}
			}
			return
		}
	}
}

// visit adds the leaves below a node that the intervals lo ≤ s ≤ hi of the feature reach.
func (l *Search) visit(p *profile, t *grid.Tree, node, lo, hi int32) {
	for {
		n := &t.Nodes[node]
		switch {
		case n.Feature < 0:
			p.add(l.model.Value(t.Index, int(node)), lo, hi)
			return
		case n.Feature != p.feature:
			switch interval := l.cell[n.Feature]; {
			case interval <= n.Cut, n.IsSet() && l.SetOf(n).Has(interval):
				node = n.Left
			default:
				node = n.Right
			}
		case n.Cut >= hi:
			node = n.Left
		case n.Cut < lo:
			node = n.Right
		default:
			l.visit(p, t, n.Left, lo, n.Cut)
			node, lo = n.Right, n.Cut+1
		}
	}
}

// addLive adds the leaves that the intervals of a profile reach, of each tree in turn: one if it
// keeps its leaf in all of them.
func (l *Search) addLive(p *profile) {
	spans, n := l.spansOf(p.feature), len(p.margins)
	for _, t := range l.live {
		switch s := spans[t]; {
		case s.Lo > p.Lo || p.Hi > s.Hi:
			l.walk(p, &l.Trees[t])
		case n == 1:
			p.sums[0] += l.gains[t]
		default:
			for i, gain := range l.gains[int(t)*n:][:n] {
				p.sums[i*p.width()] += gain
			}
		}
	}
}

// add adds the differences that a leaf makes at its first interval and behind its last.
func (p *profile) add(value []float64, lo, hi int32) {
	for i := range p.margins {
		gain := p.margins[i].Gain(value)
		sums := p.sums[i*p.width():]
		sums[lo-p.Lo] += gain
		sums[hi-p.Lo+1] -= gain
	}
}

// addSet is add of a leaf that some intervals reach, run by run.
func (p *profile) addSet(value []float64, mask grid.Set) {
	for rest := mask.Hull(p.Span); rest.Lo <= rest.Hi; {
		run := mask.Run(rest.Lo, rest)
		p.add(value, run.Lo, run.Hi)
		rest = mask.Hull(grid.Span{Lo: run.Hi + 1, Hi: rest.Hi})
	}
}

// least returns the smallest of the margins in an interval.
func (p *profile) least(interval int32) float64 {
	least := math.Inf(1)
	for i := int(interval - p.Lo); i < len(p.sums); i += p.width() {
		least = min(least, p.sums[i])
	}
	return least
}

// highest returns the interval whose smallest margin is the largest, that nearest to the interval
// at of a tie.
func (p *profile) highest(at int32) (best int32, margin float64) {
	at = min(max(at, p.Lo), p.Hi)
	best, margin = at, p.least(at)
	for interval := p.Lo; interval <= p.Hi; interval++ {
		l := p.least(interval)
		if l > margin || (l == margin && max(interval-at, at-interval) < max(best-at, at-best)) {
			best, margin = interval, l
		}
	}
	return best, margin
}

// resize returns a slice of n elements of any value in the memory of s.
func resize[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }
