package models

import (
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Parts are what a test makes of the line of its feature, when one threshold does not say
// it: of a set of categories, or of a range of values that count as missing. Part i lies left of
// threshold Ends[i], in the comparison of the trees, and not of Ends[i−1].
type Parts struct {
	Ends []float64 // ascending
	Left []bool    // of each of the len(Ends)+1 parts: it goes left
}

// Set returns the parts of a set of codes, ascending: those of the set go left, or all
// others. Values of code c lie left of end(c), but not of end(c−1).
func Set(codes []int, left bool, end func(code int) float64) *Parts {
	p := &Parts{Left: []bool{!left}}
	for i, code := range codes {
		if i > 0 && codes[i-1] == code-1 {
			p.Ends[len(p.Ends)-1] = end(code)
			continue
		}
		p.Ends = append(p.Ends, end(code-1), end(code))
		p.Left = append(p.Left, left, !left)
	}
	return p
}

const (
	// MostExpanded is how many values, one a node and class, the nodes of a model may
	// have after their parts became thresholds: 4 million nodes of two classes, which take
	// a gigabyte. A hundred trees of depth 6 over seven categories of up to 42 codes take as many.
	MostExpanded = 1 << 23
	mostDepth    = 1 << 14 // of such a tree: it is made by recursion
)

// Expander makes trees of thresholds of trees whose tests part a line into more than two
// parts. Each part but the first takes a threshold, and a copy of the subtree that it goes on
// to; of the copy only what the part reaches is made.
type Expander struct {
	Comparison trees.Comparison
	Values     int // that a node is to have
	made       int // values, of all trees so far
}

// Expand returns a tree with children after their parents. The nodes are a tree below node
// 0, as [Ordered] checks; parts[i] are those of node i, nil if its threshold says them.
func (e *Expander) Expand(nodes []trees.Node, parts []*Parts) ([]trees.Node, error) {
	x := expansion{
		nodes: nodes, parts: parts, comparison: e.Comparison,
		reach: make(map[int]span), values: e.Values, room: (MostExpanded - e.made) / e.Values,
	}
	if _, err := x.grow(0, 0); err != nil {
		return nil, err
	}
	e.made += len(x.made) * e.Values
	return x.made, nil
}

// Expand replaces each boosted tree that has parts.
func (m *Model) Expand(parts [][]*Parts) error {
	e := Expander{Comparison: m.Comparison, Values: m.outputs()}
	for i, p := range parts {
		if p == nil {
			continue
		}
		nodes := make(trees.Nodes, m.Trees[i].Len())
		for k := range nodes {
			nodes[k] = m.Trees[i].Node(k)
		}
		expanded, err := e.Expand(nodes, p)
		if err != nil {
			return trees.AtTree(i, err)
		}
		m.Trees[i] = trees.Nodes(expanded)
	}
	return nil
}

// expansion is a tree being made.
type expansion struct {
	nodes      []trees.Node
	parts      []*Parts
	comparison trees.Comparison
	// of each feature: what reaches the node that is made, the line if it is not there
	reach  map[int]span
	made   []trees.Node
	values int // of a node
	room   int // for nodes
}

// span is what reaches a node of the values of a feature.
type span struct {
	lo, hi float64 // values left of threshold hi and not of lo, where these are numbers
	noNaN  bool
}

// run is neighbouring parts that go one way.
type run struct {
	span
	left  bool
	after float64 // the threshold between it and the run before
}

// grow makes the subtree below a node for what reaches it, and returns its number.
func (x *expansion) grow(node, depth int) (int, error) {
	n := x.nodes[node]
	if n.Left >= 0 {
		return x.split(n, x.runs(node), depth)
	}
	return x.add(n, depth)
}

// add appends a node.
func (x *expansion) add(n trees.Node, depth int) (int, error) {
	if len(x.made) == x.room || depth > mostDepth {
		return 0, Unsupported(fmt.Sprintf("sets of categories, or ranges of missing values, that "+
			"take more than %d nodes or %d levels as thresholds: "+
			"fewer or shallower trees, or features of fewer categories, are needed",
			MostExpanded/x.values, mostDepth))
	}
	x.made = append(x.made, n)
	return len(x.made) - 1, nil
}

// split makes the tests that tell runs apart, and what lies below them.
func (x *expansion) split(n trees.Node, runs []run, depth int) (int, error) {
	if len(runs) == 1 {
		return x.below(n, runs[0], depth)
	}
	i, err := x.add(n, depth)
	if err != nil {
		return 0, err
	}
	middle := len(runs) / 2
	t := trees.Node{Feature: n.Feature, Threshold: runs[middle].after, Value: n.Value}
	for _, r := range runs[:middle] {
		t.MissingLeft = t.MissingLeft || !r.noNaN
	}
	if t.Left, err = x.split(n, runs[:middle], depth+1); err == nil {
		t.Right, err = x.split(n, runs[middle:], depth+1)
	}
	x.made[i] = t
	return i, err
}

// below makes what a run goes on to.
func (x *expansion) below(n trees.Node, r run, depth int) (int, error) {
	child := n.Right
	if r.left {
		child = n.Left
	}
	before, narrowed := x.reach[n.Feature]
	x.reach[n.Feature] = r.span
	i, err := x.grow(child, depth)
	if x.reach[n.Feature] = before; !narrowed {
		delete(x.reach, n.Feature)
	}
	return i, err
}

// runs returns how a test parts what reaches it, at least one run. One of them takes NaN, if
// it reaches the node.
func (x *expansion) runs(node int) []run {
	n, p := &x.nodes[node], x.parts[node]
	if p == nil {
		p = &Parts{Ends: []float64{n.Threshold}, Left: []bool{true, false}}
	}
	all, narrowed := x.reach[n.Feature]
	if !narrowed {
		all = span{lo: math.NaN(), hi: math.NaN()}
	}
	rest := run{span: all}
	rest.noNaN = true
	var runs []run
	for i, left := range p.Left {
		if i < len(p.Ends) && p.Ends[i] <= all.lo || i > 0 && p.Ends[i-1] >= all.hi {
			continue // no value that reaches the node
		}
		if last := len(runs) - 1; last < 0 || runs[last].left != left {
			if last >= 0 {
				runs[last].hi, rest.lo, rest.after = p.Ends[i-1], p.Ends[i-1], p.Ends[i-1]
			}
			rest.left = left
			runs = append(runs, rest)
		}
	}
	if all.noNaN {
		return runs
	}
	for i := range runs {
		if runs[i].left == n.MissingLeft {
			runs[i].noNaN = false
			return runs
		}
	}
	return x.apart(runs, n.MissingLeft)
}

// apart adds a run for NaN alone, to at most one run of numbers that go the other way.
func (x *expansion) apart(runs []run, left bool) []run {
	// No number lies left of lo and not of hi.
	missing := run{span{lo: math.Inf(1), hi: math.Inf(-1)}, left, math.Inf(1)}
	switch {
	case len(runs) == 0:
		return []run{missing}
	case x.comparison == trees.BelowFloat32:
		// by which +Inf, as large numbers are rounded, is not left of +Inf
		runs[0].after = math.Inf(-1)
		return []run{missing, runs[0]}
	}
	return []run{runs[0], missing}
}
