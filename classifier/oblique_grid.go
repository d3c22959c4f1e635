package classifier

import (
	"encoding/binary"
	"math"
	"slices"
)

// obliqueGrid is the common grid of all tests of an ensemble: the features, and
// after them the oblique directions, each of which the K borders of its tests cut
// into K+1 slots. Slot s lies above the borders before s and below border s.
// Leaves and search regions are products of ranges of slots, so whether they
// agree on a direction is exact; how directions meet is for programs to find out.
type obliqueGrid struct {
	directions []obliqueDirection
	borders    [][]border // by direction, ascending
	leaves     []obliqueLeaf
	first      []int32 // leaves of tree t: first[t] ≤ i < first[t+1]
}

// obliqueLeaf is a leaf of an ensemble that the slots leave reachable.
type obliqueLeaf struct {
	node  int32
	sides []obliqueSide
	value []float64
}

// obliqueSide holds the slots lo ≤ s ≤ hi of a direction.
type obliqueSide struct {
	direction, lo, hi int32
}

func newObliqueGrid(e *ObliqueEnsemble) *obliqueGrid {
	g := &obliqueGrid{directions: make([]obliqueDirection, e.dim)}
	for f := range g.directions {
		g.directions[f].feature = f
	}
	places := g.collect(e)
	for d := range g.borders {
		slices.SortFunc(g.borders[d], compareObliqueBorders)
		g.borders[d] = slices.Compact(g.borders[d])
	}
	for t, tree := range e.trees {
		g.first = append(g.first, int32(len(g.leaves)))
		for i, n := range tree.nodes {
			if n.Left < 0 {
				g.addLeaf(tree, i, places[t], e.values[t][i*e.classes:(i+1)*e.classes])
			}
		}
	}
	g.first = append(g.first, int32(len(g.leaves)))
	return g
}

// collect finds the directions and their borders, and returns the direction of
// each node of each tree.
func (g *obliqueGrid) collect(e *ObliqueEnsemble) [][]int32 {
	g.borders = make([][]border, e.dim)
	known, places := map[string]int32{}, make([][]int32, len(e.trees))
	for t, tree := range e.trees {
		places[t] = make([]int32, len(tree.nodes))
		for i, n := range tree.nodes {
			if s := &tree.splits[i]; n.Left >= 0 && !s.settled() {
				d := g.place(&s.direction, known)
				places[t][i] = d
				g.borders[d] = append(g.borders[d], s.border)
			}
		}
	}
	return places
}

// place returns the number of a direction, which is known by its normal.
func (g *obliqueGrid) place(d *obliqueDirection, known map[string]int32) int32 {
	if d.normal == nil {
		return int32(d.feature)
	}
	var key []byte
	for _, w := range d.normal {
		key = binary.NativeEndian.AppendUint64(key, math.Float64bits(w+0)) // −0 is 0
	}
	number, ok := known[string(key)]
	if !ok {
		number = int32(len(g.directions))
		known[string(key)] = number
		g.directions, g.borders = append(g.directions, *d), append(g.borders, nil)
	}
	return number
}

func compareObliqueBorders(a, b border) int {
	switch {
	case a.end < b.end, a.end == b.end && !a.closed && b.closed:
		return -1 // x < end ends before x ≤ end
	case a == b:
		return 0
	}
	return 1
}

// addLeaf appends a leaf of a tree unless its tests contradict each other.
func (g *obliqueGrid) addLeaf(t *ObliqueTree, leaf int, places []int32, value []float64) {
	l := obliqueLeaf{node: int32(leaf), value: value}
	for i := leaf; i > 0; {
		parent := int(t.parents[i])
		s := &t.splits[parent]
		low := (i == t.nodes[parent].Left) == s.leftIsLow
		i = parent
		if s.settled() {
			if !low {
				return
			}
			continue
		}
		if !g.restrict(&l, g.side(places[parent], s.border, low)) {
			return
		}
	}
	g.leaves = append(g.leaves, l)
}

// side returns the slots on one side of a border.
func (g *obliqueGrid) side(d int32, b border, low bool) obliqueSide {
	rank, _ := slices.BinarySearchFunc(g.borders[d], b, compareObliqueBorders)
	if low {
		return obliqueSide{direction: d, hi: int32(rank)}
	}
	return obliqueSide{direction: d, lo: int32(rank) + 1, hi: int32(len(g.borders[d]))}
}

// restrict intersects the leaf with a side; false when nothing is left.
func (g *obliqueGrid) restrict(l *obliqueLeaf, s obliqueSide) bool {
	for i := range l.sides {
		if o := &l.sides[i]; o.direction == s.direction {
			o.lo, o.hi = max(o.lo, s.lo), min(o.hi, s.hi)
			return g.solid(*o)
		}
	}
	l.sides = append(l.sides, s)
	return true
}

// solid reports whether a range of slots has an interior: whether it holds a slot
// that is more than a hyperplane, the common end of an open and a closed border. A
// single value of a feature counts.
func (g *obliqueGrid) solid(s obliqueSide) bool {
	if s.lo < s.hi || (s.lo == s.hi && g.directions[s.direction].normal == nil) {
		return true
	}
	b := g.borders[s.direction]
	thin := 0 < s.lo && int(s.hi) < len(b) && b[s.lo-1].end == b[s.hi].end
	return s.lo == s.hi && !thin
}
