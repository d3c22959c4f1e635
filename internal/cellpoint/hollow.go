package cellpoint

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Decider is a Separator that can tell in exact arithmetic which inputs of its cell count within a
// box, around a point of the cell's closure.
type Decider interface {
	polytope.Separator
	// Face returns the face of the box on which they lie: the box itself, where they have an
	// interior within its affine hull, or an end of it that the cell touches. It may say so, too,
	// when it does not know. It returns false if there are none. Of an end it may return a point,
	// rounded, that is one of them and as near to x as near is but for rounding.
	Face(box polytope.Box, x, near []float64) (face polytope.Box, point []float64, exists bool)
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

// face returns the face of its box on which the inputs of the region lie that count, around
// near, a point of its closure; false if there provably are none. But for a Decider they count
// where half-spaces, within the affine hull of the box, have an interior, in the box or not: an end
// of the box is an input like any other.
func (m *margins) face(near []float64) (face polytope.Box, point []float64, exists bool) {
	if d, ok := m.p.Region.Rest.(Decider); ok && len(m.own) == 0 {
		return d.Face(m.p.Region.Box, m.p.X, near)
	}
	return m.p.Region.Box, nil, m.p.Region.Rest != nil || !m.hollow(near)
}

// hollow reports whether half-spaces provably have no interior around near, or no point there in
// common with the box and linear rules.
func (m *margins) hollow(near []float64) bool {
	p, s := &m.p, exact.New(len(m.p.X))
	size := 0.0
	for j, e := range near {
		size = max(size, math.Abs(e), math.Abs(p.X[j]))
		if p.Region.Box != nil && p.Region.Box[j].Lo == p.Region.Box[j].Hi {
			s.Fix(j, exact.Float(e))
		}
	}
	blur := touching*size + tiny
	add := func(h *polytope.HalfSpace, firm bool) {
		if v, _ := h.Excess(near); v < -blur*p.Norm.Dual().Length(h.A) || math.IsInf(h.B, 0) {
			return
		}
		a, b := exact.Floats(h.A), exact.Float(h.B)
		switch {
		case h.Open:
			s.Add(a, b)
		case firm || !s.Ties(a, b):
			s.AddClosed(a, b)
		}
	}
	for i := range m.own {
		add(&m.own[i], false)
	}
	if s.Len() > mostDecided {
		return false
	}
	if !s.HasInterior() {
		return true
	}
	for i := range m.linear {
		add(&m.linear[i], true)
	}
	addSides(s, p.Region.Box, near, blur)
	return s.Len() <= mostDecided && !s.HasSolution()
}

const (
	// touching is the share of the coordinates' size by which a side may keep off a
	// point and yet count as one that the point lies on.
	touching = 1e-9
	// tiny is added to that where all is 0.
	tiny = 0x1p-1000
	// mostDecided is the number of sides through a point up to which it is decided
	// whether they leave room.
	mostDecided = 200
)

// addSides adds the sides of a box that a point lies on.
func addSides(s *exact.System, b polytope.Box, z []float64, blur float64) {
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
		if z[j]-i.Lo <= blur && i.Lo < i.Hi {
			side(j, -1, i.Lo, i.LoOpen)
		}
		if i.Hi-z[j] <= blur && i.Lo < i.Hi {
			side(j, 1, i.Hi, i.HiOpen)
		}
	}
}

// onFace names the half-spaces of a Separator that leave a choice on a face of a box: the others
// hold all over it or nowhere, and no margin fits where they hold with equality.
type onFace struct {
	Decider
	face polytope.Box
}

// Separate implements polytope.Separator.
func (f *onFace) Separate(x, u []float64, add func([]float64, float64) bool) {
	f.Decider.Separate(x, u, func(a []float64, b float64) bool {
		for j, e := range a {
			if i := f.face[j]; e != 0 && i.Lo < i.Hi {
				return add(a, b)
			}
		}
		return false
	})
}
