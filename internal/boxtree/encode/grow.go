package encode

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// mostNodes is how many nodes the trees may have together, or so many times as many as before:
// some hundred megabytes.
const mostNodes, mostCopies = 1 << 21, 4

// Trees returns the trees over coded features, in the order of those that they are made of, whose
// borders are given. The error is for the user.
func (c *Coding) Trees(borders []trees.Borders, from []*trees.Axis) ([]*trees.Axis, error) {
	c.borders = borders
	c.arrange(from)
	before := 0
	for _, t := range from {
		before += t.Len()
	}
	g := grower{
		Coding: c,
		spans:  make(grid.Box, len(c.kinds)),
		left:   max(mostNodes, mostCopies*before),
		of:     make([]code, len(c.kinds)),
	}
	for f, k := range c.kinds {
		if k == optional {
			g.spans[f].Hi = c.missing(f)
		}
	}
	for _, own := range c.groups {
		g.spans[own.feature()].Hi = int32(len(own.order)) - 1
		for at, j := range own.order {
			g.of[j] = code{own, int32(at)}
		}
	}
	coded := make([]*trees.Axis, len(from))
	for i, t := range from {
		var err error
		if coded[i], err = g.tree(t); err != nil {
			return nil, trees.AtTree(i, err)
		}
	}
	return coded, nil
}

// arrange orders the codes of groups: the members that most nodes test come first and last.
func (c *Coding) arrange(from []*trees.Axis) {
	tests := make([]int, len(c.kinds))
	for _, t := range from {
		for i := range t.Len() {
			if f := t.Feature(i); f >= 0 {
				tests[f]++
			}
		}
	}
	for _, g := range c.groups {
		byTests := slices.Clone(g.members)
		slices.SortStableFunc(byTests,
			func(a, b int) int { return cmp.Compare(tests[b], tests[a]) })
		g.order = make([]int, len(byTests))
		for rank, j := range byTests {
			if at := rank / 2; rank%2 == 0 {
				g.order[at] = j
			} else {
				g.order[len(byTests)-1-at] = j
			}
		}
	}
}

// grower codes trees, one after the other.
type grower struct {
	*Coding
	of    []code   // by member of a group
	spans grid.Box // the codes that reach the node being copied
	left  int      // how many nodes there is room for

	from  *trees.Axis // being copied
	nodes []trees.Node
}

// code is that of a member of a group.
type code struct {
	*group
	at int32
}

var errNodes = errors.New(
	"one-hot groups and missing values make too many copies of its branches for an exact search",
)

// tree codes a tree.
func (g *grower) tree(t *trees.Axis) (*trees.Axis, error) {
	g.from, g.nodes = t, g.nodes[:0] // of which NewAxis keeps none
	if g.copy(0); len(g.nodes) > g.left {
		return nil, fmt.Errorf("%w: %w", errNodes, errors.ErrUnsupported)
	}
	g.left -= len(g.nodes)
	return trees.NewAxis(t.Dim, t.Comparison, trees.Nodes(g.nodes))
}

// copy appends the tree below a node, as far as the spans reach it, and returns where.
func (g *grower) copy(i int) int {
	t := g.from
	n := t.Node(i)
	at := len(g.nodes)
	switch {
	case n.Left < 0 || at > g.left:
		n.Feature, n.Left, n.Right = -1, -1, -1
		g.nodes = append(g.nodes, n)
		return at
	case g.kinds[n.Feature] == absent:
		if n.MissingLeft {
			return g.copy(n.Left)
		}
		return g.copy(n.Right)
	case g.kinds[n.Feature] == plain:
		g.nodes = append(g.nodes, n)
		left, right := g.copy(n.Left), g.copy(n.Right)
		g.nodes[at].Left, g.nodes[at].Right = left, right
		return at
	}
	f, runs := g.runs(n.Feature, i, n.MissingLeft)
	if len(n.Thresholds) > 0 && len(runs) > 2 {
		return g.set(f, runs, &n)
	}
	return g.part(f, runs, &n)
}

// run is a run of codes, up to its last one.
type run struct {
	last int32
	left bool
}

// runs returns the runs of the codes that reach a test, and the feature of the codes.
func (g *grower) runs(f, node int, missingLeft bool) (int, []run) {
	borders := g.from.SetBorders(node)
	if borders == nil {
		borders = []trees.Border{g.from.Border(node)}
	}
	all := make([]run, 0, len(borders)+2)
	if g.kinds[f] == optional {
		for i, b := range borders {
			all = append(all, run{g.borders[f].Rank(b), i%2 == 0})
		}
		all = append(all, run{g.missing(f) - 1, len(borders)%2 == 0},
			run{g.missing(f), missingLeft})
	} else {
		own := g.of[f]
		zero, one := g.from.SendsLeft(node, 0), g.from.SendsLeft(node, 1)
		all = append(all, run{own.at - 1, zero}, run{own.at, one},
			run{int32(len(own.order)) - 1, zero})
		f = own.feature()
	}
	var runs []run
	first, span := int32(0), g.spans[f]
	for _, r := range all {
		if lo, hi := max(first, span.Lo), min(r.last, span.Hi); lo <= hi {
			if n := len(runs); n > 0 && runs[n-1].left == r.left {
				runs[n-1].last = hi
			} else {
				runs = append(runs, run{hi, r.left})
			}
		}
		first = max(first, r.last+1)
	}
	return f, runs
}

// set appends the test of runs that were one of a set, and below it the copies of its subtrees.
func (g *grower) set(f int, runs []run, n *trees.Node) int {
	at := len(g.nodes)
	coded := trees.Node{Feature: f, Value: n.Value}
	for _, r := range runs[:len(runs)-1] {
		coded.Thresholds = append(coded.Thresholds, float64(r.last)+0.5)
	}
	g.nodes = append(g.nodes, coded)
	left, right := g.copy(n.Left), g.copy(n.Right)
	if !runs[0].left {
		left, right = right, left
	}
	g.nodes[at].Left, g.nodes[at].Right = left, right
	return at
}

// part appends the tests that part runs, and below them the copies of the subtrees that they go
// to.
func (g *grower) part(f int, runs []run, n *trees.Node) int {
	if len(runs) == 1 {
		if runs[0].left {
			return g.copy(n.Left)
		}
		return g.copy(n.Right)
	}
	at, span := len(g.nodes), g.spans[f]
	g.nodes = append(g.nodes, trees.Node{
		Feature:   f,
		Threshold: float64(runs[0].last) + 0.5,
		Value:     n.Value,
	})
	g.spans[f].Hi = runs[0].last
	left := g.part(f, runs[:1], n)
	g.spans[f] = grid.Span{Lo: runs[0].last + 1, Hi: span.Hi}
	right := g.part(f, runs[1:], n)
	g.spans[f] = span
	g.nodes[at].Left, g.nodes[at].Right = left, right
	return at
}
