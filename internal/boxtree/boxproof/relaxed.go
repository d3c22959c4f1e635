package boxproof

import (
	"slices"
	"strconv"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/potentials"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// relaxed writes the tree of a label with potentials for one of its leads: depth first, by what
// lies within the bound of a proof.
type relaxed struct {
	*Writer
	grid.Forest
	leads   []trees.Lead // of the label, that of the potentials first
	vacant  func(b grid.Box) bool
	goal    float64 // from which on it may be won
	sweeper potentials.Sweeper
	failed  bool
}

// Relaxed writes the tree of a label, which has these leads, with potentials for the first. They
// are in ℓ∞ only, in which all leaves that meet the root box are near. It returns false if that
// cannot be proven. A box is vacant where intervals of categories have no input nearer than the
// bound.
func (w *Writer) Relaxed(
	f grid.Forest, leads []trees.Lead, vacant func(b grid.Box) bool,
) bool {
	l, whole := &leads[0], slices.Clone(w.box)
	d := decompose(f, l, whole)
	if d == nil {
		return false
	}
	limit, ok := f.Limit(l, d.Unit())
	if !ok {
		return false
	}
	r := relaxed{Writer: w, Forest: f, leads: leads, vacant: vacant, goal: limit}
	w.label(strconv.Itoa(l.Label)+" "+strconv.Itoa(l.Rival),
		func() { r.part(d, whole, rootSweeps) })
	return !r.failed
}

// A part is swept at most so often, the first one oftener.
const mostSweeps, rootSweeps = 8, 30

// part writes the tree of a part of a box, in which potentials are known.
func (r *relaxed) part(d *potentials.Decomposition, box grid.Box, sweeps int) {
	if r.failed || r.ctx.Err() != nil || r.vacant(box) || r.lost(box) {
		r.Leaf()
		return
	}
	if d = r.sweeper.Narrow(d, box, 0, r.goal); d == nil || r.vacant(d.Box()) {
		r.sweep(0)
		r.Leaf()
		return
	}
	_, done, lost := r.sweeper.Improve(d, potentials.Stop{Goal: r.goal, Sweeps: sweeps})
	r.sweep(done)
	split := r.sweeper.Split
	switch {
	case lost:
		r.Leaf()
	case d.Decided():
		r.failed = !r.evaluated(d.Box())
		r.Leaf()
	default:
		whole := d.Box()[split.Feature]
		r.split(split.Feature, split.After-whole.Lo)
		for _, half := range [...]grid.Span{
			{Lo: whole.Lo, Hi: split.After}, {Lo: split.After + 1, Hi: whole.Hi},
		} {
			box := slices.Clone(d.Box())
			box[split.Feature] = half
			r.part(d, box, mostSweeps)
		}
	}
}

// sweep writes the token of some sweeps.
func (r *relaxed) sweep(count int) { r.w.WriteString("*" + strconv.Itoa(count)) }

// lost reports whether a box is lost by another lead, which has no potentials.
func (r *relaxed) lost(box grid.Box) bool {
	for i := range r.leads[1:] {
		l := &r.leads[1+i]
		sum := l.Base
		for t := range r.Trees {
			sum += r.Most(&r.Trees[t], 0, box, l)
		}
		if sum < -l.Slack {
			return true
		}
	}
	return false
}

// evaluated reports whether a proof can tell that a box in one leaf of each tree does not answer.
func (r *relaxed) evaluated(box grid.Box) bool {
	cell, sum := make([]int32, len(box)), slices.Clone(r.Vote.Base)
	for f, s := range box {
		cell[f] = s.Lo
	}
	leaf := func(t int) int { return int(r.Grid.Leaf(&r.Trees[t], cell)) }
	for t := range r.Trees {
		r.Add(sum, t, leaf(t))
	}
	value := func(t int) []float64 { return r.Value(t, leaf(t)) }
	return r.Loses(r.leads[0].Label, sum) ||
		slices.ContainsFunc(r.leads, func(l trees.Lead) bool { return r.Lost(&l, value) })
}

// decompose returns the decomposition of a lead within a box; nil if there is none.
func decompose(f grid.Forest, l *trees.Lead, whole grid.Box) *potentials.Decomposition {
	g := potentials.Gathering{Box: whole, Gain: func(t int, leaf int32) float64 {
		return above(f.Value(t, int(leaf)), l)
	}}
	for t := range f.Trees {
		g.Add(&f.Trees[t])
	}
	base := 0.0
	if !f.Vote.Counts() {
		base = above(f.Vote.Base, l)
	}
	return potentials.New(whole, base, g.Leaves, g.First)
}

// above returns the difference of two labels, rounded up.
func above(value []float64, l *trees.Lead) float64 {
	return -precise.SubDown(value[l.Rival], value[l.Label])
}
