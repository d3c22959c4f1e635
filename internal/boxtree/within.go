package boxtree

import (
	"context"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/bestfirst"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// beginWithin opens the whole domain when no answer beyond a cutoff matters. Most radii that
// somebody asks about lie well below the nearest answer: then the leaves within it do not
// suffice, and no local search is needed. It comes before they are indexed, or even gathered,
// because its answer may be all that is asked for.
func (o *opener) beginWithin(
	ctx context.Context, n search.Node, cutoff float64,
) (search.Opened, error) {
	m := o.Metric()
	m.Fit(cutoff)
	if !o.promising(o.ball(&m, cutoff)) {
		return search.Opened{}, nil
	}
	c := o.model.borrow()
	defer o.model.spare.Put(c)
	// In ℓ∞ the leaves that meet the ball are those within the radius.
	counted := o.Norm == polytope.LInf && o.Prices == nil && !o.HasSets()
	if !counted {
		if err := o.gather(ctx, c, m, cutoff); err != nil {
			return search.Opened{}, err
		}
		if !o.anyTarget(func(margin int) float64 { return c.best(margin) }) {
			return search.Opened{}, nil
		}
	}
	first, _ := o.firstAnswer(ctx, cutoff)
	if first != nil && (first.Distance <= cutoff ||
		first.Bound <= cutoff && bestfirst.Attains(first.Distance, first.Bound)) {
		// The domain waits: others may be nearer.
		return search.Opened{Children: append(o.children[:0], n), Answer: first}, nil
	}
	if counted {
		if err := o.gather(ctx, c, m, cutoff); err != nil {
			return search.Opened{}, err
		}
	}
	answer, err := o.nodes(ctx, c, cutoff, nil)
	if err != nil {
		return search.Opened{}, err
	}
	return search.Opened{Children: o.children, Answer: answer}, nil
}

// promising reports whether the best leaf of each tree that meets a box could win all margins
// of a target.
func (s *boxSearch) promising(b grid.Box) bool {
	f := grid.Forest{Sums: &s.model.Sums, Grid: s.Grid}
	return s.anyTarget(func(margin int) float64 {
		sum, p := s.margins[margin].Base, &s.parts[s.partOf(margin)]
		for t := p.Tree; t < p.Tree+p.Len(); t++ {
			sum += f.Most(&s.Trees[t], 0, b, &s.margins[margin])
		}
		return sum
	})
}

// anyTarget reports whether sums of the best gains could win all margins of a target.
func (s *boxSearch) anyTarget(sum func(margin int) float64) bool {
	return slices.ContainsFunc(s.targets, func(t target) bool {
		return search.Enough(s.quorums, func(part int) bool {
			i, last := t.marginsOf(part)
			for i < last && sum(i) >= s.goal(i) {
				i++
			}
			return i == last
		})
	})
}
