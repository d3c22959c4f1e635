package boxproof

import (
	"slices"
	"strconv"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/potentials"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Refutation asks for a tree which shows that no input in the boxes of a forest wins by the margins
// that are asked about. Functions may be nil: then their conditions do not exist.
type Refutation struct {
	grid.Forest
	Root    grid.Box
	Margins []trees.Margin // one is lost where no input answers; potentials are of the first
	// Limit returns the least multiple of a unit at which the first margin is not lost.
	Limit func(unit float64) (limit float64, ok bool)
	// Lost reports whether the first margin is, with these gains. Without it there is no tree but
	// one with potentials.
	Lost func(gains []float64) bool
	// Evaluated reports whether a proof can tell that no input in a box in one leaf of each tree
	// wins.
	Evaluated func(b grid.Box) bool
	Near      func(b grid.Box) bool             // leaves count with this box, within the root
	Vacant    func(b grid.Box) bool             // it has no inputs
	Split     func(b grid.Box) (grid.Cut, bool) // a cut to be made before all others
	Rests     bool                              // trees without gains have no potentials
	Plain     bool                              // there are none at all
	// Rank returns how many intervals of the proof a span has up to one of its own.
	Rank func(feature int32, s grid.Span, after int32) int32
	Most int // parts, 0 for no limit
}

// answer writes the tree of a question, depth first, within the bound of a proof.
type answer struct {
	*Writer
	*Refutation
	goal    float64 // from which on the first margin may be won
	sweeper potentials.Sweeper
	gains   []float64
	parts   int
	failed  bool
}

// Answer writes the tree of a question after the lines of begin: with potentials, which are in ℓ∞
// only, in which all leaves that meet the root box are near, or without, where the first margin
// has none. It returns false if that cannot be proven.
func (w *Writer) Answer(q *Refutation, begin func(swept bool)) bool {
	a := answer{Writer: w, Refutation: q, gains: make([]float64, len(q.Trees))}
	d := a.decompose()
	ok := false
	if d != nil {
		a.goal, ok = q.Limit(d.Unit())
	}
	if !ok && q.Lost == nil {
		return false
	}
	if begin(ok); ok {
		a.part(d, slices.Clone(q.Root), rootSweeps)
	} else {
		a.plain(slices.Clone(q.Root))
	}
	w.w.WriteByte('\n')
	return !a.failed
}

// A part is swept at most so often, the first one oftener.
const mostSweeps, rootSweeps = 8, 30

// closed writes a leaf if a box needs no more.
func (a *answer) closed(box grid.Box, first int) bool {
	a.parts++
	a.failed = a.failed || (a.Most > 0 && a.parts > a.Most)
	closed := a.failed || a.ctx.Err() != nil || a.empty(box) || a.lost(box, first)
	if closed {
		a.Leaf()
	}
	return closed
}

func (a *answer) empty(box grid.Box) bool { return a.Vacant != nil && a.Vacant(box) }

// forced writes a cut that comes before all others, and both parts.
func (a *answer) forced(box grid.Box, part func(box grid.Box)) bool {
	if a.Split == nil {
		return false
	}
	cut, ok := a.Split(box)
	if ok {
		a.halve(box, cut, part)
	}
	return ok
}

// halve writes a split, and both parts.
func (a *answer) halve(box grid.Box, cut grid.Cut, part func(box grid.Box)) {
	whole := box[cut.Feature]
	rank := cut.After - whole.Lo
	if a.Rank != nil {
		rank = a.Rank(cut.Feature, whole, cut.After)
	}
	a.split(cut.Feature, rank)
	low, high := whole.Split(cut.After)
	for _, half := range [...]grid.Span{low, high} {
		box := slices.Clone(box)
		box[cut.Feature] = half
		part(box)
	}
}

// part writes the tree of a part of a box, in which potentials are known.
func (a *answer) part(d *potentials.Decomposition, box grid.Box, sweeps int) {
	if a.closed(box, 1) || a.forced(box, func(box grid.Box) { a.part(d, box, sweeps) }) {
		return
	}
	if d = a.sweeper.Narrow(d, box, 0, a.goal); d == nil || a.empty(d.Box()) {
		a.sweep(0)
		a.Leaf()
		return
	}
	now := a.sweeper.Improve(d, potentials.Stop{Goal: a.goal, Sweeps: sweeps})
	a.sweep(now.Sweeps)
	switch {
	case now.Lost:
		a.Leaf()
	case d.Decided():
		if box = d.Box(); a.Rests && a.closed(box, 0) {
			return
		}
		a.decided(box, func(box grid.Box) { a.part(d, box, mostSweeps) })
	default:
		a.halve(d.Box(), now.Split, func(box grid.Box) { a.part(d, box, mostSweeps) })
	}
}

// sweep writes the token of some sweeps.
func (a *answer) sweep(count int) { a.w.WriteString("*" + strconv.Itoa(count)) }

// plain writes the tree of a box without potentials.
func (a *answer) plain(box grid.Box) {
	if a.closed(box, 0) || a.forced(box, a.plain) {
		return
	}
	a.decided(box, a.plain)
}

// decided writes the leaf of a box in one leaf of each tree, or parts the box by a test of a
// tree of which it is not: one that rests, or that there are no potentials for.
func (a *answer) decided(box grid.Box, part func(box grid.Box)) {
	for t := range a.Trees {
		if cut, ok := a.parting(&a.Trees[t], box); ok {
			a.halve(box, cut, part)
			return
		}
	}
	a.failed = !a.Evaluated(box)
	a.Leaf()
}

// parting returns a cut of a test of a tree that parts a box; false if all of it is in one leaf.
func (a *answer) parting(t *grid.Tree, box grid.Box) (grid.Cut, bool) {
	i := int32(0)
	for n := &t.Nodes[0]; n.Feature >= 0; n = &t.Nodes[i] {
		span := box[n.Feature]
		left := a.Grid.Left(n, span.Lo)
		for s := span.Lo; s < span.Hi; s++ {
			if a.Grid.Left(n, s+1) != left {
				return grid.Cut{Feature: n.Feature, After: s}, true
			}
		}
		if i = n.Right; left {
			i = n.Left
		}
	}
	return grid.Cut{}, false
}

// lost reports whether a box is lost by a margin, from some number on: those before have
// potentials.
func (a *answer) lost(box grid.Box, first int) bool {
	for i := first; i < len(a.Margins); i++ {
		l := &a.Margins[i]
		sum := l.Base
		for t := range a.Trees {
			a.gains[t] = a.Forest.Most(&a.Trees[t], 0, box, l)
			sum += a.gains[t]
		}
		if sum < -l.Slack || (i == 0 && a.Lost(a.gains)) {
			return true
		}
	}
	return false
}

// decompose returns the decomposition of the first margin within the root box; nil if there is
// none.
func (a *answer) decompose() *potentials.Decomposition {
	if a.Plain || a.HasSets() {
		return nil // potentials know spans of intervals alone
	}
	l := &a.Margins[0]
	gain := func(t int, leaf int32) float64 { return above(a.Value(t, int(leaf)), l) }
	g := potentials.Gathering{Box: slices.Clone(a.Root), Near: a.Near, Gain: gain}
	for t := range a.Trees {
		kept := len(g.Leaves)
		g.Add(&a.Trees[t])
		adds := func(l potentials.Leaf) bool { return l.Gain != 0 }
		if a.Rests && !slices.ContainsFunc(g.Leaves[kept:], adds) {
			g.Leaves, g.First = g.Leaves[:kept], g.First[:len(g.First)-1]
		}
	}
	base := 0.0
	if !a.Vote.Counts() {
		base = above(a.Vote.Base, l)
	}
	return potentials.New(g.Box, base, g.Leaves, g.First)
}

// above returns the difference of two labels, rounded up.
func above(value []float64, l *trees.Margin) float64 {
	return precise.SubUp(value[l.Label], value[l.Rival])
}
