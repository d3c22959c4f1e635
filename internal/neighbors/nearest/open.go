package nearest

import (
	"context"
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/cellpoint"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// opener opens the nodes of one goroutine.
type opener struct {
	*query
	*surroundings // once they are looked at
	children      []search.Node
	squared       []float64 // distances of the rows of a leaf from X
	bounds        []float64 // of those
	horizon       float64   // of the node that is being opened
	leaves        int       // that it may still open
	cell          cell      // of the candidate that is being solved
	memory        []float64 // of the cell
	room          surroundings
}

func (o *opener) Open(ctx context.Context, n search.Node, cutoff float64) (search.Opened, error) {
	o.children = o.children[:0]
	if n.State == (asked{}) {
		return o.openAsked(n, cutoff), nil
	}
	o.prepare()
	o.horizon = o.surroundings.horizon(n.Bound)
	switch state := n.State.(type) {
	case below:
		o.leaves = leavesAtOnce
		o.openTree(n, state, cutoff)
	case beyond:
		o.openLeaf(n, state.Tree, cutoff)
	case bounded:
		if int(state) == o.near.Len() || !o.near.Confined() {
			return o.solve(ctx, n, int32(n.Item), cutoff)
		}
		o.confine(n, int(state), cutoff)
	default:
		if o.near.Confined() {
			o.confine(n, 0, cutoff)
		} else {
			o.tighten(n, cutoff)
		}
	}
	return search.Opened{Children: o.children}, nil
}

// leavesAtOnce is how many leaves are opened with a node above them.
const leavesAtOnce = 16

// openTree bounds the two children of an inner node, or the rows of a leaf, by the
// nearest rival. Children whose turn will come in all likelihood are opened with it.
func (o *opener) openTree(n search.Node, t below, cutoff float64) {
	node := t.Nodes[n.Item]
	if node.Left == 0 {
		o.leaves--
		o.openLeaf(n, t.Tree, cutoff)
		return
	}
	soon := n.Bound
	if near := nearShare * o.foreseen; near <= math.MaxFloat64 {
		soon = max(soon, near)
	}
	for i := int(node.Left); i <= int(node.Left)+1; i++ {
		child := search.Node{Bound: n.Bound, Item: int64(i), State: n.State}
		if o.near.Len() > 0 {
			lo, hi := t.Box(i)
			child.Bound = max(n.Bound, o.near.BoxBound(0, lo, hi, t.ToBox(i, o.X), o.cell.a))
		}
		if child.Bound <= soon && o.leaves > 0 {
			o.openTree(child, t, cutoff)
			continue
		}
		o.push(child, cutoff)
	}
}

// openLeaf bounds the rows of a leaf by the nearest rival. Those that are bounded beyond
// the horizon become a node of their own, which is a leaf bounded beyond it.
func (o *opener) openLeaf(n search.Node, t *nnindex.Tree, cutoff float64) {
	node := t.Nodes[n.Item]
	_, again := n.State.(beyond)
	later := math.Inf(1)
	ids := t.IDs[node.First:node.End]
	o.squared, o.bounds = resize(o.squared, len(ids)), resize(o.bounds, len(ids))
	if o.near.Len() == 0 {
		clear(o.bounds)
	} else {
		nnindex.SquaredRows(o.X, t.Points(node), o.squared)
		o.near.Bounds(0, t.Points(node), o.squared, o.bounds)
	}
	for i, bound := range o.bounds {
		switch {
		case bound > o.horizon:
			later = min(later, bound)
		case !again || bound >= n.Bound: // those before have had their turn
			id := int64(ids[i])
			o.push(search.Node{Bound: max(n.Bound, bound), Order: id, Item: id}, cutoff)
		}
	}
	if !math.IsInf(later, 1) {
		o.push(search.Node{Bound: later, Item: n.Item, State: beyond{t}}, cutoff)
	}
}

// push makes a node a child, unless it is infinitely far and has no inputs.
func (o *opener) push(n search.Node, cutoff float64) {
	if n.Bound <= cutoff && n.Bound <= math.MaxFloat64 {
		o.children = append(o.children, n)
	}
}

// tighten bounds a candidate by all near rivals.
func (o *opener) tighten(n search.Node, cutoff float64) {
	p := o.table.Row(int32(n.Item))
	squared := nnindex.Squared(o.X, p)
	for i := range o.near.Len() {
		switch {
		case n.Bound > cutoff:
			return
		case n.Bound > o.horizon: // its turn may not come
			o.push(n, cutoff)
			return
		}
		n.Bound = max(n.Bound, o.near.Bound(i, p, squared))
	}
	n.State = bounded(0)
	o.push(n, cutoff)
}

// confine bounds a candidate by the next few of the near rivals within the domain, of which some
// have been tried.
func (o *opener) confine(n search.Node, tried int, cutoff float64) {
	p, bound := o.table.Row(int32(n.Item)), n.Bound
	squared := nnindex.Squared(o.X, p)
	end := min(tried+confiningRivals, o.near.Len())
	for ; tried < end || tried < o.near.Len() && bound == n.Bound; tried++ {
		bound = o.near.ConfinedBound(tried, p, squared, bound)
	}
	n.Bound, n.State = bound, bounded(tried)
	o.push(n, cutoff)
}

// confiningRivals is how many rivals bound a candidate within the domain before others are looked
// at.
const confiningRivals = 4

// solve projects X on the cell of a candidate.
func (o *opener) solve(
	ctx context.Context, n search.Node, id int32, cutoff float64,
) (search.Opened, error) {
	if o.beaten(id) {
		return search.Opened{}, nil
	}
	failed := func(err error) (search.Opened, error) {
		return search.Opened{}, fmt.Errorf("classifier: 1-NN, training row %d: %w", id, err)
	}
	o.cell.reset(id)
	problem := o.Cost.Problem(o.X, polytope.Polyhedron{
		Box: o.Domain, HalfSpaces: o.Linear, Rest: &o.cell,
	})
	problem.Cutoff = math.Nextafter(cutoff, math.Inf(1))
	sol, err := cellpoint.Ask(ctx, o.Solver, problem)
	if err != nil {
		return failed(err)
	}
	if sol.Status == polytope.StatusInfeasible && o.cell.mayExist(sol.Bound) {
		if math.IsInf(sol.Bound, 1) {
			sol.Bound = n.Bound
		}
		return failed(&search.Undecided{Bound: sol.Bound, Err: neighbors.ErrContradiction})
	}
	if sol.Point == nil {
		return search.Opened{Solves: 1}, nil
	}
	n.Bound = max(n.Bound, sol.Bound)
	example, solves, err := o.witness(ctx, problem, sol.Point)
	opened := search.Opened{Solves: 1 + solves}
	switch {
	case example != nil, cellpoint.Thin(err):
		opened.Answer = cellpoint.Answer(&o.Query, n, example)
	case err != nil:
		return failed(&search.Undecided{Bound: n.Bound, Err: err})
	}
	return opened, nil // without an answer when the cell holds no input
}

// beaten reports whether an equal rival comes first, which keeps the candidate
// from ever being the nearest.
func (o *opener) beaten(id int32) bool {
	return !o.rivals.Copies(o.table.Row(id), func(rival int32) bool { return rival > id })
}
