package boxproof

import (
	"math"
	"slices"
	"strconv"

	"github.com/seed-1a7dc1f9/facet/internal/potentials"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/slots"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Forest is trees that vote, and their grid.
type Forest struct {
	*trees.Sums
	*slots.Grid
}

// relaxed writes the tree of a label with potentials for one of its leads: depth first, by what
// lies within the bound of a proof.
type relaxed struct {
	*Writer
	Forest
	leads   []trees.Lead // of the label, that of the potentials first
	goal    float64      // from which on it may be won
	sweeper potentials.Sweeper
	failed  bool
}

// Relaxed writes the tree of a label, which has these leads, with potentials for the first. They
// are in ℓ∞ only, in which all leaves that meet the root box are near. It returns false if that
// cannot be proven.
func (w *Writer) Relaxed(f Forest, leads []trees.Lead) bool {
	l, whole := &leads[0], make([]potentials.Span, len(w.box))
	for j, s := range w.box {
		whole[j] = potentials.Span{Lo: s.lo, Hi: s.hi}
	}
	d := f.decompose(l, whole)
	if d == nil {
		return false
	}
	limit, ok := f.Limit(l, d.Unit())
	if !ok {
		return false
	}
	r := relaxed{Writer: w, Forest: f, leads: leads, goal: limit}
	w.label(strconv.Itoa(l.Label)+" "+strconv.Itoa(l.Rival),
		func() { r.part(d, whole, rootSweeps) })
	return !r.failed
}

// A part is swept at most so often, until a sweep gains less than a share of what is missing. A
// half counts as losing at least a share of it.
const (
	mostSweeps, rootSweeps = 8, 30
	leastGain, leastLoss   = 0.05, 0.001
)

// part writes the tree of a part of a box, in which potentials are known.
func (r *relaxed) part(d *potentials.Decomposition, box []potentials.Span, sweeps int) {
	if r.failed || r.ctx.Err() != nil || r.lost(box) {
		r.Leaf()
		return
	}
	if d = r.sweeper.Narrow(d, box, 0, r.goal); d == nil {
		r.sweep(0)
		r.Leaf()
		return
	}
	r.sweeper.Prepare(d)
	done, lead := 0, d.Lead(0)
	for before := math.Inf(1); lead >= r.goal && done < sweeps &&
		before-lead >= leastGain*(lead-r.goal); done++ {
		before = lead
		r.sweeper.Sweep(d, leastLoss*(lead-r.goal))
		lead = d.Lead(0)
	}
	r.sweep(done)
	split := r.sweeper.Split
	switch {
	case lead < r.goal:
		r.Leaf()
	case d.Decided():
		r.failed = !r.evaluated(d.Box())
		r.Leaf()
	default:
		whole := d.Box()[split.Feature]
		r.split(split.Feature, split.Slot-whole.Lo)
		for _, half := range [...]potentials.Span{
			{Lo: whole.Lo, Hi: split.Slot}, {Lo: split.Slot + 1, Hi: whole.Hi},
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
func (r *relaxed) lost(box []potentials.Span) bool {
	for i := range r.leads[1:] {
		l := &r.leads[1+i]
		sum := l.Base
		for t := range r.Trees {
			sum += r.best(t, 0, box, l)
		}
		if sum < -l.Slack {
			return true
		}
	}
	return false
}

// best returns the greatest gain of the leaves of a tree below a node that meet a box.
func (r *relaxed) best(t int, i int32, box []potentials.Span, l *trees.Lead) float64 {
	n := &r.Trees[t].Nodes[i]
	if n.Feature < 0 {
		return l.Gain(r.Value(t, int(i)))
	}
	most := math.Inf(-1)
	if box[n.Feature].Lo <= n.Cut {
		most = r.best(t, n.Left, box, l)
	}
	if box[n.Feature].Hi > n.Cut {
		most = max(most, r.best(t, n.Right, box, l))
	}
	return most
}

// evaluated reports whether a proof can tell that a box in one leaf of each tree does not answer.
func (r *relaxed) evaluated(box []potentials.Span) bool {
	cell, sum := make([]int32, len(box)), slices.Clone(r.Vote.Base)
	for f, s := range box {
		cell[f] = s.Lo
	}
	leaf := func(t int) int { return int(r.Trees[t].Leaf(cell)) }
	for t := range r.Trees {
		r.Add(sum, t, leaf(t))
	}
	value := func(t int) []float64 { return r.Value(t, leaf(t)) }
	return r.Loses(r.leads[0].Label, sum) ||
		slices.ContainsFunc(r.leads, func(l trees.Lead) bool { return r.Lost(&l, value) })
}

// decompose returns the decomposition of a lead within a box; nil if there is none.
func (f Forest) decompose(l *trees.Lead, whole []potentials.Span) *potentials.Decomposition {
	g := gathering{Forest: f, lead: l, whole: whole, now: slices.Clone(whole)}
	first := []int32{0}
	for t := range f.Trees {
		g.visit(t, 0)
		first = append(first, int32(len(g.leaves)))
	}
	base := 0.0
	if f.Vote.Rule != trees.Hard {
		base = above(f.Vote.Base, l)
	}
	return potentials.New(whole, base, g.leaves, first)
}

// above returns the difference of two labels, rounded up.
func above(value []float64, l *trees.Lead) float64 {
	return -precise.SubDown(value[l.Rival], value[l.Label])
}

// gathering collects the leaves that meet a box.
type gathering struct {
	Forest
	lead       *trees.Lead
	whole, now []potentials.Span
	leaves     []potentials.Leaf
}

func (g *gathering) visit(t int, i int32) {
	n := &g.Trees[t].Nodes[i]
	if n.Feature < 0 {
		leaf := potentials.Leaf{Gain: above(g.Value(t, int(i)), g.lead)}
		for f, s := range g.now {
			if s != g.whole[f] {
				leaf.Sides = append(leaf.Sides, potentials.Side{Feature: int32(f), Span: s})
			}
		}
		g.leaves = append(g.leaves, leaf)
		return
	}
	s := &g.now[n.Feature]
	whole := *s
	if whole.Lo <= n.Cut {
		s.Hi = min(whole.Hi, n.Cut)
		g.visit(t, n.Left)
		s.Hi = whole.Hi
	}
	if whole.Hi > n.Cut {
		s.Lo = max(whole.Lo, n.Cut+1)
		g.visit(t, n.Right)
		s.Lo = whole.Lo
	}
}
