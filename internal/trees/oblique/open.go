package oblique

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/cellpoint"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// opener opens the nodes of one goroutine, in memory that it keeps.
type opener struct {
	*voteSearch
	region   *region
	sweep    trees.Sweep
	children []search.Node
	sum      []float64
}

// opening is a node that is being opened, with its bounds and its children so far.
type opening struct {
	search.Node
	cutoff     float64
	region     *region   // its polyhedron
	point      []float64 // the closest of the polyhedron, nil while it is not known
	candidates *candidates
	opened     search.Opened
	trace      search.Trace // nil if nobody listens
	measured   []measured   // of the candidates, if there is a trace
}

// Open opens a node, and below a root dives for a first answer, whose distance then keeps
// most leaves out of the candidates. The dive finds the answer that the search would find on the
// same path.
func (o *opener) Open(ctx context.Context, n search.Node, cutoff float64) (search.Opened, error) {
	opened, err := o.open(ctx, n, cutoff, o.q.Trace)
	if err != nil || n.State.(*node).parent != nil {
		return opened, err
	}
	opened.Children = slices.Clone(opened.Children)
	path := slices.Clone(opened.Children)
	slices.Reverse(path)
	for dives := 0; dives < mostDives && len(path) > 0 && opened.Answer == nil &&
		ctx.Err() == nil; dives++ {
		last := len(path) - 1
		below, err := o.open(ctx, path[last], cutoff, nil) // it is opened again
		if err != nil {
			break // the search will meet the error again if it matters
		}
		opened.Solves, opened.Answer = opened.Solves+below.Solves, below.Answer
		slices.Reverse(below.Children)
		path = append(path[:last], below.Children...)
	}
	return opened, nil
}

// mostDives is how many nodes a dive may open, depth first.
const mostDives = 100

// open opens one node.
func (o *opener) open(
	ctx context.Context, n search.Node, cutoff float64, trace search.Trace,
) (search.Opened, error) {
	s := n.State.(*node)
	p := opening{
		Node: n, region: o.region, point: s.point, trace: trace,
		opened: search.Opened{Children: o.children[:0]},
	}
	p.cutoff = min(cutoff, math.MaxFloat64) // inputs at an infinite distance do not exist
	p.region.load(s)
	if p.candidates = o.shrink(&p, s); p.candidates == nil || o.cross(&p) == nil {
		return search.Opened{}, nil
	}
	best, err := o.tighten(ctx, &p)
	if best != nil {
		err = o.answerOrSplit(ctx, &p, best)
	}
	if err != nil {
		return search.Opened{}, &search.Undecided{
			Bound: p.Bound,
			Err:   fmt.Errorf("oblique ensemble: %w", err),
		}
	}
	o.children = p.opened.Children
	return p.opened, nil
}

// closest finds the point of the region, which may be that of the node and more, that is
// closest to X. It is nil where rounding hides it; the bound still holds, and is +Inf if
// there is none, or only far beyond the cutoff.
func (o *opener) closest(
	ctx context.Context, p *opening,
) (point []float64, bound float64, err error) {
	problem := o.problem(p)
	problem.Region = cellpoint.Within(problem.Region, o.q.Linear)
	problem.Cutoff = cellpoint.Beyond(p.cutoff)
	sol, err := cellpoint.Ask(ctx, o.q.Solver, problem)
	p.opened.Solves++
	switch {
	case errors.Is(err, polytope.ErrNumerical):
		return nil, sol.Bound, nil
	case err == nil && sol.Point == nil:
		return nil, math.Inf(1), nil
	}
	return sol.Point, sol.Bound, err
}

func (o *opener) problem(p *opening) polytope.Problem {
	return o.q.Cost.Problem(o.q.X, p.region.polyhedron(o.q.Domain))
}

// tighten finds the closest point of the node, unless it is that of its parent, and
// raises the bound until each of the best candidates, which it returns, is known to be
// that near; nil when it rises above the cutoff.
func (o *opener) tighten(ctx context.Context, p *opening) (best []int32, err error) {
	if p.point == nil {
		var bound float64
		p.point, bound, err = o.closest(ctx, p)
		if p.Bound = max(p.Bound, bound); err != nil || p.Bound > p.cutoff {
			return nil, err
		}
	}
	for raised := true; raised; {
		if best = o.cross(p); best == nil {
			return nil, nil
		}
		raised = false
		for _, i := range best {
			if c := &p.candidates.leaves[i]; c.point == nil {
				if err := o.measure(ctx, p, c); err != nil {
					return nil, err
				}
				raised = raised || c.bound > p.Bound
			}
		}
	}
	return best, nil
}

// measure finds the distance of a candidate within the polyhedron. It is that of the
// polyhedron's closest point if the leaf holds that.
func (o *opener) measure(ctx context.Context, p *opening, c *candidate) error {
	ranges := o.g.leaves[c.leaf].ranges
	misses := func(r interval) bool { return !o.holds(r, p.point) }
	if p.point != nil && !slices.ContainsFunc(ranges, misses) {
		c.point = p.point
		return nil
	}
	mark := p.region.mark()
	p.region.meet(ranges...)
	point, bound, err := o.closest(ctx, p)
	p.region.back(mark)
	c.point, c.bound = point, max(c.bound, bound)
	if p.trace != nil {
		p.measured = append(p.measured, measured{c.leaf, c.bound})
	}
	return err
}
