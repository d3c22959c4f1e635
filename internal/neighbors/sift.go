package neighbors

import "github.com/seed-1a7dc1f9/facet/internal/nnindex"

// sieve works through rows a few at a time.
type sieve struct {
	*Rivals
	tree            *nnindex.Tree
	allowed         int
	radius, horizon float64
	visit           func(position int, squared, bound float64) bool
	over            bool // visit has returned false
	top             TopK

	squared, bounds [sifted]float64
	beyond          [sifted]bool
}

// sifted is how many rows are measured in one go.
const sifted = 32

// Sift visits the rows of a tree that may come before all rivals but those allowed within a radius:
// as far as their distance from X tells, then the nearest rivals, one more than are allowed, and
// then all rivals one by one (BoundAll). It tells their positions in the tree, squared distances
// from X and bounds, and stops when visit returns false.
func (r *Rivals) Sift(
	t *nnindex.Tree, allowed int, radius float64,
	visit func(position int, squared, bound float64) bool,
) {
	s := &sieve{
		Rivals: r, tree: t, allowed: allowed, radius: radius,
		horizon: r.Horizon(allowed, radius), visit: visit,
	}
	farthest := make([]float64, r.dim)
	skip := func(node int) bool {
		squared := t.ToBox(node, r.q.X)
		lo, hi := t.Box(node)
		return s.over || squared > s.horizon ||
			r.q.Prices != nil && r.BoundBox(&s.top, lo, hi, squared, allowed, farthest) > radius
	}
	t.Leaves(skip, func(n nnindex.Node) {
		for first := int(n.First); first < int(n.End) && !s.over; first += sifted {
			s.sift(first, min(first+sifted, int(n.End)))
		}
	})
}

// sift visits rows from one position to another.
func (s *sieve) sift(first, end int) {
	rows := s.tree.Points(nnindex.Node{First: int32(first), End: int32(end)})
	squared := s.squared[:end-first]
	nnindex.SquaredRows(s.q.X, rows, squared)
	near := 0
	for i, e := range squared {
		s.beyond[i] = e > s.horizon
		if !s.beyond[i] {
			near++
		}
	}
	if near == 0 {
		return
	}
	if s.Len() > s.allowed {
		if near > len(squared)/fewOf {
			s.boundTogether(rows, squared)
		} else {
			s.boundEach(rows, squared)
		}
	}
	for i, e := range squared {
		if s.beyond[i] {
			continue
		}
		bound := s.BoundAll(&s.top, rows[i*s.dim:(i+1)*s.dim], e, s.allowed)
		if bound <= s.radius && !s.visit(first+i, e, bound) {
			s.over = true
			return
		}
	}
}

// fewOf is of how many rows one is bounded by itself sooner than all of them together.
const fewOf = 4

// boundTogether notes which rows the nearest rivals bound beyond the radius.
func (s *sieve) boundTogether(rows, squared []float64) {
	bounds := s.bounds[:len(squared)]
	var left [sifted]bool
	for rival := range s.allowed + 1 {
		s.Bounds(rival, rows, squared, bounds)
		for i, b := range bounds {
			left[i] = left[i] || !(b > s.radius)
		}
	}
	for i := range squared {
		s.beyond[i] = s.beyond[i] || !left[i]
	}
}

// boundEach is boundTogether for few rows within the horizon.
func (s *sieve) boundEach(rows, squared []float64) {
	for i, e := range squared {
		if s.beyond[i] {
			continue
		}
		p, beyond := rows[i*s.dim:(i+1)*s.dim], true
		for rival := 0; rival <= s.allowed && beyond; rival++ {
			beyond = s.Bound(rival, p, e) > s.radius
		}
		s.beyond[i] = beyond
	}
}
