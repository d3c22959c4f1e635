package classifier

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/cellpoint"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// obliqueOpener opens the nodes of one goroutine.
type obliqueOpener struct {
	*obliqueSearch
	region   *obliqueRegion
	children []search.Node
	steps    steps
	best     []int32 // the best candidate of each tree at the bound
	sum      []float64

	// The node that is being opened:
	node   search.Node
	cutoff float64
	bound  float64 // what is proven of it so far
	point  []float64
	leaves *obliqueCandidates
	solves int
	err    error
}

// Open opens a node, and below a root dives for a first answer, whose distance
// then keeps most leaves out of the candidates. The dive finds what the search
// would find on the same path.
func (o *obliqueOpener) Open(ctx context.Context, n search.Node, cutoff float64) (search.Opened, error) {
	opened, err := o.open(ctx, n, cutoff)
	if err != nil || n.State.(*obliqueNode).parent != nil {
		return opened, err
	}
	opened.Children = slices.Clone(opened.Children)
	path := slices.Clone(opened.Children)
	slices.Reverse(path)
	for range mostDives {
		if len(path) == 0 || opened.Answer != nil || ctx.Err() != nil {
			break
		}
		below, err := o.open(ctx, path[len(path)-1], cutoff)
		if err != nil {
			break // the search will meet the error again if it matters
		}
		path = path[:len(path)-1]
		opened.Solves += below.Solves
		opened.Answer = below.Answer
		slices.Reverse(below.Children)
		path = append(path, below.Children...)
	}
	return opened, nil
}

// mostDives is how many nodes a dive may open, depth first.
const mostDives = 100

// open opens one node.
func (o *obliqueOpener) open(ctx context.Context, n search.Node, cutoff float64) (search.Opened, error) {
	s := n.State.(*obliqueNode)
	o.node, o.bound, o.point = n, n.Bound, s.point
	o.cutoff = min(cutoff, math.MaxFloat64) // what is infinitely far does not exist
	o.children, o.solves, o.err = o.children[:0], 0, nil
	o.load(s)
	var answer *search.Answer
	if o.narrow(s) && o.cross() && o.place(ctx) && o.tighten(ctx) {
		answer = o.conclude(ctx)
	}
	o.leaves = nil
	if o.err != nil {
		return search.Opened{}, o.err
	}
	return search.Opened{Children: o.children, Answer: answer, Solves: o.solves}, nil
}

// load decides the tests of a node.
func (o *obliqueOpener) load(s *obliqueNode) {
	o.region.reset()
	for ; s.parent != nil; s = s.parent {
		o.region.meet(s.side)
	}
}

// closest finds the point of the region that is closest to X; false when there is
// none, or only far beyond the cutoff, or after an error. The point is nil when
// rounding hides it; the bound still holds.
func (o *obliqueOpener) closest(ctx context.Context) (polytope.Solution, bool) {
	p := o.problem()
	p.Cutoff = beyond(o.cutoff)
	sol, err := o.q.Solver.Closest(ctx, p)
	o.solves++
	switch {
	case errors.Is(err, polytope.ErrNumerical):
		sol.Point = nil
	case err != nil:
		o.fail(sol.Bound, err)
	case sol.Status == polytope.StatusStopped:
		o.fail(sol.Bound, cellpoint.Stopped(ctx))
	case sol.Status != polytope.StatusOptimal:
		return sol, false
	}
	return sol, o.err == nil
}

func (o *obliqueOpener) problem() polytope.Problem {
	return polytope.Problem{Norm: o.q.Norm, X: o.q.X, Region: o.region.polyhedron(o.q.Domain)}
}

// fail sets the node aside.
func (o *obliqueOpener) fail(bound float64, err error) {
	o.err = &search.Undecided{Bound: max(o.bound, bound), Err: fmt.Errorf("classifier: oblique ensemble: %w", err)}
}

// place finds the closest point of the node, unless it is that of its parent.
func (o *obliqueOpener) place(ctx context.Context) bool {
	if o.point != nil {
		return true
	}
	sol, ok := o.closest(ctx)
	o.point, o.bound = sol.Point, max(o.bound, sol.Bound)
	return ok && o.bound <= o.cutoff
}

// tighten raises the bound until each of the best leaves is known to be that near
// within the polyhedron.
func (o *obliqueOpener) tighten(ctx context.Context) bool {
	for raised := true; raised; {
		if !o.cross() {
			return false
		}
		raised = false
		for _, i := range o.best {
			if o.leaves.points[i] == nil {
				o.settle(ctx, i)
				raised = raised || o.leaves.reach[i] > o.bound
			}
			if o.err != nil {
				return false
			}
		}
	}
	return true
}

// settle finds the distance of a candidate within the polyhedron. It is that of
// the polyhedron's closest point if the leaf holds that.
func (o *obliqueOpener) settle(ctx context.Context, i int32) {
	mark := o.region.mark()
	defer o.region.back(mark)
	c, inside := o.leaves, o.point != nil
	for _, side := range o.g.leaves[c.leaves[i]].sides {
		inside = inside && o.holds(side, o.point)
		o.region.meet(side)
	}
	if inside {
		c.points[i] = o.point
		return
	}
	sol, ok := o.closest(ctx)
	if c.reach[i] = max(c.reach[i], sol.Bound); !ok {
		c.reach[i] = math.Inf(1)
	}
	c.points[i] = sol.Point
}
