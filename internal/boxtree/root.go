package boxtree

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/climb"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// begin opens the whole domain: a local search finds a first answer, and nearer leaves are
// gathered. When ctx ends in between, the domain is left to be opened again.
func (o *opener) begin(ctx context.Context, n search.Node, cutoff float64) (search.Opened, error) {
	if o.Query.Any && !math.IsInf(cutoff, 1) {
		return o.beginWithin(ctx, n, cutoff)
	}
	first, m := o.firstAnswer(ctx, cutoff)
	answer, err := o.roots(ctx, m, cutoff, first)
	for err == nil && answer != nil && m.Fit(answer.Distance) {
		// The first one there is, and squares overflow or underflow at its size.
		answer.Bound, answer.Order = o.boundOf(&m, answer.Example), 0
		first = answer
		answer, err = o.roots(ctx, m, cutoff, first)
	}
	switch {
	case err == nil:
		return search.Opened{Children: o.children, Answer: answer}, nil
	case ctx.Err() == nil || first == nil:
		return search.Opened{}, err
	}
	return search.Opened{Children: append(o.children[:0], n), Answer: first}, nil
}

// roots gathers the leaves as near as the first answer, which may be nil, and makes the children of
// the whole domain: one node for each target. It returns the answer that comes first. Of answers at
// one distance that of an earlier target does, so later ones must be nearer.
func (o *opener) roots(
	ctx context.Context, m grid.Metric, cutoff float64, first *search.Answer,
) (*search.Answer, error) {
	if first != nil {
		cutoff = min(cutoff, first.Bound)
	}
	c := o.model.borrow()
	defer o.model.spare.Put(c)
	if err := o.gather(ctx, c, m, cutoff); err != nil {
		return nil, err
	}
	if first != nil && c.pairs() >= o.manyPairs {
		if nearer := o.nearer(ctx, m, first); nearer != nil {
			first, cutoff = nearer, nearer.Bound
			if err := o.gather(ctx, c, m, cutoff); err != nil {
				return nil, err
			}
		}
	}
	return o.nodes(ctx, c, cutoff, first)
}

// nodes makes the nodes of the whole domain: see roots.
func (o *opener) nodes(
	ctx context.Context, c *choices, cutoff float64, first *search.Answer,
) (*search.Answer, error) {
	o.children = o.children[:0]
	var shared *choices
	orders := int64(1) << (61 - bits.Len(uint(len(o.targets)))) // of each target
	for i := range o.targets {
		if first != nil {
			cutoff = min(cutoff, math.Nextafter(first.Bound, math.Inf(-1)))
		}
		own := o.mattering(c, o.targets[i])
		if own == nil {
			if shared == nil {
				shared, _ = o.model.ended.Get().(*choices)
				shared = c.indexedIn(shared)
				o.made = append(o.made, shared)
			}
			own = shared
		}
		if own.shared == nil && own.pairs() >= o.manyPairs {
			own.shared = &search.Shared{Bytes: own.bytes()}
		}
		o.region.reset(own)
		root := node{target: i, choices: own, orders: orders}
		whole := o.look(ctx, 0, root, cutoff)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		first = earlier(first, o.take(&whole, 1+int64(i)*orders))
	}
	return first, nil
}

// mattering returns the choices that matter for a target, nil if that is about all. Where they do
// not matter, an input has the sums of the target and its rivals of any other. A proof evaluates
// boxes in one leaf of each tree, and a share is one of all classes.
func (o *opener) mattering(c *choices, t target) *choices {
	if len(o.targets) == 1 || o.Query.Trace != nil || o.model.Vote.Rule == trees.Share {
		return nil
	}
	margins, n := o.margins[t.first:t.last], 0
	matters := func(tree int32) bool {
		return slices.ContainsFunc(margins, func(l trees.Margin) bool {
			return o.model.uses.Changes(int(tree), &l)
		})
	}
	for _, tree := range c.trees {
		if matters(tree) {
			n++
		}
	}
	if 2*n > c.groups() {
		return nil
	}
	return c.mattering(t, matters)
}

// firstAnswer looks for a near answer in a metric in which some distances are numbers, and
// again if the answer shows that its own size is another. It returns that metric, too.
func (s *boxSearch) firstAnswer(
	ctx context.Context, cutoff float64,
) (*search.Answer, grid.Metric) {
	m := s.Metric()
	// Thresholds beyond this stand for infinity: LightGBM writes 1e300.
	const farAway = 0x1p960
	switch least, most := s.Extent(); {
	case !math.IsInf(cutoff, 1):
		m.Fit(cutoff)
	case most < farAway:
		m.Fit(most)
	default:
		m.Fit(max(least, 1))
	}
	first := s.nearAnswer(ctx, m, cutoff)
	for first != nil && m.Fit(first.Distance) {
		first.Bound = s.boundOf(&m, first.Example)
		nearer := s.nearAnswer(ctx, m, first.Bound)
		if nearer == nil || nearer.Distance >= first.Distance {
			break
		}
		first = nearer
	}
	return first, m
}

// climber returns a local search in a metric, which is to be freed.
func (s *boxSearch) climber(m grid.Metric) *climb.Search {
	l, ok := s.model.climbs.Get().(*climb.Search)
	if !ok {
		l = &climb.Search{}
	}
	l.Use(&s.View, s.model.Ensemble, &s.model.uses, m)
	return l
}

// free leaves the memory of a local search to others.
func (m *Model) free(l *climb.Search) {
	l.Release()
	m.climbs.Put(l)
}

// nearAnswer returns the nearest answer that a local search finds, nil if none. Where any
// answer will do it is one within the cutoff.
func (s *boxSearch) nearAnswer(
	ctx context.Context, m grid.Metric, cutoff float64,
) (first *search.Answer) {
	l := s.climber(m)
	defer s.model.free(l)
	radius, asked := cutoff, s.Query.Any && !math.IsInf(cutoff, 1)
	if !asked {
		radius = l.FirstRadius()
	}
	find := func(margins []trees.Margin) (cell []int32, distance float64) {
		if asked {
			return l.Within(ctx, margins, cutoff)
		}
		return l.Find(ctx, margins, radius, cutoff)
	}
	for _, t := range s.targets {
		if ctx.Err() != nil {
			break
		}
		for _, margins := range s.sure(t, s.leading(ctx, l, t, radius, cutoff)) {
			cell, distance := find(margins)
			if cell == nil || (first != nil && distance >= first.Bound) {
				continue
			}
			a := s.answer(grid.At(cell), distance)
			if a == nil && s.tied != nil {
				a = s.pinnedAnswer(ctx, l, margins, cell, cutoff)
			}
			if a != nil && (first == nil || a.Bound < first.Bound) {
				first, cutoff = a, min(cutoff, a.Bound)
				if radius = cutoff; asked {
					return first
				}
			}
		}
	}
	return first
}

// nearer returns an answer nearer than the first one that a large search has, where moves cost; nil
// if it finds none.
func (s *boxSearch) nearer(
	ctx context.Context, m grid.Metric, first *search.Answer,
) (best *search.Answer) {
	if !s.priced() || s.tied != nil || len(s.parts) > 1 {
		return nil
	}
	l := s.climber(m)
	defer s.model.free(l)
	label := s.parts[0].predictor.Predict(first.Example)
	for _, t := range s.targets {
		if t.label() != label {
			continue
		}
		cell := s.cellOf(first.Example)
		d := l.Nearer(ctx, s.margins[t.first:t.last], cell, first.Bound)
		if d >= first.Bound {
			continue
		}
		if a := s.answer(grid.At(cell), d); a != nil && a.Bound < first.Bound {
			best, first = a, a
		}
	}
	return best
}

// boundOf returns the distance of the intervals that z lies in.
func (s *boxSearch) boundOf(m *grid.Metric, z []float64) float64 {
	cell := s.cellOf(z)
	bound := m.Distance(s.CellReach(m, cell))
	if s.tied == nil {
		return bound
	}
	apart, _ := s.closest(grid.At(cell))
	return max(bound, apart)
}

// cellOf returns the intervals that z lies in.
func (s *boxSearch) cellOf(z []float64) []int32 {
	cell := make([]int32, len(z))
	if s.coding != nil {
		s.coding.Cell(&s.View, cell, z)
		return cell
	}
	for f, v := range z {
		cell[f] = s.Borders[f].Interval(v)
	}
	return cell
}
