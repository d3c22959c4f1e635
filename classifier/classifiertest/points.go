package classifiertest

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// steps is the number of steps of the grid on which half of the points lie: sums
// with small coefficients have no rounding errors there.
const steps = 64

// findSpan finds where the cells have their borders.
func (t *tester) findSpan() {
	lo, hi := make([]float64, t.dim), make([]float64, t.dim)
	for j := range lo {
		lo[j], hi[j] = math.Inf(1), math.Inf(-1)
	}
	include := func(j int, v float64) {
		if math.Abs(v) < math.MaxFloat64/4 {
			lo[j], hi[j] = min(lo[j], v), max(hi[j], v)
		}
	}
	origin := make([]float64, t.dim)
	if len(t.opts.inputs) > 0 {
		origin = t.opts.inputs[0]
	}
	for _, cell := range t.cells {
		for j, i := range cell.Region.Box {
			include(j, i.Lo)
			include(j, i.Hi)
		}
		// It lies on a border, unless it is the origin.
		for j, v := range t.closest(cell.Region, origin, 0) {
			include(j, v)
		}
	}
	for _, x := range t.opts.inputs {
		for j, v := range x {
			include(j, v)
		}
	}
	t.span = make(polytope.Box, t.dim)
	for j := range t.span {
		margin := (hi[j] - lo[j]) / 2
		if !(margin > 0) {
			margin = max(1, math.Abs(lo[j]))
		}
		t.span[j] = polytope.Interval{Lo: lo[j] - margin, Hi: hi[j] + margin}
	}
}

// closest returns the point of p closest to x that keeps the margin; nil if none.
func (t *tester) closest(p polytope.Polyhedron, x []float64, margin float64) []float64 {
	defer guard.Name("the regions of Cells", t.c)
	sol, err := t.solver.Closest(context.Background(), polytope.Problem{
		X:      x,
		Region: p,
		Margin: margin,
		Norm:   polytope.Norm(t.rng.IntN(3)),
	})
	if err != nil || sol.Status != polytope.StatusOptimal ||
		geometry.CheckPoint(sol.Point, t.dim) != nil {
		return nil
	}
	return sol.Point
}

// draw returns a point of the span, every second time one of a grid.
func (t *tester) draw() []float64 {
	x := make([]float64, t.dim)
	onGrid := t.rng.IntN(2) == 0
	for j, i := range t.span {
		x[j] = i.Lo + t.rng.Float64()*(i.Hi-i.Lo)
		if onGrid {
			x[j] = t.toGrid(j, x[j])
		}
	}
	return x
}

// toGrid rounds to a multiple of a power of two.
func (t *tester) toGrid(j int, v float64) float64 {
	_, exponent := math.Frexp((t.span[j].Hi - t.span[j].Lo) / steps)
	step := math.Ldexp(1, exponent)
	return step * math.Round(v/step)
}

func (t *tester) lookAnywhere() {
	for range t.opts.points {
		t.look(t.draw())
	}
}

// lookInside looks at points of the interior of cells.
func (t *tester) lookInside() {
	for n := range t.opts.points {
		cell := t.cells[n%len(t.cells)]
		margin := t.width() * math.Ldexp(1, -2-t.rng.IntN(20))
		if z := t.closest(cell.Region, t.draw(), margin); z != nil {
			t.look(z)
		}
	}
}

// width is the length of the shortest side of the span.
func (t *tester) width() float64 {
	width := math.Inf(1)
	for _, i := range t.span {
		width = min(width, i.Hi-i.Lo)
	}
	return width
}

// lookAtSides looks at points on the sides of cells, and to either hand of them.
func (t *tester) lookAtSides() {
	for looked := 0; looked < t.opts.points; {
		before := looked
		for _, cell := range t.cells {
			for side := range 2*len(cell.Region.Box) + len(cell.Region.HalfSpaces) {
				if t.lookAtSide(cell.Region, side) {
					looked++
				}
			}
			if cell.Region.Rest != nil {
				if z := t.closest(cell.Region, t.draw(), 0); z != nil {
					t.lookAround(z, t.rng.IntN(t.dim))
					looked++
				}
			}
		}
		if looked == before {
			return // no cell has a border
		}
	}
}

// lookAtSide looks at a point of a cell's closure on one of its sides: the ends of its
// box count first, then its half-spaces. It returns false if there is none.
func (t *tester) lookAtSide(p polytope.Polyhedron, side int) bool {
	x := t.draw()
	if j := side / 2; j < len(p.Box) {
		end := p.Box[j].Lo
		if side%2 == 1 {
			end = p.Box[j].Hi
		}
		if math.IsInf(end, 0) {
			return false
		}
		p.Box = slices.Clone(p.Box)
		p.Box[j] = polytope.Interval{Lo: end, Hi: end}
		z := t.closest(p, x, 0)
		if z == nil {
			return false
		}
		snap(z, p.Box)
		t.lookAround(z, j)
		return true
	}
	h := p.HalfSpaces[side-2*len(p.Box)]
	p.HalfSpaces = append(slices.Clone(p.HalfSpaces), opposite(h))
	z := t.closest(p, x, 0)
	if z == nil {
		return false
	}
	snap(z, p.Box)
	j := longest(h.A)
	t.lookAround(z, j)
	t.lookAround(t.exactly(h, z, j), j)
	return true
}

// snap moves coordinates onto the ends of intervals that they miss by rounding.
func snap(z []float64, b polytope.Box) {
	for j, i := range b {
		for _, end := range []float64{i.Lo, i.Hi} {
			if !math.IsInf(end, 0) && math.Abs(z[j]-end) <= 1e-12*math.Abs(end) {
				z[j] = end
			}
		}
	}
}

// exactly moves z onto the grid, and coordinate j back onto the side: often A·z = B
// then holds without rounding.
func (t *tester) exactly(h polytope.HalfSpace, z []float64, j int) []float64 {
	z = slices.Clone(z)
	for i, v := range z {
		z[i] = t.toGrid(i, v)
	}
	if h.A[j] != 0 {
		excess, _ := precise.Excess(h.A, h.B, z)
		z[j] -= excess / h.A[j]
	}
	return z
}

// lookAround looks at z, and to either hand of it along coordinate j: one float64 away
// and a small step.
func (t *tester) lookAround(z []float64, j int) {
	t.look(z)
	step := (t.span[j].Hi - t.span[j].Lo) / 4096
	v := z[j]
	for _, w := range []float64{
		math.Nextafter(v, math.Inf(-1)), math.Nextafter(v, math.Inf(1)), v - step, v + step,
	} {
		beside := slices.Clone(z)
		beside[j] = w
		t.look(beside)
	}
}

// opposite returns the half-space on the other hand of the border of h.
func opposite(h polytope.HalfSpace) polytope.HalfSpace {
	return polytope.HalfSpace{A: floats.ScaleTo(make([]float64, len(h.A)), -1, h.A), B: -h.B}
}

// longest returns the coordinate with the largest coefficient.
func longest(a []float64) int {
	best := 0
	for j, v := range a {
		if math.Abs(v) > math.Abs(a[best]) {
			best = j
		}
	}
	return best
}
