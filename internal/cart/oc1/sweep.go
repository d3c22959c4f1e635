package oc1

import (
	"cmp"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/cart"
)

// sweep is the rows of a node on the two sides of a hyperplane that moves as a
// threshold, or a step along a direction, grows.
type sweep struct {
	left, right []float64 // class counts
	leftRows    int
	changes     []change
}

// change is where a row changes sides.
type change struct {
	at   float64
	row  int32
	left bool // the side it leaves
}

// reset empties both sides.
func (s *sweep) reset() {
	clear(s.left)
	clear(s.right)
	s.leftRows, s.changes = 0, s.changes[:0]
}

// put puts a row on a side.
func (s *sweep) put(left bool, class int, weight float64) {
	if left {
		s.left[class] += weight
		s.leftRows++
	} else {
		s.right[class] += weight
	}
}

// best lets the rows of a node, so many in all, change sides in turn. It returns the
// middle of the gap between two changes that leaves least impurity, false when none
// has enough rows on both sides.
func (g *grower) best(s *sweep, all int) (at, impurity float64, ok bool) {
	v := s.changes
	slices.SortFunc(v,
		func(a, b change) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.row, b.row)) })
	for k, e := range v {
		s.cross(e.left, g.y[e.row], g.weight[e.row])
		if k+1 == len(v) || !(e.at < v[k+1].at) ||
			min(s.leftRows, all-s.leftRows) < g.options.MinLeaf {
			continue
		}
		if now := s.impurity(g.options.Criterion); !ok || now < impurity {
			at, impurity, ok = between(e.at, v[k+1].at), now, true
		}
	}
	return at, impurity, ok
}

// cross moves a row from the left or the right to the other side.
func (s *sweep) cross(fromLeft bool, class int, weight float64) {
	from, to := s.right, s.left
	if fromLeft {
		from, to = s.left, s.right
		s.leftRows--
	} else {
		s.leftRows++
	}
	from[class] -= weight
	to[class] += weight
}

// impurity returns that of both sides, weighted by their rows.
func (s *sweep) impurity(c cart.Criterion) float64 {
	total := 0.0
	for _, counts := range [][]float64{s.left, s.right} {
		n := 0.0
		for _, k := range counts {
			n += k
		}
		total += float64(n * c.Impurity(counts, n))
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
