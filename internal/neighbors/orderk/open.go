package orderk

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/closest"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors/orderk/bisectors"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/search"
)

// opener opens the nodes of one goroutine.
type opener struct {
	*query
	*surroundings                 // as the node that is opened knows them
	ctx           context.Context // of that
	program       bisectors.Program
	solves        int // programs solved since the opener was made

	// Memory that methods use again for results and scratch space:
	children  children
	decisions decisions
	point     point
	counts    rankCounts
	top       neighbors.TopK
	a         []float64
	nearest   nnindex.Nearest
	inner     *bisectors.Warm // see solveWithMargin
	inherited []bisectors.Constraint
}

// children are the nodes that opening one brings.
type children struct {
	cutoff float64
	nodes  []search.Node
}

func (c *children) add(n search.Node) {
	if c.within(n.Bound) {
		c.nodes = append(c.nodes, n)
	}
}

// within reports whether a node with a bound is kept. One that is infinitely far has no inputs.
func (c *children) within(bound float64) bool { return bound <= min(c.cutoff, math.MaxFloat64) }

// keepBetter keeps, of the first nodes and the rest, those whose least bound is
// greater.
func (c *children) keepBetter(first int) {
	if first > 0 && least(c.nodes[first:]) <= least(c.nodes[:first]) {
		c.nodes = c.nodes[:first]
		return
	}
	c.nodes = append(c.nodes[:0], c.nodes[first:]...)
}

// least returns the least bound of some nodes.
func least(nodes []search.Node) float64 {
	bound := math.Inf(1)
	for _, n := range nodes {
		bound = min(bound, n.Bound)
	}
	return bound
}

// Open opens a node, and dives from some nodes for an answer.
func (o *opener) Open(ctx context.Context, n search.Node, cutoff float64) (search.Opened, error) {
	before := o.solves
	o.ctx = ctx
	opened, err := o.open(ctx, n, cutoff, nil)
	if err != nil {
		return search.Opened{}, err
	}
	if _, ok := n.State.(*node); ok && divesFrom(n) && len(opened.Children) > 0 {
		opened = o.dive(ctx, opened, cutoff)
	}
	opened.Solves = o.solves - before
	return opened, nil
}

// open opens a node. The programs that it solves are counted in o.solves alone. On the way to a
// point to which the search dives, toward are the supporting rows before the pivot there.
func (o *opener) open(
	ctx context.Context, n search.Node, cutoff float64, toward []int32,
) (opened search.Opened, err error) {
	c := &o.children
	c.cutoff, c.nodes = cutoff, c.nodes[:0]
	if s := candidatesOf(n); s != nil {
		o.surroundings = s.around
		o.prepare()
	}
	switch state := n.State.(type) {
	case *node:
		opened.Answer, err = o.openNode(ctx, n, state, toward, c)
	case *partnerBranch:
		o.openPartners(n, state, c)
	case *outsiderBranch:
		o.openOutsiders(n, state, c)
	case *candidateSet:
		o.openPivots(n, state, int(n.Item), c)
	case onePivot:
		o.openPivot(n, state.candidateSet, int32(n.Item), c)
	default:
		if m, ok := state.(*merged); ok {
			opened = o.settle(ctx, n, m.best, cutoff)
		} else {
			opened = o.begin(ctx, n, cutoff)
		}
		if err := ctx.Err(); err != nil && opened.Answer == nil {
			return search.Opened{}, err
		} else if err != nil { // candidates are missing
			opened.Children = append(c.nodes[:0], n)
		}
		return opened, nil
	}
	opened.Children = c.nodes
	return opened, err
}

// ended reports whether the context of the node that is being opened has ended.
func (o *opener) ended() bool { return o.ctx.Err() != nil }

// candidatesOf returns the candidate set of a node, nil for the first one.
func candidatesOf(n search.Node) *candidateSet {
	switch state := n.State.(type) {
	case *node:
		return state.pivot.candidates
	case *partnerBranch:
		return state.node.pivot.candidates
	case *outsiderBranch:
		return state.node.pivot.candidates
	case *candidateSet:
		return state
	case onePivot:
		return state.candidateSet
	}
	return nil
}

// batch is how many rows of a list are made nodes in one go.
const batch = 16

// openPivots makes the nodes of the next pivots.
func (o *opener) openPivots(n search.Node, s *candidateSet, first int, c *children) {
	end := min(first+batch, len(s.supporting))
	for _, r := range s.supporting[first:end] {
		c.add(search.Node{
			Bound: max(n.Bound, r.bound),
			Order: o.orderOf(r.id),
			Item:  int64(r.id),
			State: onePivot{s},
		})
	}
	if end < len(s.supporting) {
		c.add(search.Node{Bound: max(n.Bound, s.supporting[end].bound), Item: int64(end), State: s})
	}
}

// openPivot makes the nodes of a pivot by the rivals that are nearest in comparison.
// A pivot with few rivals before it starts from X itself.
func (o *opener) openPivot(n search.Node, s *candidateSet, id int32, c *children) {
	p := o.table.Row(id)
	root := &node{pivot: &pivot{id: id, x: p, candidates: s}, kind: rootNode, span: o.span}
	if n.Bound = o.boundByPartners(root.pivot, n.Bound, c.cutoff); n.Bound > c.cutoff {
		return
	}
	if o.near.BoundAll(&o.top, p, nnindex.Squared(o.X, p), o.Allowed); !o.top.Full() {
		c.add(search.Node{Bound: n.Bound, Order: n.Order, State: root})
		return
	}
	branchOnRival(n, root, o.top.Rows, c, func(r neighbors.Ranked) float64 { return r.Value })
}

// openNode solves the program of a node and splits the node at its solution,
// unless that is an answer.
func (o *opener) openNode(
	ctx context.Context, n search.Node, p *node, toward []int32, c *children,
) (*search.Answer, error) {
	d := &o.decisions
	d.enter(p)
	defer d.leave()
	failed := func(bound float64, err error) error {
		err = fmt.Errorf("classifier: k-NN, training row %d: %w", p.pivot.id, err)
		return &search.Undecided{Bound: max(n.Bound, bound), Err: err}
	}
	sol, at, err := o.solve(ctx, d, c.cutoff)
	if err != nil {
		return nil, failed(sol.Bound, err)
	}
	if at == nil {
		return nil, nil
	}
	if n.Bound = max(n.Bound, min(sol.Bound, sol.Value)); n.Bound > c.cutoff {
		return nil, nil
	}
	answer, err := o.split(ctx, n, d, at, toward, c)
	if err != nil {
		return nil, failed(n.Bound, err)
	}
	return answer, nil
}

// split makes the nodes below a node, or finds the answer at its solution. Where both
// rivals and partners ask for a split, the one that bounds its nodes better is made.
func (o *opener) split(
	ctx context.Context, n search.Node, d *decisions, at *point, toward []int32, c *children,
) (answer *search.Answer, err error) {
	p, s := d.node(), o.countBefore(d, at)
	allowed := o.Allowed - len(d.preceding)
	tooMany, needs := s.rivals > allowed, o.needsPartner(d, s)
	if tooMany {
		branchOnRival(n, p, s.deepest.Rows, c,
			func(r neighbors.Ranked) float64 {
				return o.ahead(o.bisector(p.pivot.id, r.ID), c.cutoff)
			})
		// Without children it is done, with one there is no split.
		needs = needs && len(c.nodes) > 0 && allowed > 0 && len(toward) == 0
	}
	if needs {
		first, beaten := len(c.nodes), 0.0
		if tooMany {
			beaten = least(c.nodes)
		}
		o.branchOnPartner(n, d, s, beaten, toward, c)
		c.keepBetter(first)
	}
	if !tooMany && !needs {
		answer, err = o.resolve(ctx, n, d, at, c)
	}
	if len(c.nodes) > 0 && p.below == nil {
		p.below = &base{slices.Clone(d.added), o.program.Basis()}
	}
	return answer, err
}

// start takes the program to the nodes of a path that ends at the root.
func (o *opener) start(path []*node) {
	var from closest.Basis
	if len(path) > 0 && path[0].below != nil {
		from = path[0].below.basis
	}
	o.inherited = inherited(o.inherited[:0], path)
	o.program.Start(o.inherited, from)
}

// solve finds the point nearest to X that satisfies the decisions, nil if there is none
// within the cutoff. Constraints that the decisions imply without having needed them
// so far are added when they are violated.
func (o *opener) solve(
	ctx context.Context, d *decisions, cutoff float64,
) (bisectors.Solution, *point, error) {
	p := d.node()
	possible := true
	o.start(d.path[1:])
	switch p.kind {
	case rivalNode:
		possible = o.add(&d.added, o.bisector(p.pivot.id, p.list[p.at]))
	case partnerNode:
		possible = o.add(&d.added, o.bisector(p.partner(), p.pivot.id))
	case outsiderNode:
		possible = o.add(&d.added, o.bisector(p.list[p.at], p.rival))
	}
	for possible {
		o.solves++
		sol, err := o.program.Solve(ctx, cutoff)
		if err == nil && sol.Status == closest.Infeasible && !o.contradictory(d) {
			err = neighbors.ErrContradiction
		}
		if err != nil || sol.Status != closest.Optimal {
			return sol, nil, err
		}
		at, before := o.moveTo(sol), len(d.added)
		o.addFaces(&d.added, at)
		o.addLinear(&d.added, at)
		if possible = o.addOrder(d, at) && o.addPreceding(d, at); possible &&
			len(d.added) == before {
			return sol, at, nil
		}
	}
	return bisectors.Solution{}, nil, nil
}

// addOrder adds the constraint between the farthest of the rows that are neighbours by
// decision and the nearest of those that are not, if the point violates it. It
// returns false if it holds nowhere.
func (o *opener) addOrder(d *decisions, at *point) bool {
	if len(d.in) == 0 || len(d.out) == 0 {
		return true
	}
	farthest, nearest := slices.MaxFunc(d.in, o.byDistance(at)), slices.MinFunc(d.out,
		o.byDistance(at))
	if at.squared(o.table.Row(nearest)) > at.squared(o.table.Row(farthest)) {
		return true
	}
	return o.addViolated(&d.added, at, o.bisector(farthest, nearest))
}

// addPreceding adds the constraint that the farthest of the rivals that precede the pivot does,
// if the point violates it: where it does not, answers are a sibling's. It returns false
// if it holds nowhere.
func (o *opener) addPreceding(d *decisions, at *point) bool {
	farthest, most := int32(-1), at.squared(d.pivot().x)
	for _, id := range d.preceding {
		if squared := at.squared(o.table.Row(id)); squared >= most {
			farthest, most = id, squared
		}
	}
	return farthest < 0 || o.addViolated(&d.added, at, o.bisector(farthest, d.pivot().id))
}

// byDistance orders rows by (distance from a point, row).
func (s *query) byDistance(at *point) func(p, q int32) int {
	from := func(id int32) nnindex.Neighbor {
		return nnindex.Neighbor{Squared: at.squared(s.table.Row(id)), ID: id}
	}
	return func(p, q int32) int { return from(p).Compare(from(q)) }
}
