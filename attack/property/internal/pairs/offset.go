package pairs

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Offset is by how much a copied feature of the second input may exceed that of the first. A
// missing value is no number of these, and only like another one.
type Offset struct{ Least, Most float64 }

// Limits reports whether not all pairs of numbers are so far apart.
func (a Offset) Limits() bool { return !math.IsInf(a.Least, -1) || !math.IsInf(a.Most, 1) }

// limits reports whether values of a copied feature are limited.
func (d *Difference) limits(j int) bool { return d.offsets != nil && d.offsets[j].Limits() }

// allows reports whether numbers of two intervals may lie so far apart, exactly.
func (a Offset) allows(from, to polytope.Interval) bool {
	most := math.IsInf(a.Most, 1) || within(to.Lo, to.LoOpen, from.Hi, from.HiOpen, a.Most)
	return most && (math.IsInf(a.Least, -1) ||
		within(from.Lo, from.LoOpen, to.Hi, to.HiOpen, -a.Least))
}

// within reports whether some number from an end on is no more than so much above one up to another
// end.
func within(low float64, lowOpen bool, high float64, highOpen bool, most float64) bool {
	if math.IsInf(low, -1) || math.IsInf(high, 1) {
		return true
	}
	c := exact.Difference(low, high).Cmp(exact.Float(most))
	return c < 0 || (c == 0 && !lowOpen && !highOpen)
}

// ranges returns, by code of a feature, the codes that another input may have beside it.
func (s *Space) ranges(j int, a Offset) []grid.Span {
	list, count := make([]grid.Span, len(s.features[j].codes)), s.Numbers(j)
	sides := make([]polytope.Interval, count)
	for c := range sides {
		sides[c] = s.moves.Each[j].Hull(s.features[j].codes[c].side)
	}
	lo, hi := 0, 0 // both only grow
	for c := range sides {
		for lo < c && !a.allows(sides[c], sides[lo]) {
			lo++
		}
		for hi = max(hi, c); hi+1 < count && a.allows(sides[c], sides[hi+1]); hi++ {
		}
		list[c] = grid.Span{Lo: int32(lo), Hi: int32(hi)}
	}
	for c := count; c < len(list); c++ {
		list[c] = grid.Span{Lo: int32(c), Hi: int32(c)}
	}
	return list
}

// forbid returns trees that keep pairs from being too far apart: for such pairs they take more from
// the last sum than all other trees can add.
func (d *Difference) forbid(grown [][]trees.Node, base []float64) (list [][]trees.Node) {
	if !slices.ContainsFunc(d.copied, d.limits) {
		return nil
	}
	last := len(base) - 1
	total := size(grown, base, last)
	f := &fence{values: [...][]float64{make([]float64, len(base)), make([]float64, len(base))}}
	f.values[1][last] = -2*total - 1
	for i, j := range d.copied {
		if !d.limits(j) {
			continue
		}
		f.nodes, f.features = nil, [...]int{j, d.Dim() + i}
		f.spans, f.box = d.ranges(j, d.offsets[j]), [...]grid.Span{d.box[j], d.box[d.Dim()+i]}
		f.below(f.box[0])
		list = append(list, f.nodes)
	}
	return list
}

// fence grows a tree over a feature and its copy that tells pairs that are allowed from others.
type fence struct {
	features [2]int
	spans    []grid.Span // by code of the feature: codes that the copy may have
	box      [2]grid.Span
	values   [2][]float64 // of a pair that is allowed, and of one that is not
	nodes    []trees.Node
}

// below appends the tree of some codes of the feature.
func (f *fence) below(codes grid.Span) int {
	at, same := len(f.nodes), true
	for c := codes.Lo; c <= codes.Hi; c++ {
		same = same && f.spans[c] == f.spans[codes.Lo]
	}
	if same {
		return f.among(f.spans[codes.Lo])
	}
	middle := codes.Middle()
	f.test(0, middle)
	f.nodes[at].Left = f.below(grid.Span{Lo: codes.Lo, Hi: middle})
	f.nodes[at].Right = f.below(grid.Span{Lo: middle + 1, Hi: codes.Hi})
	return at
}

// among appends the tree of a copy that may have some codes.
func (f *fence) among(codes grid.Span) int {
	at, whole := len(f.nodes), f.box[1]
	switch {
	case codes.Lo > whole.Lo:
		f.test(1, codes.Lo-1)
		f.nodes[at].Left = f.leaf(1)
		f.box[1].Lo = codes.Lo
		f.nodes[at].Right = f.among(codes)
		f.box[1] = whole
		return at
	case codes.Hi < whole.Hi:
		f.test(1, codes.Hi)
		f.nodes[at].Left = f.leaf(0)
		f.nodes[at].Right = f.leaf(1)
		return at
	}
	return f.leaf(0)
}

func (f *fence) test(of int, cut int32) {
	f.nodes = append(f.nodes, trees.Node{
		Feature: f.features[of], Threshold: float64(cut) + 0.5, Value: f.values[0],
	})
}

func (f *fence) leaf(value int) int {
	f.nodes = append(f.nodes, trees.Node{
		Feature: -1, Left: -1, Right: -1, Value: slices.Clone(f.values[value]),
	})
	return len(f.nodes) - 1
}

// beside sets a feature of both inputs to numbers of two codes that are near each other.
func (d *Difference) beside(x, other []float64, j int, at, beside int32) bool {
	m, f := d.moves.Each[j], &d.features[j]
	if f.codes[at].missing || f.codes[beside].missing {
		return false
	}
	from, to := f.codes[at].side, f.codes[beside].side
	end := m.Hull(to).Lo
	if beside < at {
		end = m.Hull(to).Hi
	}
	var ok bool
	if x[j], ok = m.Nearest(from, end); !ok {
		return false
	}
	if other[j], ok = m.Nearest(to, x[j]); !ok {
		return false
	}
	point := func(v float64) polytope.Interval { return polytope.Interval{Lo: v, Hi: v} }
	return d.offsets[j].allows(point(x[j]), point(other[j]))
}
