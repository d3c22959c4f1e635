package classifier

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/cellpoint"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// nearRivals is how many of the rivals nearest to the query bound a candidate
// before a program is solved for it.
const nearRivals = 96

// Search implements Searcher by branch and bound. For k > 1 a node is a row that
// the vote needs, the farthest one, with decisions on which other rows are nearer;
// their number is exponential in k in the worst case.
//
// For k = 1 an input answers the query as soon as some candidate, a training row with a
// label that reaches it, is nearer than every rival, a row whose label does not.
// Bisectors between candidates only cut such sets into pieces, so they are left
// out: the answer is the minimum, over the candidates j, of the distance to {z :
// ‖z−x_j‖ ≤ ‖z−x_i‖ for all rivals i}.
//
// The nodes above the candidates are those of the k-d trees that hold them. For a
// rival i the bisector lies at distance (‖x−x_j‖² − ‖x−x_i‖²) / (2‖x_i−x_j‖_q);
// the nearest rival bounds trees and candidates, some of the nearest those
// candidates whose turn comes, and only what is left is solved, rivals named as
// they are violated.
func (c *KNN) Search(_ context.Context, q search.Query) (search.Search, error) {
	if c.k > 1 {
		return c.orderSearch(q), nil
	}
	s := &nearestSearch{c: c, q: q}
	for label, t := range c.trees {
		switch {
		case t == nil:
		case q.Reaches(label):
			s.candidates = append(s.candidates, label)
		default:
			s.rivals = append(s.rivals, t)
		}
	}
	s.gather()
	return s, nil
}

// nearestSearch is the search of one query. It does not change once made.
type nearestSearch struct {
	c          *KNN
	q          search.Query
	candidates []int // labels
	rivals     []*nnindex.Tree
	near       []float64 // the nearest rivals, flat, ascending
	toNear     []float64 // what leads from X to them
	nearID     []int32
	squared    []float64 // their squared distances from X
	known      float64   // no rival but those lies nearer to X than this
}

// gather finds the nearest rivals.
func (s *nearestSearch) gather() {
	var nearest nnindex.Nearest
	nearest.Reset(nearRivals, math.Inf(1))
	for _, t := range s.rivals {
		t.Nearest(s.q.X, &nearest)
	}
	all := nearest.All()
	slices.SortFunc(all, nnindex.Neighbor.Compare)
	s.known = math.Inf(1)
	if nearest.Full() {
		s.known = math.Sqrt(all[len(all)-1].Squared) * (1 - noise(s.c.dim))
	}
	s.near = make([]float64, 0, len(all)*s.c.dim)
	s.toNear = make([]float64, 0, len(all)*s.c.dim)
	s.nearID, s.squared = make([]int32, 0, len(all)), make([]float64, 0, len(all))
	for _, n := range all {
		p, _ := s.c.Row(int(n.ID))
		s.near = append(s.near, p...)
		s.toNear = appendDifference(s.toNear, p, s.q.X)
		s.nearID = append(s.nearID, n.ID)
		s.squared = append(s.squared, n.Squared)
	}
}

func (s *nearestSearch) rival(i int) []float64 {
	return s.near[i*s.c.dim : (i+1)*s.c.dim]
}

// toRival returns what leads from X to a near rival.
func (s *nearestSearch) toRival(i int) []float64 {
	return s.toNear[i*s.c.dim : (i+1)*s.c.dim]
}

// What a node stands for is packed in its Item: a stage, and the node of a tree
// with the label of the tree, or the row of a candidate.
const (
	stageTree    = iota // the candidates below a node of a k-d tree
	stageRow            // a candidate, bounded by the nearest rival
	stageBounded        // a candidate, bounded by the near rivals
	stageBegin          // all candidates; see orderOpener.begin
	stageSide           // the candidates from a place of the field on
)

func pack(stage, label, index int) int64 {
	return int64(stage)<<60 | int64(label)<<32 | int64(index)
}

func unpack(item int64) (stage, label, index int) {
	return int(item >> 60), int(item >> 32 & (1<<28 - 1)), int(item & (1<<32 - 1))
}

// Roots returns the roots of the candidates' trees. Orders are rows; a tree node
// takes the smallest order there is.
func (s *nearestSearch) Roots() []search.Node {
	var roots []search.Node
	for _, label := range s.candidates {
		roots = append(roots, search.Node{Item: pack(stageTree, label, 0)})
	}
	return roots
}

func (s *nearestSearch) NewOpener() search.Opener {
	d := s.c.dim
	return &nearestOpener{s: s, z: make([]float64, d), a: make([]float64, d), to: make([]float64, 0, d), lengths: make([]float64, len(s.squared))}
}

// nearestOpener opens the nodes of one goroutine.
type nearestOpener struct {
	s        *nearestSearch
	children []search.Node
	z, a     []float64
	// The candidate that is being solved:
	id      int32
	point   []float64
	to      []float64 // what leads from X to it
	lengths []float64 // of its bisectors with the near rivals
	named   []int32   // rivals whose bisectors the solver has taken up
}

func (o *nearestOpener) Open(ctx context.Context, n search.Node, cutoff float64) (search.Opened, error) {
	o.children = o.children[:0]
	stage, label, index := unpack(n.Item)
	switch stage {
	case stageTree:
		o.openTree(n, label, index, cutoff)
	case stageRow:
		o.tighten(n, label, index, cutoff)
	default:
		return o.solve(ctx, n, index, cutoff)
	}
	return search.Opened{Children: o.children}, nil
}

// openTree bounds the two children of an inner node, or the rows of a leaf.
func (o *nearestOpener) openTree(n search.Node, label, index int, cutoff float64) {
	t := o.s.c.trees[label]
	node := t.Nodes[index]
	if node.Left != 0 {
		for child := int(node.Left); child <= int(node.Left)+1; child++ {
			bound := max(n.Bound, o.boundBox(t, child))
			o.push(bound, 0, pack(stageTree, label, child), cutoff)
		}
		return
	}
	x := o.s.q.X
	for i := int(node.First); i < int(node.End); i++ {
		p := t.Point(i)
		bound := n.Bound
		if len(o.s.squared) > 0 {
			length := dualDistance(o.s.q.Norm, o.s.rival(0), p)
			bound = max(bound, bisectorBound(nnindex.Squared(x, p), o.s.squared[0], length, o.s.c.dim))
		}
		id := int(t.IDs[i])
		o.push(bound, int64(id), pack(stageRow, label, id), cutoff)
	}
}

func (o *nearestOpener) push(bound float64, order, item int64, cutoff float64) {
	if bound <= cutoff {
		o.children = append(o.children, search.Node{Bound: bound, Order: order, Item: item})
	}
}

// tighten bounds a candidate by all near rivals.
func (o *nearestOpener) tighten(n search.Node, label, id int, cutoff float64) {
	p, _ := o.s.c.Row(id)
	cand := nnindex.Squared(o.s.q.X, p)
	bound := n.Bound
	for i, rival := range o.s.squared {
		if bound > cutoff {
			return
		}
		length := dualDistance(o.s.q.Norm, o.s.rival(i), p)
		bound = max(bound, bisectorBound(cand, rival, length, o.s.c.dim))
	}
	o.push(bound, n.Order, pack(stageBounded, label, id), cutoff)
}

// solve projects X on the set where candidate id beats every rival.
func (o *nearestOpener) solve(ctx context.Context, n search.Node, id int, cutoff float64) (search.Opened, error) {
	p, _ := o.s.c.Row(id)
	if o.s.beaten(p, id) {
		return search.Opened{}, nil
	}
	o.id, o.point, o.to, o.named = int32(id), p, appendDifference(o.to[:0], p, o.s.q.X), o.named[:0]
	for i := range o.lengths {
		o.lengths[i] = dualDistance(o.s.q.Norm, o.s.rival(i), p)
	}
	problem := polytope.Problem{
		Norm: o.s.q.Norm, X: o.s.q.X, Cutoff: math.Nextafter(cutoff, math.Inf(1)),
		Region: polytope.Polyhedron{Box: o.s.q.Domain, Rest: o},
	}
	fail := func(bound float64, err error) (search.Opened, error) {
		err = fmt.Errorf("classifier: 1-NN, training row %d: %w", id, err)
		return search.Opened{}, &search.Undecided{Bound: bound, Err: err}
	}
	sol, err := o.s.q.Solver.Closest(ctx, problem)
	if err != nil {
		return fail(sol.Bound, err)
	}
	switch sol.Status {
	case polytope.StatusStopped:
		return fail(sol.Bound, cellpoint.Stopped(ctx))
	case polytope.StatusInfeasible:
		// The solver takes the bisectors, which are rounded, as it is told. In too
		// many dimensions to do better that must do.
		if r := o.room(); !(math.IsInf(sol.Bound, 1) && !r.decidable()) && r.exists() {
			if math.IsInf(sol.Bound, 1) {
				sol.Bound = n.Bound
			}
			return fail(sol.Bound, errContradiction)
		}
		return search.Opened{Solves: 1}, nil
	case polytope.StatusCutoff:
		return search.Opened{Solves: 1}, nil
	}
	example, solves, err := o.witness(ctx, problem, sol.Point, id)
	answer := &search.Answer{Bound: max(n.Bound, sol.Bound), Order: n.Order, Example: example, Distance: math.Inf(1)}
	switch {
	case example != nil:
		answer.Distance = o.s.q.Norm.Distance(o.s.q.X, example)
	case err == nil:
		answer = nil // no interior
	case !thin(err):
		return fail(sol.Bound, err)
	}
	return search.Opened{Solves: 1 + solves, Answer: answer}, nil
}
