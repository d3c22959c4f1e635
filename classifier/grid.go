package classifier

import (
	"cmp"
	"slices"
	"sort"
)

// grid is the common grid of all thresholds of an ensemble. The K borders of a
// feature cut its line into K+1 slots: slot s lies right of the borders before s
// and left of border s. Leaves and search boxes are boxes of slots, so their
// intersections are exact.
type grid struct {
	borders [][]border // by feature, ascending
	leaves  []gridLeaf // tree after tree
	first   []int32    // leaves of tree t: first[t] ≤ i < first[t+1]
	offset  []int32    // number of slots of the features before f
	slots   int        // of all features
}

// gridLeaf is a leaf of an ensemble as a box of slots: only the sides that
// restrict it.
type gridLeaf struct {
	sides []gridSide
	value []float64
}

// gridSide holds the slots lo ≤ s ≤ hi of a feature.
type gridSide struct {
	feature, lo, hi int32
}

func compareBorders(a, b border) int {
	if c := cmp.Compare(a.end, b.end); c != 0 || a.closed == b.closed {
		return c
	}
	if b.closed {
		return -1 // x < end ends before x ≤ end
	}
	return 1
}

func newGrid(trees []*Tree, values [][]float64) *grid {
	g := &grid{borders: make([][]border, trees[0].dim)}
	for _, t := range trees {
		for i, n := range t.nodes {
			if n.Left >= 0 {
				g.borders[n.Feature] = append(g.borders[n.Feature], t.borders[i])
			}
		}
	}
	for f := range g.borders {
		slices.SortFunc(g.borders[f], compareBorders)
		g.borders[f] = slices.Compact(g.borders[f])
		g.offset = append(g.offset, int32(g.slots))
		g.slots += len(g.borders[f]) + 1
	}
	for tree, t := range trees {
		g.first = append(g.first, int32(len(g.leaves)))
		for i, n := range t.nodes {
			if n.Left < 0 {
				g.addLeaf(t, i, values[tree][i*t.classes:(i+1)*t.classes])
			}
		}
	}
	g.first = append(g.first, int32(len(g.leaves)))
	return g
}

// addLeaf appends a leaf of a tree unless no input reaches it.
func (g *grid) addLeaf(t *Tree, leaf int, value []float64) {
	l := gridLeaf{value: value}
	for i := leaf; i > 0; {
		parent := int(t.parents[i])
		f := t.nodes[parent].Feature
		rank := g.rank(f, t.borders[parent])
		side := gridSide{int32(f), 0, int32(len(g.borders[f]))}
		if i == t.nodes[parent].Left {
			side.hi = rank
		} else {
			side.lo = rank + 1
		}
		l.restrict(side)
		i = parent
	}
	for _, s := range l.sides {
		if s.lo > s.hi {
			return
		}
	}
	slices.SortFunc(l.sides, func(a, b gridSide) int { return cmp.Compare(a.feature, b.feature) })
	g.leaves = append(g.leaves, l)
}

func (l *gridLeaf) restrict(s gridSide) {
	for i := range l.sides {
		if o := &l.sides[i]; o.feature == s.feature {
			o.lo, o.hi = max(o.lo, s.lo), min(o.hi, s.hi)
			return
		}
	}
	l.sides = append(l.sides, s)
}

func (g *grid) rank(f int, b border) int32 {
	i, _ := slices.BinarySearchFunc(g.borders[f], b, compareBorders)
	return int32(i)
}

// slot returns the slot of feature f that holds v.
func (g *grid) slot(f int, v float64) int32 {
	borders := g.borders[f]
	return int32(sort.Search(len(borders), func(i int) bool {
		return v < borders[i].end || (v == borders[i].end && borders[i].closed)
	}))
}
