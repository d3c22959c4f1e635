package boxtree

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/bestfirst"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/climb"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/potentials"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// objective is the quantity to maximise: a number that the sums of an input come to.
type objective interface {
	// assess lowers the bound of a node by the best leaf of each tree, which it returns; nil if no
	// input of the box comes into question.
	assess(n *sumNode) (best []int32)
	// example returns an input in a box of one cell, or of several in which all trees add the
	// same, and its number, or +Inf for one that ends the search; false if no input of the region
	// was found in it.
	example(b grid.Box) (z []float64, value float64, ok bool)
	// ascend moves a cell to where the number is large.
	ascend(ctx context.Context, cell []int32)
}

// finder is the search of the largest number of an objective.
type finder struct {
	ball
	objective
	model     *Model
	sum               // that is no less than the number, for potentials
	shortfall float64 // by how much the number of an example may fall short of that of real vectors
	most      int     // nodes, 0 for no limit
	memory    int     // for the potentials in the queue, in bytes
	room      int     // nodes in the queue

	queue     bestfirst.Queue // the largest bound first
	nodes     int
	incumbent float64   // the largest number known, −Inf if none
	found     []float64 // that has it
	// the largest bound of the parts that were given up: it holds real numbers, but no float64
	floor float64
	// the largest bound of those that there was no memory for: lower ones do not matter
	dropped float64
	whole   *potentials.Decomposition

	sweeper potentials.Sweeper
	climber *climb.Search
	best    []int32 // memory of choose
	meeting grid.Meeting
}

// sum is one of the sums of the trees, over the real numbers.
type sum struct {
	base  float64
	gains [][]float64 // by tree and node: see gainsOf
	slack float64     // by how much the model's own sum may exceed it
}

// of returns the sum of a leaf of each tree.
func (s *sum) of(leaves []int32) float64 {
	total := s.base
	for t, leaf := range leaves {
		total += s.gains[t][leaf]
	}
	return total
}

func newFinder(m *Model, q *SumQuery) (*finder, error) {
	b, err := newBall(&m.grid, &q.Region)
	if err != nil {
		return nil, err
	}
	f := &finder{
		ball: b, model: m, most: q.Nodes, incumbent: math.Inf(-1), floor: math.Inf(-1),
		dropped: math.Inf(-1), best: make([]int32, m.Len()),
	}
	f.memory = cmp.Or(q.Bytes, mostBytes) / 2
	f.room = max(2, f.memory/(nodeBytes+spanBytes*len(f.Domain)))
	if q.Beyond != nil {
		f.incumbent = *q.Beyond
	}
	f.climber = climb.New(&f.View, m.Ensemble, &m.uses, f.metric)
	return f, nil
}

// sumNode is a box that has yet to be looked at more closely.
type sumNode struct {
	box        grid.Box
	bound      float64
	split      grid.Cut
	depth      int
	potentials *potentials.Decomposition // nil if there are none; in the queue they are a cache
}

// run searches, and returns a bound on all numbers.
func (s *finder) run(ctx context.Context) (bound float64) {
	s.climb(ctx, slices.Clone(s.At))
	s.add(ctx, &sumNode{box: slices.Clone(s.Domain), bound: math.Inf(1)}, nil)
	for s.queue.Len() > 0 {
		first := s.queue.Pop()
		n := first.State.(*sumNode)
		if c := first.Cache; c != nil {
			n.potentials = c.Value.(*potentials.Decomposition)
		}
		if n.bound <= max(s.incumbent+s.shortfall, s.dropped) || ctx.Err() != nil ||
			(s.most > 0 && s.nodes >= s.most) {
			return max(n.bound, s.incumbent, s.floor, s.dropped)
		}
		s.nodes++
		s.open(ctx, n)
	}
	return max(s.incumbent, s.floor, s.dropped)
}

// open looks at both halves of a node.
func (s *finder) open(ctx context.Context, n *sumNode) {
	of := n.potentials
	if of == nil {
		of = s.whole // of which those of halves are made again
	}
	f := n.split.Feature
	low, high := n.box[f].Split(n.split.After)
	for _, half := range [...]grid.Span{low, high} {
		if half.Lo > half.Hi { // the box has shrunk since it was known where to split it
			continue
		}
		child := &sumNode{box: slices.Clone(n.box), bound: n.bound, depth: n.depth + 1}
		child.box[f] = half
		s.add(ctx, child, of)
	}
}

// add puts a node in the queue, unless it is solved or cannot raise the best sum.
func (s *finder) add(ctx context.Context, n *sumNode, of *potentials.Decomposition) {
	if !s.look(ctx, n, of) {
		return
	}
	waiting := search.Node{Bound: -n.bound, Order: -int64(s.nodes), State: n}
	if d := n.potentials; d != nil {
		waiting.Cache, n.potentials = &search.Cache{Bytes: d.Bytes(), Value: d}, nil
	}
	s.queue.Push(waiting)
	s.queue.DropCaches(s.memory)
	if s.queue.Len() > s.room { // half of them are given up, which would be opened last
		s.queue.Keep(s.queue.Len()/2, func(n search.Node) { s.dropped = max(s.dropped, -n.Bound) })
	}
}

// mostBytes is how much memory the nodes in the queue may take, and nodeBytes and spanBytes the
// memory of one, and of each side of its box.
const mostBytes, nodeBytes, spanBytes = 1 << 30, 200, 8

// look bounds a node, and says where to split it; false if it need not be opened. Inherited
// potentials come first: they drop many nodes, and make boxes smaller, some of them too far.
func (s *finder) look(ctx context.Context, n *sumNode, of *potentials.Decomposition) bool {
	if !s.near(n.box) || (of != nil && !(s.tighten(n, of) && s.near(n.box))) {
		return false
	}
	best := s.assess(n)
	if best == nil || n.bound <= s.incumbent {
		return false
	}
	m := s.meet(n.box, best)
	cut, open := m.Border()
	if last := len(m.SetsDisjoint) - 1; !open && last >= 0 {
		f := m.SetsDisjoint[last]
		cut, open = grid.Cut{Feature: f, After: n.box[f].Middle()}, true
	}
	if !open {
		return s.solve(n, m.Box)
	}
	if n.depth == 0 {
		if s.whole = s.relax(ctx); s.whole != nil && !s.tighten(n, s.whole) {
			return false
		}
	}
	if n.potentials == nil {
		n.split = cut
		return true
	}
	n.split = orElse(n.split, cut)
	if n.depth%sumClimbEvery == 0 {
		s.climb(ctx, s.sweeper.Peak(s.At))
	}
	return n.bound > s.incumbent
}

// sumClimbEvery is how many boxes lie in each other from one to the next in which a large sum is
// looked for.
const sumClimbEvery = 8

// solve solves a node by a box in which all best leaves meet. It returns true if it is to be split
// first: the box lies beyond the ball, has no float64 in it, or its number is less than the bound
// of the node.
func (s *finder) solve(n *sumNode, b grid.Box) bool {
	if !s.near(b) {
		n.split, _ = s.Toward(&s.metric, b, n.box)
		return true
	}
	value, ok := s.take(b)
	if ok && value >= n.bound {
		return false
	}
	var rest bool
	switch n.split, rest = n.box.Outside(b); {
	case rest:
	case ok:
		s.floor = max(s.floor, min(n.bound, value+s.shortfall))
	case s.inhabited(b):
		s.floor = max(s.floor, n.bound)
	}
	return rest
}

// take takes up the number of a box of one cell, or of several in which all trees add the same. It
// returns false if no input of the region was found in it.
func (s *finder) take(b grid.Box) (value float64, ok bool) {
	z, value, ok := s.example(b)
	if ok && value > s.incumbent {
		s.incumbent, s.found = value, z
	}
	return value, ok
}

// climb looks for a large number from a cell on, which it moves.
func (s *finder) climb(ctx context.Context, cell []int32) {
	s.ascend(ctx, cell)
	s.take(grid.At(cell))
}

// raise moves a cell to where the smallest of some margins is large, or more than enough.
func (s *finder) raise(ctx context.Context, margins []trees.Margin, cell []int32, enough float64) {
	s.climber.Highest(ctx, margins, s.Domain, cell, s.radius, enough)
}

// relax returns the decomposition of the sum over the whole region, with potentials of zero;
// nil if the gains cannot be counted, or ctx ends.
func (s *finder) relax(ctx context.Context) *potentials.Decomposition {
	if s.HasSets() {
		return nil // potentials know spans of intervals alone
	}
	g := potentials.Gathering{
		Box: s.Domain, Gain: func(t int, leaf int32) float64 { return s.gains[t][leaf] },
	}
	if s.round {
		g.Near = s.near
	}
	for t := range s.Trees {
		if ctx.Err() != nil {
			return nil
		}
		g.Add(&s.Trees[t])
	}
	d := potentials.New(slices.Clone(s.Domain), s.base, g.Leaves, g.First)
	if d == nil {
		return nil
	}
	return s.sweeper.Narrow(d, s.Domain, 0, math.Inf(-1)) // trees of one leaf do not count any more
}

// tighten gives a node potentials of its own, made from those of the node that it is a part of,
// lowers its bound and says where to split it. It returns false once no input of the node can be
// better than the incumbent.
func (s *finder) tighten(n *sumNode, of *potentials.Decomposition) bool {
	stop := potentials.Stop{Goal: s.incumbent - s.slack, Sweeps: mostSumSweeps}
	d := s.sweeper.Narrow(of, n.box, 0, stop.Goal)
	if d == nil {
		return false
	}
	n.box = d.Box()
	if n.depth == 0 {
		stop.Sweeps = rootSweeps
	}
	now := s.sweeper.Improve(d, stop)
	n.split, n.potentials = now.Split, d
	n.bound = min(n.bound, now.Margin+s.slack)
	return n.bound > s.incumbent
}

// mostSumSweeps is how often a node is swept at most, but the first.
const mostSumSweeps = 10
