package oblique

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// grid is the common grid of all tests of an ensemble: the features, and after them the
// oblique directions, each of which its borders cut into elementary intervals.
type grid struct {
	directions []trees.Direction
	borders    []trees.Borders // by direction
	tested     [][]int32       // the directions of inner nodes, by tree and node
	leaves     []leaf
	first      []int32 // leaves of tree t: first[t] ≤ i < first[t+1]
}

// leaf is a leaf of an ensemble that the elementary intervals leave reachable.
type leaf struct {
	node   int
	ranges []interval // of the directions that are tested above it
	value  []float64  // its contribution to the vote
}

// interval is the run lo ≤ i ≤ hi of the elementary intervals of a direction. One of them may be a
// hyperplane, the common end of an open and a closed border.
type interval struct{ direction, lo, hi int32 }

func (s interval) empty() bool { return s.lo > s.hi }

// meet returns the elementary intervals that are in both.
func (s interval) meet(o interval) interval {
	return interval{s.direction, max(s.lo, o.lo), min(s.hi, o.hi)}
}

// mostRanges is how many ranges the leaves may have: each costs the search a row of a
// program. There can be as many as the square of the depth of a tree.
const mostRanges = 1 << 22

// newGrid makes the grid of an ensemble.
func newGrid(e *trees.Ensemble[*trees.Oblique]) (*grid, error) {
	g := &grid{
		directions: make([]trees.Direction, e.Dim()),
		borders:    make([]trees.Borders, e.Dim()),
	}
	for f := range g.directions {
		g.directions[f].Feature = f
	}
	g.collect(e.Trees)
	for d, borders := range g.borders {
		g.borders[d] = trees.NewBorders(borders)
	}
	region, ranges := newRegion(g, e.Dim()), 0
	for t, tree := range e.Trees {
		g.first = append(g.first, int32(len(g.leaves)))
		for i := range tree.Len() {
			if !tree.IsLeaf(i) || !region.restrict(tree, i, g.tested[t]) {
				continue
			}
			l := leaf{node: i, ranges: region.restricted(), value: e.Value(t, i)}
			if ranges += len(l.ranges); ranges > mostRanges {
				return nil, trees.FaultOf(fmt.Errorf("the leaves have more than %d sides",
					mostRanges))
			}
			g.leaves = append(g.leaves, l)
		}
	}
	g.first = append(g.first, int32(len(g.leaves)))
	return g, nil
}

// collect finds the directions and their borders.
func (g *grid) collect(all []*trees.Oblique) {
	known := map[string]int32{}
	g.tested = make([][]int32, len(all))
	for t, tree := range all {
		g.tested[t] = make([]int32, tree.Len())
		for i := range g.tested[t] {
			if s := tree.Split(i); !tree.IsLeaf(i) && !s.Settled() {
				d := g.number(&s.Direction, known)
				g.tested[t][i] = d
				g.borders[d] = append(g.borders[d], s.Border)
			}
		}
	}
}

// number returns the number of a direction, which is known by its normal.
func (g *grid) number(d *trees.Direction, known map[string]int32) int32 {
	if d.Normal == nil {
		return int32(d.Feature)
	}
	var normal []byte
	for _, w := range d.Normal {
		normal = binary.NativeEndian.AppendUint64(normal, math.Float64bits(w+0)) // −0 is 0
	}
	key := string(normal)
	number, ok := known[key]
	if !ok {
		number = int32(len(g.directions))
		known[key] = number
		g.directions, g.borders = append(g.directions, *d), append(g.borders, nil)
	}
	return number
}

// of returns the leaves of tree t.
func (g *grid) of(t int) []leaf { return g.leaves[g.first[t]:g.first[t+1]] }

// whole returns all elementary intervals of a direction.
func (g *grid) whole(d int32) interval {
	return interval{direction: d, hi: int32(len(g.borders[d]))}
}

// side returns the elementary intervals on one side of a border.
func (g *grid) side(d int32, b trees.Border, low bool) interval {
	s, rank := g.whole(d), g.borders[d].Rank(b)
	if low {
		s.hi = rank
	} else {
		s.lo = rank + 1
	}
	return s
}
