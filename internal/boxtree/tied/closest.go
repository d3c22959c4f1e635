package tied

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// node is a box within the sides, with its bound.
type node struct {
	box   polytope.Box
	bound float64
	point []float64 // of the program, nil if there is none
}

// mostNodes is how many boxes are looked at. Whole steps without limits may have no end.
const mostNodes = 500

// Closest returns a lower bound on the cost of values in the sides that keep the rules, +Inf if
// there are none, and the cheapest of them that it finds: nil if it finds none, or all float64.
func (r *Rules) Closest(sides []polytope.Interval) (bound float64, z []float64) {
	box, ok := r.hull(sides)
	if !ok {
		return math.Inf(1), nil
	}
	bound = math.Inf(1)
	var open []node
	push := func(box polytope.Box) {
		if n := (node{box: box}); !geometry.EmptyBox(box) {
			if n.bound, n.point = r.relax(box); !math.IsInf(n.bound, 1) {
				open = append(open, n)
			}
		}
	}
	push(box)
	for range mostNodes {
		at := nearest(open)
		if at < 0 || open[at].bound >= bound {
			return bound, nil // the nearest part is too thin
		}
		n := open[at]
		open = slices.Delete(open, at, at+1)
		if halves := r.divide(&n); halves != nil {
			for _, half := range halves {
				push(half)
			}
			continue
		}
		if z := r.settle(&n); z != nil {
			return n.bound, z
		}
		if halves := r.around(&n); halves != nil {
			for _, half := range halves {
				push(half)
			}
			continue
		}
		if !r.empty(n.box) {
			bound = min(bound, n.bound)
		}
	}
	if at := nearest(open); at >= 0 {
		bound = min(bound, open[at].bound)
	}
	return bound, nil
}

// nearest returns the first of the nodes with the lowest bound, −1 if there are none.
func nearest(open []node) int {
	best := -1
	for i := range open {
		if best < 0 || open[i].bound < open[best].bound {
			best = i
		}
	}
	return best
}

// divide returns the halves of a node whose program differs from the rules: it took a number for a
// whole step, where it lies most in between, or a price for that of the other direction. It returns
// nil if there is no such thing.
func (r *Rules) divide(n *node) (halves []polytope.Box) {
	if n.point == nil {
		return nil
	}
	feature, most := -1, offGrid
	for i, m := range r.moves {
		side, v := n.box[i], n.point[i]
		if r.steps(i) && side.Lo < side.Hi {
			if near, ok := m.OnGrid(side, v); ok && math.Abs(near-v) > most*m.Step {
				feature, most = i, math.Abs(near-v)/m.Step
			}
		}
	}
	if feature >= 0 {
		side, v := n.box[feature], n.point[feature]
		below, above := side, side
		below.Hi, above.Lo = v, v
		for _, half := range [...]polytope.Interval{
			r.whole(feature, below), r.whole(feature, above),
		} {
			halves = append(halves, n.with(feature, half))
		}
		return halves
	}
	if r.norm != polytope.L2 {
		return nil
	}
	for i, side := range n.box {
		x, v := r.x[i], n.point[i]
		if side.Lo < x && side.Hi > x &&
			(v > x && r.up[i] > r.down[i] || v < x && r.down[i] > r.up[i]) {
			return []polytope.Box{
				n.with(i, polytope.Interval{Lo: x, Hi: side.Hi, HiOpen: side.HiOpen}),
				n.with(i, polytope.Interval{Lo: side.Lo, LoOpen: side.LoOpen, Hi: x}),
			}
		}
	}
	return nil
}

// offGrid is the share of a step by which a value misses the grid for certain.
const offGrid = 1e-6

// with returns the box with another side.
func (n *node) with(i int, side polytope.Interval) polytope.Box {
	box := slices.Clone(n.box)
	box[i] = side
	return box
}

// around divides a node at a whole step that its point seems to take: the step, and the steps on
// either side. It returns nil if all steps are known.
func (r *Rules) around(n *node) (parts []polytope.Box) {
	for i, m := range r.moves {
		side := n.box[i]
		if !r.steps(i) || side.Lo >= side.Hi {
			continue
		}
		at := geometry.Nearest(side, r.x[i])
		if n.point != nil {
			at = n.point[i]
		}
		at, ok := m.OnGrid(side, at)
		if !ok {
			return nil
		}
		below, above := side, side
		below.Hi, above.Lo = math.Nextafter(at, math.Inf(-1)), math.Nextafter(at, math.Inf(1))
		for _, part := range [...]polytope.Interval{{Lo: at, Hi: at}, below, above} {
			if part = r.whole(i, part); !geometry.Empty(part) {
				parts = append(parts, n.with(i, part))
			}
		}
		return parts
	}
	return nil
}

// mostRows is up to how many sides and rules it is decided exactly whether they leave a point.
const mostRows = 200

// empty reports whether a box provably holds no real numbers that keep the rules, open ends
// respected.
func (r *Rules) empty(box polytope.Box) bool {
	s := exact.New(len(box))
	for i, side := range box {
		if side.Lo == side.Hi {
			s.Fix(i, exact.Float(side.Lo))
		}
	}
	add := func(a []float64, b float64, open bool) {
		switch {
		case math.IsInf(b, 1):
		case open:
			s.Add(exact.Floats(a), exact.Float(b))
		default:
			s.AddClosed(exact.Floats(a), exact.Float(b))
		}
	}
	for _, h := range r.halves {
		add(h.A, h.B, h.Open)
	}
	unit := make([]float64, len(box))
	for i, side := range box {
		if side.Lo == side.Hi {
			continue
		}
		unit[i] = 1
		add(unit, side.Hi, side.HiOpen)
		unit[i] = -1
		add(unit, -side.Lo, side.LoOpen)
		unit[i] = 0
	}
	return s.Len() <= mostRows && !s.HasSolution()
}
