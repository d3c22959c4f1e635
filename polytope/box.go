package polytope

import (
	"math"
	"slices"
)

// Interval is the set of numbers between Lo and Hi, either of which may be
// infinite; LoOpen and HiOpen leave the end itself out. The zero value is {0}.
type Interval struct {
	Lo, Hi         float64
	LoOpen, HiOpen bool
}

// Line returns the interval of all real numbers.
func Line() Interval { return Interval{Lo: math.Inf(-1), Hi: math.Inf(1)} }

// Contains reports whether v lies in the interval.
func (i Interval) Contains(v float64) bool {
	return (v > i.Lo || (v == i.Lo && !i.LoOpen)) && (v < i.Hi || (v == i.Hi && !i.HiOpen))
}

// Box is the product of one interval per coordinate. A nil Box stands for the
// whole space wherever a Box is optional.
type Box []Interval

// NewBox returns the box that is all of R^dim.
func NewBox(dim int) Box { return slices.Repeat(Box{Line()}, dim) }

// Cube returns the closed box [lo, hi]^dim.
func Cube(dim int, lo, hi float64) Box { return slices.Repeat(Box{{Lo: lo, Hi: hi}}, dim) }

// Contains reports whether z lies in the box.
func (b Box) Contains(z []float64) bool {
	for j, i := range b {
		if !i.Contains(z[j]) {
			return false
		}
	}
	return true
}
