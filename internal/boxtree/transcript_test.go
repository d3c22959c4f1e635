package boxtree

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/search"
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
		tree, err := trees.NewAxis(2, trees.AtMostFloat64, trees.Nodes(nodes))
		if err != nil {
			t.Fatal(err)
		}
		return tree
	}
	vote, err := trees.NewEnsemble(
		[]*trees.Axis{stump(0, 1, 0, 1), stump(1, 2, 0, 1), stump(0, -1.5, 1, 0)}, trees.Vote{
			Rule: trees.Hard,
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	s, err := searchOf(NewModel(vote),
		search.Query{X: []float64{0, 0}, Target: -1, Cost: geometry.In(polytope.L1)})
	if err != nil {
		t.Fatal(err)
	}
	w := &written{boxSearch: s, opener: s.NewOpener().(*opener)}
	fmt.Fprintln(w, "Three trees vote; X = (0, 0) is labelled 0. How far is label 1 in ℓ1?")
	w.grid()
	transcript.Run(t, &w.Builder, s, w.name, w.why)
	transcript.Compare(t, filepath.Join("testdata", "three_trees.txt"), w.String())
}

// grid writes the trees and their borders.
func (w *written) grid() {
	for t, tree := range w.model.Trees {
		fmt.Fprintf(w, "  tree %d: label %d if %s, else %d\n",
			t, tree.Labels[1], w.border(tree.Feature(0), tree.Border(0)), tree.Labels[2])
	}
	fmt.Fprintln(w, "\nThe grid")
	for f, borders := range w.Borders {
		var ends []string
		for _, b := range borders {
			ends = append(ends, w.border(f, b))
		}
		fmt.Fprintf(w, "  x%d: borders %s; intervals 0 to %d, X in interval %d\n",
			f, strings.Join(ends, ", "), len(borders), w.At[f])
	}
}

func (w *written) border(f int, b trees.Border) string {
	if b.Closed {
		return fmt.Sprintf("x%d ≤ %v", f, b.End)
	}
	return fmt.Sprintf("x%d < %v", f, b.End)
}

// name writes the conditions of a node, and where it is to be split.
func (w *written) name(n search.Node) string {
	p, ok := n.State.(*node)
	if !ok {
		return "the root"
	}
	var cuts []string
	for q := p; q.parent != nil; q = q.parent {
		cuts = append(cuts, w.cut(q.cut, q.beyond))
	}
	if len(cuts) == 0 {
		cuts = []string{"all of it"}
	}
	slices.Reverse(cuts)
	return fmt.Sprintf("%s, to be split at %s", strings.Join(cuts, ", "), w.cut(p.split, false))
}

// why writes the choices that the root gathers, and the outcome of the halves of a node.
func (w *written) why(n search.Node, cutoff float64, opened search.Opened) {
	if p, ok := n.State.(*node); ok {
		w.half(n, p, false, cutoff)
		w.half(n, p, true, cutoff)
		return
	}
	for _, child := range opened.Children {
		c := child.State.(*node).choices
		fmt.Fprintf(w, "   leaves within %.4g, and what each adds to the margin of label 1, which "+
			"is %v without them:\n", opened.Answer.Bound, c.base[0])
		for g := range c.groups() {
			for i := c.first[g]; i < c.first[g+1]; i++ {
				fmt.Fprintf(w, "     group %d: %-13s at %v adds %+v\n",
					g, w.sides(c.rangesOf(i)), c.reaches[i], c.gain(i, 0))
			}
		}
	}
}

// half writes the labels that could win in one half of a node, looking at it once more.
func (w *written) half(n search.Node, p *node, beyond bool, cutoff float64) {
	o, r := w.opener, &w.opener.region
	r.load(p)
	r.narrow(&node{parent: p, cut: p.split, beyond: beyond})
	r.node = nil // the next load starts anew
	reach := r.reach()
	x, ok := o.lastCrossing(o.targets[p.target], reach,
		max(n.Bound, r.choices.metric.Distance(reach)), cutoff)
	if !ok {
		fmt.Fprintf(w, "   %s: no leaves within %.4g can win\n", w.cut(p.split, beyond), cutoff)
		return
	}
	fmt.Fprintf(w, "   %s: from %.4g on could win %s\n",
		w.cut(p.split, beyond), x.radius, w.best(x))
}

// best writes the choices of a crossing.
func (w *written) best(x crossing) string {
	var all []string
	for _, i := range x.best {
		all = append(all, w.sides(w.opener.region.choices.rangesOf(i)))
	}
	return strings.Join(all, ", ")
}

func (w *written) cut(c grid.Cut, beyond bool) string {
	b := w.Borders[c.Feature][c.After]
	if beyond == b.Closed {
		return fmt.Sprintf("x%d %s %v",
			c.Feature, map[bool]string{false: "<", true: ">"}[beyond], b.End)
	}
	return fmt.Sprintf("x%d %s %v",
		c.Feature, map[bool]string{false: "≤", true: "≥"}[beyond], b.End)
}

// sides writes the sides of a choice.
func (w *written) sides(sides []featureRange) string {
	var all []string
	for _, s := range sides {
		if s.Lo > 0 {
			all = append(all, w.cut(grid.Cut{Feature: s.feature, After: s.Lo - 1}, true))
		}
		if int(s.Hi) < len(w.Borders[s.feature]) {
			all = append(all, w.cut(grid.Cut{Feature: s.feature, After: s.Hi}, false))
		}
	}
	return strings.Join(all, " and ")
}
