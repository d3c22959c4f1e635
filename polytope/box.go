package polytope

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
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

// Empty reports whether no real number lies in the interval. An interval with a
// NaN end is empty.
func (i Interval) Empty() bool {
	if math.IsInf(i.Lo, 1) || math.IsInf(i.Hi, -1) {
		return true
	}
	return !(i.Lo < i.Hi || (i.Lo == i.Hi && !i.LoOpen && !i.HiOpen))
}

// Closest returns the point of the closed interval nearest to v.
func (i Interval) Closest(v float64) float64 {
	if v < i.Lo {
		return i.Lo
	}
	if v > i.Hi {
		return i.Hi
	}
	return v
}

// Bound returns the distance from v to the closed interval, rounded down to a
// float64: the largest of all where it overflows.
func (i Interval) Bound(v float64) float64 {
	if v < i.Lo {
		return precise.SubDown(i.Lo, v)
	}
	if v > i.Hi {
		return precise.SubDown(v, i.Hi)
	}
	return 0
}

// Inside returns the finite float64 nearest to v that lies in the interval, open
// ends respected; false when none does.
func (i Interval) Inside(v float64) (float64, bool) {
	v = i.Closest(v)
	if v == i.Lo && i.LoOpen {
		v = math.Nextafter(v, math.Inf(1))
	}
	if v == i.Hi && i.HiOpen {
		v = math.Nextafter(v, math.Inf(-1))
	}
	return v, i.Contains(v) && !math.IsInf(v, 0)
}

// Intersect returns the interval of the numbers that lie in both. A NaN end of
// either stays one.
func (i Interval) Intersect(o Interval) Interval {
	if o.Lo > i.Lo || math.IsNaN(o.Lo) || (o.Lo == i.Lo && o.LoOpen) {
		i.Lo, i.LoOpen = o.Lo, o.LoOpen
	}
	if o.Hi < i.Hi || math.IsNaN(o.Hi) || (o.Hi == i.Hi && o.HiOpen) {
		i.Hi, i.HiOpen = o.Hi, o.HiOpen
	}
	return i
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

// Empty reports whether some interval is empty.
func (b Box) Empty() bool {
	for _, i := range b {
		if i.Empty() {
			return true
		}
	}
	return false
}

// Intersect returns the intersection of two boxes, where nil is the whole space: that
// with another box is this box itself.
func (b Box) Intersect(o Box) Box {
	switch {
	case b == nil:
		return o
	case o == nil:
		return b
	}
	box := slices.Clone(b)
	for j := range box {
		box[j] = box[j].Intersect(o[j])
	}
	return box
}

// Closest writes to dst the point of the closed box nearest to x, which is the
// same in all three norms, and returns it. A nil dst is allocated; dst may be x.
func (b Box) Closest(dst, x []float64) []float64 {
	dst = append(dst[:0], x...)
	for j, i := range b {
		dst[j] = i.Closest(x[j])
	}
	return dst
}

// Inside is Closest with open sides respected: each coordinate is the float64
// nearest to x that lies in its interval. It returns false when some interval
// holds no float64.
func (b Box) Inside(dst, x []float64) ([]float64, bool) {
	dst = append(dst[:0], x...)
	for j, i := range b {
		v, ok := i.Inside(x[j])
		if !ok {
			return dst, false
		}
		dst[j] = v
	}
	return dst, true
}

// Distance returns the distance from x to the closed box, +Inf when the box is empty
// or the distance beyond float64.
func (b Box) Distance(norm Norm, x []float64) float64 {
	var sum, squares, most float64
	for j, i := range b {
		if i.Empty() {
			return math.Inf(1)
		}
		gap := math.Abs(x[j] - i.Closest(x[j]))
		sum += gap
		squares += float64(gap * gap)
		most = max(most, gap)
	}
	switch {
	case norm == L1:
		return sum
	case norm == L2 && precise.Usual(squares):
		return math.Sqrt(squares)
	case norm == L2:
		return norm.Distance(x[:len(b)], b.Closest(nil, x[:len(b)]))
	}
	return most
}

// Bound returns a lower bound on the distance from x to the closed box, for finite
// x: +Inf when the box is empty, otherwise at most the largest float64. It is the
// distance itself, rounded down, in ℓ∞ and wherever no sum on the way is rounded.
func (b Box) Bound(norm Norm, x []float64) float64 {
	var sum, most float64
	for j, i := range b {
		if i.Empty() {
			return math.Inf(1)
		}
		gap := i.Bound(x[j])
		most = max(most, gap)
		if norm == L1 {
			sum = precise.AddDown(sum, gap)
		}
	}
	switch {
	case norm == L1:
		return sum
	case norm == LInf || most == 0:
		return most
	}
	squares := precise.NewEuclidean(most)
	for j, i := range b {
		squares.Add(i.Bound(x[j]))
	}
	return squares.Root()
}

func (b Box) check(dim int) error {
	if b == nil {
		return nil
	}
	if len(b) != dim {
		return fmt.Errorf("box: %w: got %d intervals, want %d", ErrDimension, len(b), dim)
	}
	for j, i := range b {
		if math.IsNaN(i.Lo) || math.IsNaN(i.Hi) {
			return fmt.Errorf("box: interval %d ends in NaN: %w", j, ErrNotFinite)
		}
	}
	return nil
}
