package pairs

import (
	"iter"
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

// codes are some of a feature: spans that ascend and do not touch.
type codes []grid.Span

// pieces lists the codes piece by piece, with where a test sends each: left or not.
func (t *test) pieces(c codes) iter.Seq2[grid.Span, bool] {
	return func(yield func(grid.Span, bool) bool) {
		at := 0
		for _, span := range c {
			for span.Lo <= span.Hi {
				r := &t.runs[at]
				if r.last < span.Lo {
					at++
					continue
				}
				if !yield(grid.Span{Lo: span.Lo, Hi: min(r.last, span.Hi)}, r.left) {
					return
				}
				span.Lo = r.last + 1
			}
		}
	}
}

// way says where a test sends codes: all to one side, or not.
func (t *test) way(c codes) (left, whole bool) {
	begun := false
	for _, side := range t.pieces(c) {
		if begun && side != left {
			return left, false
		}
		left, begun = side, true
	}
	return left, true
}

// mostCuts is how many cuts a test is made of, one node each, before it is one test of a set: the
// search knows more about cuts.
const mostCuts = 2

// split parts codes: those that a test sends the way of the first from the others or, if its cuts
// are few, those before the first cut from the rest. cuts are the codes behind which its thresholds
// lie.
func (t *test) split(c codes) (sides [2]codes, cuts []int32) {
	at, before, last := 0, false, int32(0)
	var pieces [2]codes
	for piece, left := range t.pieces(c) {
		if len(pieces[0]) > 0 && left != before {
			cuts = append(cuts, last)
			at = 1 - at
		}
		pieces[at], before, last = append(pieces[at], piece), left, piece.Hi
	}
	if len(cuts) > mostCuts {
		return pieces, cuts
	}
	cuts = cuts[:1]
	for _, span := range c {
		if span.Lo <= cuts[0] {
			sides[0] = append(sides[0], grid.Span{Lo: span.Lo, Hi: min(span.Hi, cuts[0])})
		}
		if span.Hi > cuts[0] {
			sides[1] = append(sides[1], grid.Span{Lo: max(span.Lo, cuts[0]+1), Hi: span.Hi})
		}
	}
	return sides, cuts
}

// descend returns where codes are sent from a node on, all together: a leaf, or the first node that
// parts them.
func (c *coded) descend(i int, home []int32, box []codes) int {
	for !c.IsLeaf(i) {
		t := &c.tests[i]
		left, whole := t.way(box[home[t.feature]])
		if !whole {
			return i
		}
		if children := c.Children[i]; left {
			i = int(children.Left)
		} else {
			i = int(children.Right)
		}
	}
	return i
}
