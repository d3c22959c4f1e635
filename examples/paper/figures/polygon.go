package figures

import (
	"math"

	"gonum.org/v1/plot/plotter"

	"github.com/seed-1a7dc1f9/facet/examples/internal/plotting"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// polygon returns the part of a cell of the plane that lies in the frame, counter-
// clockwise, and nil when that has no interior.
func polygon(p polytope.Polyhedron, f plotting.Frame) plotter.XYs {
	xys := plotter.XYs{{X: f.MinX, Y: f.MinY}, {X: f.MaxX, Y: f.MinY}, {X: f.MaxX, Y: f.MaxY}, {
		X: f.MinX,
		Y: f.MaxY,
	}}
	for axis, side := range p.Box {
		a := []float64{0, 0}
		a[axis] = 1
		xys = clip(xys, a, side.Hi)
		a[axis] = -1
		xys = clip(xys, a, -side.Lo)
	}
	for _, h := range p.HalfSpaces {
		xys = clip(xys, h.A, h.B)
	}
	if p.Rest != nil {
		xys = separate(xys, p.Rest)
	}
	if area(xys) < 1e-12 {
		return nil
	}
	return xys
}

// separate cuts off the part that a family of half-spaces excludes: those half-spaces that corners
// violate, until none does.
func separate(xys plotter.XYs, family polytope.Separator) plotter.XYs {
	for {
		a, b, found := violated(xys, family)
		if !found {
			return xys
		}
		xys = clip(xys, a, b)
	}
}

// violated returns a half-plane a·z ≤ b of the family that a corner violates.
func violated(xys plotter.XYs, family polytope.Separator) (a []float64, b float64, found bool) {
	for _, q := range xys {
		z := []float64{q.X, q.Y}
		family.Separate(z, []float64{0, 0}, func(n []float64, r float64) bool {
			length := math.Hypot(n[0], n[1])
			if found || r >= -1e-9*length {
				return found
			}
			a, found = []float64{n[0], n[1]}, true
			b = n[0]*q.X + n[1]*q.Y + r
			return true
		})
		if found {
			return a, b, true
		}
	}
	return nil, 0, false
}

// clip returns the part of a convex polygon with a·z ≤ b.
func clip(xys plotter.XYs, a []float64, b float64) plotter.XYs {
	excess := func(q plotter.XY) float64 { return a[0]*q.X + a[1]*q.Y - b }
	var out plotter.XYs
	for i, q := range xys {
		next := xys[(i+1)%len(xys)]
		v, w := excess(q), excess(next)
		if v <= 0 {
			out = append(out, q)
		}
		if (v < 0 && w > 0) || (v > 0 && w < 0) {
			t := v / (v - w)
			out = append(out, plotter.XY{X: q.X + t*(next.X-q.X), Y: q.Y + t*(next.Y-q.Y)})
		}
	}
	return out
}

// area is that of a polygon.
func area(xys plotter.XYs) float64 {
	var sum float64
	for i, p := range xys {
		q := xys[(i+1)%len(xys)]
		sum += (p.X*q.Y - q.X*p.Y) / 2
	}
	return sum
}
