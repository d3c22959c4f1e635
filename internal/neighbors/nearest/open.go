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
	stage, label, index := unpack(n.Item)
	if stage == stageAsked {
		return o.openAsked(n, cutoff), nil
	}
	o.prepare()
	o.horizon = o.surroundings.horizon(n.Bound)
	switch {
	case stage == stageTree:
		o.leaves = leavesAtOnce
		o.openTree(n, label, index, cutoff)
	case stage == stageBeyond:
		o.openLeaf(n, label, index, cutoff)
	case stage == stageRow && o.near.Confined():
		o.confine(n, 0, index, cutoff)
	case stage == stageRow:
		o.tighten(n, index, cutoff)
	case label < o.near.Len() && o.near.Confined():
		o.confine(n, label, index, cutoff)
	default:
		return o.solve(ctx, n, int32(index), cutoff)
	}
	return search.Opened{Children: o.children}, nil
}

// leavesAtOnce is how many leaves are opened with a node above them.
const leavesAtOnce = 16

// openTree bounds the two children of an inner node, or the rows of a leaf, by the
// nearest rival. Children whose turn will come in all likelihood are opened with it.
func (o *opener) openTree(n search.Node, label, index int, cutoff float64) {
	t := o.table.Trees[label]
	node := t.Nodes[index]
	if node.Left == 0 {
		o.leaves--
		o.openLeaf(n, label, index, cutoff)
		return
	}
	soon := n.Bound
	if near := nearShare * o.foreseen; near <= math.MaxFloat64 {
		soon = max(soon, near)
	}
	for child := int(node.Left); child <= int(node.Left)+1; child++ {
		bound := n.Bound
		if o.near.Len() > 0 {
			lo, hi := t.Box(child)
			bound = max(bound, o.near.BoxBound(0, lo, hi, t.ToBox(child, o.X), o.cell.a))
		}
		if bound <= soon && o.leaves > 0 {
			o.openTree(search.Node{Bound: bound, Item: n.Item}, label, child, cutoff)
			continue
		}
		o.push(bound, 0, pack(stageTree, label, child), cutoff)
	}
}

// openLeaf bounds the rows of a leaf by the nearest rival. Those that are bounded beyond
// the horizon become a node of their own, which is a leaf bounded beyond it.
func (o *opener) openLeaf(n search.Node, label, index int, cutoff float64) {
	t := o.table.Trees[label]
	node := t.Nodes[index]
	stage, _, _ := unpack(n.Item)
	beyond := math.Inf(1)
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
			beyond = min(beyond, bound)
		case stage == stageTree || bound >= n.Bound: // those before have had their turn
			id := int(ids[i])
			o.push(max(n.Bound, bound), int64(id), pack(stageRow, label, id), cutoff)
		}
	}
	if !math.IsInf(beyond, 1) {
		o.push(beyond, 0, pack(stageBeyond, label, index), cutoff)
	}
}

func (o *opener) push(bound float64, order, item int64, cutoff float64) {
	if bound <= cutoff && bound <= math.MaxFloat64 { // a node that is infinitely far has no inputs
		o.children = append(o.children, search.Node{Bound: bound, Order: order, Item: item})
	}
}

// tighten bounds a candidate by all near rivals.
func (o *opener) tighten(n search.Node, id int, cutoff float64) {
	p := o.table.Row(int32(id))
	squared := nnindex.Squared(o.X, p)
	bound := n.Bound
	for i := range o.near.Len() {
		switch {
		case bound > cutoff:
			return
		case bound > o.horizon: // its turn may not come
			o.push(bound, n.Order, n.Item, cutoff)
			return
		}
		bound = max(bound, o.near.Bound(i, p, squared))
	}
	o.push(bound, n.Order, pack(stageBounded, 0, id), cutoff)
}

// confine bounds a candidate by the next few of the near rivals within the domain, of which some
// have been tried.
func (o *opener) confine(n search.Node, tried, id int, cutoff float64) {
	p, bound := o.table.Row(int32(id)), n.Bound
	squared := nnindex.Squared(o.X, p)
	end := min(tried+confiningRivals, o.near.Len())
	for ; tried < end || tried < o.near.Len() && bound == n.Bound; tried++ {
		bound = o.near.ConfinedBound(tried, p, squared, bound)
	}
	o.push(bound, n.Order, pack(stageBounded, tried, id), cutoff)
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
