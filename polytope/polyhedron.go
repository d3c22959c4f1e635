package polytope

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/gauge"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

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
	// that x+u violates by more than rounding. If it names those whose border x+u
	// lies on as well, StrictlyContains is exact. Under a Problem.Margin add
	// looks at the half-space moved inwards: a Separator that is to keep margins
	// names satisfied half-spaces too, those nearest to x+u first, until add
	// accepts one. Certified bounds take a as it is and b to be accurate to
	// len(a) roundings of itself.
	//
	// Separate may be called by many goroutines at once.
	Separate(x, u []float64, add func(a []float64, b float64) bool)
}

// Container is a Separator that decides itself which points it holds: in the arithmetic of a
// classifier, say, to the last bit.
type Container interface {
	Separator
	Contains(z []float64) bool
	// StrictlyContains reports which points of a box, nil for all of R^d, lie off the borders of
	// all half-spaces, but for those that hold all over the box.
	StrictlyContains(z []float64, box Box) bool
}

// Contains reports whether z lies in p, in float64 arithmetic, open sides
// respected. A Rest that is a Container decides for itself.
func (p Polyhedron) Contains(z []float64) bool {
	if !p.listed(z, HalfSpace.Contains) {
		return false
	}
	if rest, ok := p.Rest.(Container); ok {
		return rest.Contains(z)
	}
	return p.named(z, func(_ []float64, b float64) bool { return b >= 0 })
}

// StrictlyContains is Contains with every half-space taken as open. Where p has
// an interior, it reports whether z lies in it, but for the box, whose sides stay
// open or closed as they are. Half-spaces that are the whole space do not
// restrict it, nor do closed ones on whose border the box leaves no choice but to lie.
// A Rest that is a Container decides for itself.
func (p Polyhedron) StrictlyContains(z []float64) bool {
	inside := func(a []float64, slack float64) bool {
		return slack > 0 || slack == 0 && precise.MaxAbs(a) == 0
	}
	if !p.listed(z, func(h HalfSpace, z []float64) bool {
		v, _ := h.Excess(z)
		return (inside(h.A, -v) || v == 0 && !h.Open && p.Box.constant(h.A)) && !h.empty()
	}) {
		return false
	}
	if rest, ok := p.Rest.(Container); ok {
		return rest.StrictlyContains(z, p.Box)
	}
	return p.named(z, inside)
}

// listed reports whether the box contains z and all listed half-spaces do.
func (p Polyhedron) listed(z []float64, contains func(HalfSpace, []float64) bool) bool {
	return p.Box.Contains(z) &&
		!slices.ContainsFunc(p.HalfSpaces, func(h HalfSpace) bool { return !contains(h, z) })
}

// named reports whether z is inside what Rest names around it, if there is a Rest.
func (p Polyhedron) named(z []float64, inside func(a []float64, slack float64) bool) bool {
	all := true
	if p.Rest != nil {
		p.Rest.Separate(z, make([]float64, len(z)), func(a []float64, b float64) bool {
			all = all && inside(a, b)
			return b < 0
		})
	}
	return all
}

// Bound returns a lower bound on the distance from x to p where moves have prices, nil for 1: the
// largest of the distances to its box, to its half-spaces, and to the one that Rest names first.
// It costs one pass over them.
func (p Polyhedron) Bound(norm Norm, prices *Prices, x []float64) float64 {
	g := gauge.Of(norm, prices)
	bound := boxBound(g, p.Box, x)
	for _, h := range p.HalfSpaces {
		bound = max(bound, h.bound(g, x))
	}
	if p.Rest != nil {
		origin := make([]float64, len(x))
		p.Rest.Separate(x, origin, func(a []float64, b float64) bool {
			h := HalfSpace{A: a, B: b + math.Abs(b)*precise.Roundoff*float64(len(a))}
			bound = max(bound, h.bound(g, origin))
			return b < 0
		})
	}
	return bound
}

// Check returns an error that names the first fault of p as a polyhedron in R^dim.
func (p Polyhedron) Check(dim int) error {
	if err := p.Box.check(dim); err != nil {
		return err
	}
	for i, h := range p.HalfSpaces {
		if err := h.check(dim); err != nil {
			return fmt.Errorf("half-space %d: %w", i, err)
		}
	}
	return nil
}
