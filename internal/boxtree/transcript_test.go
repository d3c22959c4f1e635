package boxtree

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/testing/transcript"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// written is a search that is written down.
type written struct {
	strings.Builder
	*boxSearch
	opener *opener
}

// TestTranscript compares the steps of small searches with those recorded.
func TestTranscript(t *testing.T) {
	stump := func(feature int, threshold, left, right float64) *trees.Axis {
		nodes := []trees.Node{
			{Feature: feature, Threshold: threshold, Left: 1, Right: 2, Value: []float64{1, 1}},
			{Left: -1, Right: -1, Value: []float64{1 - left, left}},
			{Left: -1, Right: -1, Value: []float64{1 - right, right}},
		}
		tree, err := trees.NewAxis(2, trees.AtMostFloat64, len(nodes), func(i int) trees.Node { return nodes[i] })
		if err != nil {
			t.Fatal(err)
		}
		return tree
	}
	model, err := NewModel([]*trees.Axis{stump(0, 1, 0, 1), stump(1, 2, 0, 1), stump(0, -1.5, 1, 0)}, trees.Vote{Rule: trees.Hard})
	if err != nil {
		t.Fatal(err)
	}
	s := New(model, search.Query{X: []float64{0, 0}, Target: -1, Norm: polytope.L1}).(*boxSearch)
	w := &written{boxSearch: s, opener: s.NewOpener().(*opener)}
	fmt.Fprintln(w, "Three trees vote; X = (0, 0) is labelled 0. How far is label 1 in ℓ1?")
	w.grid()
	w.run(t)
	transcript.Compare(t, filepath.Join("testdata", "three_trees.txt"), w.String())
}

// grid writes the trees and their borders.
func (w *written) grid() {
	for t, tree := range w.model.Trees {
		fmt.Fprintf(w, "  tree %d: label %d if %s, else %d\n", t, tree.Labels[1], w.border(tree.Feature(0), tree.Border(0)), tree.Labels[2])
	}
	fmt.Fprintln(w, "\nThe grid")
	for f, borders := range w.borders {
		var ends []string
		for _, b := range borders {
			ends = append(ends, w.border(f, b))
		}
		fmt.Fprintf(w, "  x%d: borders %s; slots 0 to %d, X in slot %d\n", f, strings.Join(ends, ", "), len(borders), w.at[f])
	}
}

func (w *written) border(f int, b trees.Border) string {
	if b.Closed {
		return fmt.Sprintf("x%d ≤ %v", f, b.End)
	}
	return fmt.Sprintf("x%d < %v", f, b.End)
}

// run opens nodes, the nearest first, until an answer comes before them.
func (w *written) run(t *testing.T) {
	open, cutoff := w.Roots(), math.Inf(1)
	var best *search.Answer
	for step := 0; len(open) > 0; step++ {
		slices.SortFunc(open, func(a, b search.Node) int {
			if search.Before(a.Bound, a.Order, b.Bound, b.Order) {
				return -1
			}
			return 1
		})
		n := open[0]
		if best != nil && search.Before(best.Bound, best.Order, n.Bound, n.Order) {
			break
		}
		open = open[1:]
		opened, err := w.opener.Open(t.Context(), n, cutoff)
		if err != nil {
			t.Fatal(err)
		}
		if p := n.State.(*part); p == nil {
			w.root(opened)
		} else {
			fmt.Fprintf(w, "\nStep %d: open %s, bound %.4g, at %s\n", step, w.part(p), n.Bound, w.cut(p.split, false))
			for _, beyond := range []bool{false, true} {
				w.half(n, p, beyond, cutoff, opened.Children)
			}
			w.answer(opened.Answer)
		}
		open = append(open, opened.Children...)
		if best = earlier(best, opened.Answer); best != nil {
			cutoff = best.Bound
		}
	}
	fmt.Fprintf(w, "\nNothing nearer is open: the distance is %.4g.\n", best.Bound)
}

// root writes what opening the root brought: the local search's answer, the choices within
// it, and the first part.
func (w *written) root(opened search.Opened) {
	fmt.Fprintln(w, "\nStep 0: open the root")
	w.answer(opened.Answer)
	for _, child := range opened.Children {
		p := child.State.(*part)
		fmt.Fprintf(w, "  leaves within %.4g, and what each adds to the lead of label 1, which is %v without them:\n", opened.Answer.Bound, p.choices.base[0])
		for g := range p.choices.groups() {
			for i := p.choices.first[g]; i < p.choices.first[g+1]; i++ {
				fmt.Fprintf(w, "    group %d: %-13s at %v adds %+v\n", g, w.sides(p.choices.sidesOf(i)), p.choices.reaches[i], p.choices.gain(i, 0))
			}
		}
		fmt.Fprintf(w, "  all of it: bound %.4g, to be split at %s\n", child.Bound, w.cut(p.split, false))
	}
}

// half writes what became of one half of a part, looking at it once more.
func (w *written) half(n search.Node, p *part, beyond bool, cutoff float64, children []search.Node) {
	o, r := w.opener, &w.opener.region
	r.load(p)
	r.narrow(&part{parent: p, cut: p.split, beyond: beyond})
	r.part = nil // the next load starts anew
	reach := r.reach()
	x, ok := o.lastCrossing(o.targets[n.Item], reach, max(n.Bound, r.choices.metric.distance(reach)), cutoff)
	fmt.Fprintf(w, "  %s: ", w.cut(p.split, beyond))
	if !ok {
		fmt.Fprintf(w, "no leaves within %.4g can win. Closed.\n", cutoff)
		return
	}
	fmt.Fprintf(w, "from %.4g on could win %s", x.radius, w.best(x))
	for _, child := range children {
		if half := child.State.(*part); half.beyond == beyond {
			fmt.Fprintf(w, ". To be split at %s.\n", w.cut(half.split, false))
			return
		}
	}
	fmt.Fprintln(w, ", which meet there. Closed.")
}

// best writes the choices of a crossing.
func (w *written) best(x crossing) string {
	var all []string
	for _, i := range x.best {
		all = append(all, w.sides(w.opener.region.choices.sidesOf(i)))
	}
	return strings.Join(all, ", ")
}

func (w *written) answer(a *search.Answer) {
	if a != nil {
		fmt.Fprintf(w, "  answer (%.3g, %.3g), at %.4g\n", a.Example[0], a.Example[1], a.Bound)
	}
}

// part writes the conditions of a part.
func (w *written) part(p *part) string {
	var cuts []string
	for ; p.parent != nil; p = p.parent {
		cuts = append(cuts, w.cut(p.cut, p.beyond))
	}
	if len(cuts) == 0 {
		return "all of it"
	}
	slices.Reverse(cuts)
	return strings.Join(cuts, ", ")
}

func (w *written) cut(c cut, beyond bool) string {
	b := w.borders[c.feature][c.slot]
	if beyond == b.Closed {
		return fmt.Sprintf("x%d %s %v", c.feature, map[bool]string{false: "<", true: ">"}[beyond], b.End)
	}
	return fmt.Sprintf("x%d %s %v", c.feature, map[bool]string{false: "≤", true: "≥"}[beyond], b.End)
}

// sides writes the sides of a choice.
func (w *written) sides(sides []side) string {
	var all []string
	for _, s := range sides {
		if s.lo > 0 {
			all = append(all, w.cut(cut{s.feature, s.lo - 1}, true))
		}
		if int(s.hi) < len(w.borders[s.feature]) {
			all = append(all, w.cut(cut{s.feature, s.hi}, false))
		}
	}
	return strings.Join(all, " and ")
}
