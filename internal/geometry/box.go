package geometry

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Empty reports whether no real number lies in an interval. One with a NaN end is empty.
func Empty(i polytope.Interval) bool {
	if math.IsInf(i.Lo, 1) || math.IsInf(i.Hi, -1) {
		return true
	}
	return !(i.Lo < i.Hi || (i.Lo == i.Hi && !i.LoOpen && !i.HiOpen))
}

// Nearest returns the point of the closed interval nearest to v.
func Nearest(i polytope.Interval, v float64) float64 {
	if v < i.Lo {
		return i.Lo
	}
	if v > i.Hi {
		return i.Hi
	}
	return v
}

// Gap returns the distance from v to the closed interval, rounded down to a float64: the largest of
// all where it overflows.
func Gap(i polytope.Interval, v float64) float64 {
	if v < i.Lo {
		return precise.SubDown(i.Lo, v)
	}
	if v > i.Hi {
		return precise.SubDown(v, i.Hi)
	}
	return 0
}

// Inside returns the finite float64 nearest to v that lies in the interval, open ends respected;
// false when none does.
func Inside(i polytope.Interval, v float64) (float64, bool) {
	v = Nearest(i, v)
	if v == i.Lo && i.LoOpen {
		v = math.Nextafter(v, math.Inf(1))
	}
	if v == i.Hi && i.HiOpen {
		v = math.Nextafter(v, math.Inf(-1))
	}
	return v, i.Contains(v) && !math.IsInf(v, 0)
}

// Intersect returns the interval of the numbers that lie in both. A NaN end of either stays one.
func Intersect(i, o polytope.Interval) polytope.Interval {
	if o.Lo > i.Lo || math.IsNaN(o.Lo) || (o.Lo == i.Lo && o.LoOpen) {
		i.Lo, i.LoOpen = o.Lo, o.LoOpen
	}
	if o.Hi < i.Hi || math.IsNaN(o.Hi) || (o.Hi == i.Hi && o.HiOpen) {
		i.Hi, i.HiOpen = o.Hi, o.HiOpen
	}
	return i
}

// EmptyBox reports whether some interval of a box is empty.
func EmptyBox(b polytope.Box) bool { return slices.ContainsFunc(b, Empty) }

// IntersectBoxes returns the intersection of two boxes, where nil is the whole space: that with
// another box is this box itself.
func IntersectBoxes(b, o polytope.Box) polytope.Box {
	switch {
	case b == nil:
		return o
	case o == nil:
		return b
	}
	box := slices.Clone(b)
	for j := range box {
		box[j] = Intersect(box[j], o[j])
	}
	return box
}

// NearestIn writes to dst the point of the closed box nearest to x, which is the same in all three
// norms, and returns it. A nil dst is allocated; dst may be x.
func NearestIn(dst []float64, b polytope.Box, x []float64) []float64 {
	dst = append(dst[:0], x...)
	for j, i := range b {
		dst[j] = Nearest(i, x[j])
	}
	return dst
}

// InsideBox is NearestIn with open ends respected: each coordinate is the float64 nearest to x that
// lies in its interval. It returns false when some interval holds no float64.
func InsideBox(dst []float64, b polytope.Box, x []float64) ([]float64, bool) {
	dst = append(dst[:0], x...)
	for j, i := range b {
		v, ok := Inside(i, x[j])
		if !ok {
			return dst, false
		}
		dst[j] = v
	}
	return dst, true
}

// Reachable returns the part of a box that can be reached from x: where a coordinate must not move
// one way, the part ends at x.
func Reachable(p *polytope.Prices, b polytope.Box, x []float64) polytope.Box {
	if p == nil ||
		!slices.ContainsFunc(slices.Concat(p.Up, p.Down), func(v float64) bool {
			return math.IsInf(v, 1)
		}) {
		return b
	}
	reach := polytope.NewBox(len(x))
	for j, v := range x {
		if math.IsInf(p.Up[j], 1) {
			reach[j].Hi = v
		}
		if math.IsInf(p.Down[j], 1) {
			reach[j].Lo = v
		}
	}
	return IntersectBoxes(reach, b)
}
