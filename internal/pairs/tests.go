package pairs

import (
	"sort"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// coded is a tree whose tests are over codes.
type coded struct {
	*trees.Axis
	tests []test // by node; feature −1 in a leaf
}

// test sends runs of codes left or right.
type test struct {
	feature int32
	runs    []run // some may be empty
}

// run is a run of codes, up to its last one.
type run struct {
	last int32
	left bool
}

// code returns a tree over codes.
func (s *Space) code(t *trees.Axis) *coded {
	c := &coded{Axis: t, tests: make([]test, t.Len())}
	for i := range c.tests {
		if c.tests[i].feature = -1; !t.IsLeaf(i) {
			f := t.Feature(i)
			c.tests[i] = test{s.home[f], s.runs(t, i)}
		}
	}
	return c
}

// runs returns the runs of the codes that the test of a node makes.
func (s *Space) runs(t *trees.Axis, node int) []run {
	f := t.Feature(node)
	home := &s.features[s.home[f]]
	last := int32(len(home.codes)) - 1
	if home.group != nil {
		zero, one := t.SendsLeft(node, 0), t.SendsLeft(node, 1)
		for at := range home.codes {
			if home.codes[at].hot == f {
				at := int32(at)
				return []run{{at - 1, zero}, {at, one}, {last, zero}}
			}
		}
		return []run{{last, zero}}
	}
	borders, count := t.SetBorders(node), s.Numbers(f)
	if borders == nil {
		borders = []trees.Border{t.Border(node)}
	}
	runs := make([]run, 0, len(borders)+2)
	for i, b := range borders {
		rank := s.borders[f].Rank(b)
		end := sort.Search(count, func(i int) bool { return home.codes[i].interval > rank })
		runs = append(runs, run{int32(end) - 1, i%2 == 0})
	}
	return append(runs, run{int32(count) - 1, len(borders)%2 == 0},
		run{last, t.Node(node).MissingLeft})
}

// way says where a test sends a span of codes: to one side, or beyond a cut to another one.
func (t *test) way(span grid.Span) (left, whole bool, cut int32) {
	first, begun := int32(0), false
	for _, r := range t.runs {
		lo, hi := max(first, span.Lo), min(r.last, span.Hi)
		if first = max(first, r.last+1); lo > hi {
			continue
		}
		if begun && r.left != left {
			return left, false, cut
		}
		left, begun, cut = r.left, true, hi
	}
	return left, true, cut
}

// descend returns where codes of a box are sent from a node on, all together: a leaf, or the first
// node that parts them, with the cut.
func (c *coded) descend(i int, home []int32, box grid.Box) (at int, cut int32) {
	for !c.IsLeaf(i) {
		t := &c.tests[i]
		left, whole, cut := t.way(box[home[t.feature]])
		if !whole {
			return i, cut
		}
		if children := c.Children[i]; left {
			i = int(children.Left)
		} else {
			i = int(children.Right)
		}
	}
	return i, 0
}
