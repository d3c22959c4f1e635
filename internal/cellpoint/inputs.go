package cellpoint

import (
	"iter"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Decider is a Separator that knows in exact arithmetic which inputs its cell holds.
type Decider interface {
	polytope.Separator
	// Holds reports whether the cell holds z.
	Holds(z []float64) bool
	// Inputs returns inputs of the cell within a box, rounded, around near, a point of the closure
	// of both; false if there provably are none.
	Inputs(box polytope.Box, x, near []float64) (inputs iter.Seq[[]float64], exists bool)
}

// Emptier is a Separator that can tell in exact arithmetic that no point of a box
// lies inside its cell.
type Emptier interface {
	polytope.Separator
	// Empty may say no when it does not know.
	Empty(box polytope.Box) bool
}

// Empty reports whether a region of which a Solver says that it is infeasible is so
// for certain: the Solver proves it, unless half-spaces are named lazily and only
// their family knows them exactly.
func Empty(p polytope.Polyhedron, sol polytope.Solution) bool {
	if e, ok := p.Rest.(Emptier); ok && len(p.HalfSpaces) == 0 {
		return e.Empty(p.Box)
	}
	return math.IsInf(sol.Bound, 1)
}

// Within returns a region within linear rules besides.
func Within(p polytope.Polyhedron, linear []polytope.HalfSpace) polytope.Polyhedron {
	if len(linear) > 0 {
		p.HalfSpaces = slices.Concat(p.HalfSpaces, linear)
	}
	return p
}

// inputs returns inputs of the region, rounded, around near, a point of its closure; false if there
// provably are none.
func (m *margins) inputs(near []float64) (inputs iter.Seq[[]float64], exists bool) {
	if m.decider != nil && len(m.own) == 0 {
		return m.decider.Inputs(m.p.Region.Box, m.p.X, near)
	}
	if m.p.Region.Rest != nil {
		return nil, true
	}
	s, size := m.around(near)
	if s.Len() > mostDecided {
		return nil, true
	}
	return s.Near(make([]float64, len(near)), near, size), s.HasSolution()
}

// around returns the half-spaces and faces of the box on whose borders a point lies but for
// rounding, and the size of its coordinates.
func (m *margins) around(near []float64) (s *exact.System, size float64) {
	p := &m.p
	s = exact.New(len(p.X))
	for j, e := range near {
		size = max(size, math.Abs(e), math.Abs(p.X[j]))
		if p.Region.Box != nil && p.Region.Box[j].Lo == p.Region.Box[j].Hi {
			s.Fix(j, exact.Float(e))
		}
	}
	tolerance := touching*size + tiny
	for _, h := range p.Region.HalfSpaces {
		v, _ := precise.Excess(h.A, h.B, near)
		if v < -tolerance*geometry.DualLength(p.Norm, h.A) || math.IsInf(h.B, 0) {
			continue
		}
		if a, b := exact.Floats(h.A), exact.Float(h.B); h.Open {
			s.Add(a, b)
		} else {
			s.AddClosed(a, b)
		}
	}
	addFaces(s, p.Region.Box, near, tolerance)
	return s, size
}

const (
	// touching is the share of the coordinates' size by which a face may keep off a
	// point and yet count as one that the point lies on.
	touching = 1e-9
	// tiny is added to that where all is 0.
	tiny = 0x1p-1000
	// mostDecided is the number of faces through a point up to which it is decided
	// whether they leave room.
	mostDecided = 200
)

// addFaces adds the faces of a box that a point lies on.
func addFaces(s *exact.System, b polytope.Box, z []float64, tolerance float64) {
	side := func(j, sign int, end float64, open bool) {
		a := exact.Floats(make([]float64, len(z)))
		a[j].SetInt64(int64(sign))
		if v := exact.Float(float64(sign) * end); open {
			s.Add(a, v)
		} else {
			s.AddClosed(a, v)
		}
	}
	for j, i := range b {
		if z[j]-i.Lo <= tolerance && i.Lo < i.Hi {
			side(j, -1, i.Lo, i.LoOpen)
		}
		if i.Hi-z[j] <= tolerance && i.Lo < i.Hi {
			side(j, 1, i.Hi, i.HiOpen)
		}
	}
}

// unfrozen names the half-spaces of a Separator that leave a choice within a box: the others hold
// all over it or nowhere, and no margin fits where they hold with equality.
type unfrozen struct {
	polytope.Separator
	box polytope.Box
}

// Separate implements polytope.Separator.
func (f *unfrozen) Separate(x, u []float64, add func([]float64, float64) bool) {
	f.Separator.Separate(x, u, func(a []float64, b float64) bool {
		for j, e := range a {
			if i := f.box[j]; e != 0 && i.Lo < i.Hi {
				return add(a, b)
			}
		}
		return false
	})
}
