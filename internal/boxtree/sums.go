package boxtree

import (
	"context"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/bestfirst"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/climb"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/potentials"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// objective is what the sum is of whose largest is sought.
type objective interface {
	// bound returns what no sum of a box exceeds in which these leaves are the best of each tree.
	bound(leaves []int32) float64
	// example returns an input in a box of one cell, or of several in which all trees add the
	// same, and its sum, or +Inf for one that ends the search; false if no input of the region was
	// found in it.
	example(b grid.Box) (z []float64, sum float64, ok bool)
}

// finder is the search of the largest sum.
type finder struct {
	ball
	objective
	model  *Model
	leads  []trees.Lead // what local searches raise: the smallest of them
	base   float64      // of the sum
	gains  [][]float64  // by tree and node: see gainsOf
	slack  float64      // that sums have over those of real numbers at most
	others []sum        // which are not to be negative
	most   int          // nodes, 0 for no limit
	memory int          // for the potentials in the queue, in bytes

	queue bestfirst.Queue // the largest bound first
	nodes int
	bytes int       // of the potentials in the queue
	best  float64   // the largest sum known, −Inf if none
	found []float64 // that has it
	// the largest bound of what was given up: it holds real numbers, but no float64
	floor float64
	whole *potentials.Decomposition

	sweeper potentials.Sweeper
	climber *climb.Search
	chosen  []int32 // the best leaf of each tree
	meeting grid.Box
	common  common
}

// sum is one of the sums of the trees, over the real numbers.
type sum struct {
	base  float64
	gains [][]float64 // by tree and node: see gainsOf
	slack float64     // by how much the model's own sum may exceed it
}

func newFinder(m *Model, b ball, leads []trees.Lead, of sum, o objective) *finder {
	f := &finder{
		ball: b, objective: o, model: m, leads: leads, memory: mostBytes,
		base: of.base, gains: of.gains, slack: of.slack,
		best: math.Inf(-1), floor: math.Inf(-1), chosen: make([]int32, m.Len()),
	}
	f.climber = climb.New(&f.View, m.Ensemble, &m.uses, f.metric)
	return f
}

// sumNode is a box that has yet to be looked at more closely.
type sumNode struct {
	box        grid.Box
	bound      float64
	split      grid.Cut
	depth      int
	potentials *potentials.Decomposition // nil if there are none, or they were not kept
}

// run searches, and returns a bound on all sums.
func (s *finder) run(ctx context.Context) (bound float64) {
	s.climb(ctx, s.Domain, slices.Clone(s.At))
	s.whole = s.relax(ctx)
	root := &sumNode{box: slices.Clone(s.Domain), bound: math.Inf(1)}
	s.add(ctx, root, s.whole)
	for len(s.queue) > 0 {
		n := s.queue.Pop().State.(*sumNode)
		if n.potentials != nil {
			s.bytes -= n.potentials.Bytes()
		}
		if n.bound <= s.best {
			break
		}
		if ctx.Err() != nil || (s.most > 0 && s.nodes >= s.most) {
			return max(n.bound, s.best, s.floor)
		}
		s.nodes++
		s.open(ctx, n)
	}
	return max(s.best, s.floor)
}

// open looks at both halves of a node.
func (s *finder) open(ctx context.Context, n *sumNode) {
	of := n.potentials
	if of == nil {
		of = s.whole
	}
	f := n.split.Feature
	for _, half := range [...]grid.Span{
		{Lo: n.box[f].Lo, Hi: min(n.split.After, n.box[f].Hi)},
		{Lo: max(n.split.After+1, n.box[f].Lo), Hi: n.box[f].Hi},
	} {
		if half.Lo > half.Hi { // the box has shrunk since it was known where to split it
			continue
		}
		child := &sumNode{box: slices.Clone(n.box), bound: n.bound, depth: n.depth + 1}
		child.box[f] = half
		s.add(ctx, child, of)
	}
}

// add puts a node in the queue, unless it is solved or has nothing to offer.
func (s *finder) add(ctx context.Context, n *sumNode, of *potentials.Decomposition) {
	if !s.look(ctx, n, of) {
		return
	}
	if n.potentials != nil {
		if s.bytes+n.potentials.Bytes() > s.memory {
			n.potentials = nil // made again from those of the whole
		} else {
			s.bytes += n.potentials.Bytes()
		}
	}
	s.queue.Push(search.Node{Bound: -n.bound, Order: -int64(s.nodes), State: n})
}

// mostBytes is how much memory the potentials of nodes in the queue may take.
const mostBytes = 1 << 29

// look bounds a node, and says where to split it; false if it need not be opened.
func (s *finder) look(ctx context.Context, n *sumNode, of *potentials.Decomposition) bool {
	if !s.near(n.box) || s.fails(n.box) || !s.choose(n.box, s.gains) {
		return false
	}
	if n.bound = min(n.bound, s.bound(s.chosen)); n.bound <= s.best {
		return false
	}
	b, apart := s.meet(n.box)
	var open bool
	if n.split, open = b.Disjoint(); !open && apart >= 0 {
		n.split, open = grid.Cut{Feature: apart, After: n.box[apart].Middle()}, true
	}
	if !open {
		return s.solve(n, b)
	}
	if of == nil {
		return true
	}
	if !s.tighten(n, of) {
		return false
	}
	if n.depth%sumClimbEvery == 0 {
		cell := make([]int32, len(n.box))
		for f, peak := range s.sweeper.Peaks {
			cell[f] = min(max(s.At[f], peak.Lo), peak.Hi)
		}
		if s.climb(ctx, s.Domain, cell); n.bound <= s.best {
			return false
		}
	}
	return true
}

// sumClimbEvery is how many boxes lie in each other from one to the next in which a large sum is
// looked for.
const sumClimbEvery = 8

// fails reports whether another sum is negative everywhere in a box.
func (s *finder) fails(box grid.Box) bool {
	for i := range s.others {
		of := &s.others[i]
		if !s.choose(box, of.gains) {
			return true
		}
		total := of.base
		for t, leaf := range s.chosen {
			total += of.gains[t][leaf]
		}
		if total < -of.slack {
			return true
		}
	}
	return false
}

// solve solves a node by a box in which all best leaves meet. It returns true if it is to be split
// first: the box lies beyond the ball, has no float64 in it, or does not have what is sought.
func (s *finder) solve(n *sumNode, b grid.Box) bool {
	if !s.near(b) {
		n.split, _ = s.Toward(&s.metric, b, n.box)
		return true
	}
	sum, ok := s.take(b)
	if ok && sum >= n.bound {
		return false
	}
	var rest bool
	if n.split, rest = n.box.Outside(b); !rest && !ok && s.inhabited(b) {
		s.floor = max(s.floor, n.bound)
	}
	return rest
}

// take takes up the sum of a box of one cell, or of several in which all trees add the same. It
// returns false if no input of the region was found in it.
func (s *finder) take(b grid.Box) (sum float64, ok bool) {
	z, sum, ok := s.example(b)
	if ok && sum > s.best {
		s.best, s.found = sum, z
	}
	return sum, ok
}

// climb looks for a large sum in a box, from one of its cells on, which it moves.
func (s *finder) climb(ctx context.Context, within grid.Box, cell []int32) {
	enough := math.Inf(1)
	if s.others != nil {
		enough = 0
	}
	s.climber.Highest(ctx, s.leads, within, cell, s.radius, enough)
	b := make(grid.Box, len(cell))
	for f, interval := range cell {
		b[f] = grid.Span{Lo: interval, Hi: interval}
	}
	s.take(b)
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

// tighten gives a node potentials of its own, made from those of what it is a part of, lowers
// its bound and says where to split it. It returns false once the node has nothing to offer.
func (s *finder) tighten(n *sumNode, of *potentials.Decomposition) bool {
	stop := potentials.Stop{Goal: s.best - s.slack, Sweeps: mostSumSweeps}
	d := s.sweeper.Narrow(of, n.box, 0, stop.Goal)
	if d == nil {
		return false
	}
	n.box = d.Box()
	if n.depth == 0 {
		stop.Sweeps = rootSweeps
	}
	sum, _, _ := s.sweeper.Improve(d, stop)
	n.split, n.potentials = orElse(s.sweeper.Split, n.split), d
	n.bound = min(n.bound, sum+s.slack)
	return n.bound > s.best
}

// mostSumSweeps is how often a node is swept at most, but the first.
const mostSumSweeps = 5
