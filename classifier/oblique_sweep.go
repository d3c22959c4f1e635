package classifier

import (
	"cmp"
	"slices"
)

// obliqueValue is where a row changes sides as a threshold, or a step along a
// direction, grows.
type obliqueValue struct {
	at   float64
	row  int32
	left bool // the side it leaves
}

// sweep lets the rows in values change sides in turn, of which so many of all are
// on the left at first. It returns the middle of the gap between two changes that
// leaves least impurity, false when none has enough rows on both sides.
func (g *obliqueGrower) sweep(left, all int) (at, impurity float64, ok bool) {
	v := g.values
	slices.SortFunc(v, func(a, b obliqueValue) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.row, b.row)) })
	for k, e := range v {
		left += g.change(e)
		if k+1 == len(v) || !(e.at < v[k+1].at) || min(left, all-left) < g.opts.MinLeaf {
			continue
		}
		if now := g.impurity(); !ok || now < impurity {
			at, impurity, ok = between(e.at, v[k+1].at), now, true
		}
	}
	return at, impurity, ok
}

// change moves a row to its other side, and returns how many rows the left gains.
func (g *obliqueGrower) change(e obliqueValue) int {
	from, to, gain := g.right, g.left, 1
	if e.left {
		from, to, gain = g.left, g.right, -1
	}
	c := g.y[e.row]
	from[c] -= g.weight[e.row]
	to[c] += g.weight[e.row]
	return gain
}

// impurity returns that of both sides, weighted by their rows.
func (g *obliqueGrower) impurity() float64 {
	total := 0.0
	for _, counts := range [][]float64{g.left, g.right} {
		n := 0.0
		for _, k := range counts {
			n += k
		}
		total += float64(n * g.opts.Criterion.impurity(counts, n))
	}
	return total
}

// between returns the middle of a and the larger b, or a where rounding makes that b.
func between(a, b float64) float64 {
	if middle := a/2 + b/2; a <= middle && middle < b {
		return middle
	}
	return a
}
