package polytope

import "slices"

// Polyhedron is the intersection of a box, half-spaces, and the half-spaces that
// Rest names on demand. Parts left out do not restrict it: the zero value is the
// whole space.
type Polyhedron struct {
	Box        Box
	HalfSpaces []HalfSpace
	Rest       Separator
}

// Separator stands for a finite family of half-spaces too large to list, such as
// the bisectors around a cell of a Voronoi diagram.
type Separator interface {
	// Separate names half-spaces of the family that the point x+u violates, in
	// terms of the displacement u: add(a, b) stands for {x+u : a·u ≤ b}. The
	// first one named should be the deepest violated or near to it; add copies a
	// and reports whether x+u violates the half-space by more than rounding.
	// Separate must not return without an accepted half-space while there is one
	// that x+u violates by more than rounding. Under a Problem.Margin add
	// looks at the half-space moved inwards: a Separator that is to keep margins
	// names satisfied half-spaces too, those nearest to x+u first, until add
	// accepts one. Certified bounds take a as it is and b to be accurate to
	// len(a) roundings of itself.
	//
	// Separate may be called by many goroutines at once.
	//
	// A Separator may have a method Contains(z []float64) bool besides, which Polyhedron.Contains
	// asks: it decides itself which points it holds, in the arithmetic of a classifier, say, to the
	// last bit.
	Separate(x, u []float64, add func(a []float64, b float64) bool)
}

// Contains reports whether z lies in p, in float64 arithmetic, open sides
// respected. A Rest with a method Contains decides for itself.
func (p Polyhedron) Contains(z []float64) bool {
	if !p.Box.Contains(z) ||
		slices.ContainsFunc(p.HalfSpaces, func(h HalfSpace) bool { return !h.Contains(z) }) {
		return false
	}
	if rest, ok := p.Rest.(interface{ Contains(z []float64) bool }); ok {
		return rest.Contains(z)
	}
	inside := true
	if p.Rest != nil {
		p.Rest.Separate(z, make([]float64, len(z)), func(_ []float64, b float64) bool {
			inside = inside && b >= 0
			return b < 0
		})
	}
	return inside
}
