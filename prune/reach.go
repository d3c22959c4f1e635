package prune

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// reach decides whether the distance of two real vectors, given as float64, is at most a given
// one. Most pairs are decided by rounded arithmetic: what is accumulated errs by no more than slack,
// so that less than sure is within reach and more than limit is not. The others, near
// ties, are decided exactly.
type reach struct {
	norm        polytope.Norm
	radius      float64 // the distance is radius·factor
	factor      int
	distance    float64 // the same, +Inf if that is no float64
	sure, limit float64 // lengths, for ℓ2 squares, between which rounding could decide
	scale       float64 // ℓ2: power of two that keeps squares from over- and underflow; 1 as a rule
}

// The squares of distances in this range, and what a rounding error is of them, are
// far from the limits of float64.
const leastPlain, greatestPlain = 0x1p-440, 0x1p440

// newReach returns the reach of a distance radius·factor, factor 1 or 2, of vectors of dim
// numbers.
func newReach(norm polytope.Norm, radius float64, factor, dim int) reach {
	r := reach{norm: norm, radius: radius, factor: factor, distance: radius * float64(factor), scale: 1}
	if r.distance == 0 {
		r.norm = polytope.LInf // equal vectors, in every norm
	}
	length := r.distance
	if r.norm == polytope.L2 {
		if length < leastPlain || length > greatestPlain && !math.IsInf(length, 1) {
			r.scale = math.Ldexp(1, max(-1022, min(-math.Ilogb(length), 1023)))
		}
		length *= r.scale
		length *= length
	}
	r.sure, r.limit = length, length
	if r.norm != polytope.LInf {
		// A sum of dim terms, each rounded three times at most, and the square of the
		// distance err by less than dim+4 parts in 2^52, rounding here included.
		slack := float64(dim+4) * 0x1p-52
		r.sure, r.limit = length*(1-slack), length*(1+slack)
	}
	if math.IsInf(r.distance, 1) {
		r.sure, r.limit = -1, math.Inf(1) // nothing is sure
	}
	return r
}

// within reports whether x and y, of equal length, are in reach of each other.
func (r *reach) within(x, y []float64) bool {
	switch {
	case math.IsInf(r.distance, 1):
		return exactly(r.norm, x, y, r.radius, r.factor)
	case r.norm == polytope.L1:
		sum := sumL1(x, y, r.limit)
		return sum < r.sure || sum <= r.limit && r.tieL1(x, y)
	case r.norm == polytope.L2 && r.scale == 1:
		sum := sumL2(x, y, r.limit)
		return sum < r.sure || sum <= r.limit && r.tieL2(x, y)
	case r.norm == polytope.L2:
		sum := scaledL2(x, y, r.scale)
		return sum < r.sure || sum <= r.limit && exactly(r.norm, x, y, r.radius, r.factor)
	}
	return withinLInf(x, y, r.limit)
}

// The loops below look at the limit once in four coordinates: a branch costs as
// much as they do.

// withinLInf is exact: rounding keeps the order of differences, so that only those that are
// rounded to the limit need a look at the error.
func withinLInf(x, y []float64, limit float64) bool {
	for len(x) >= 4 && len(y) >= 4 {
		a, b := x[:4], y[:4]
		d, e, f, g := math.Abs(a[0]-b[0]), math.Abs(a[1]-b[1]), math.Abs(a[2]-b[2]), math.Abs(a[3]-b[3])
		if d > limit || e > limit || f > limit || g > limit {
			return false
		}
		if (d == limit || e == limit || f == limit || g == limit) && !tieLInf(a, b, limit) {
			return false
		}
		x, y = x[4:], y[4:]
	}
	return tieLInf(x, y, limit)
}

func tieLInf(x, y []float64, limit float64) bool {
	y = y[:len(x)]
	for j, e := range x {
		d := math.Abs(e - y[j])
		if d > limit || d == limit && beyond(e, y[j]) {
			return false
		}
	}
	return true
}

// beyond reports that rounding made the difference of x and y smaller than it is.
func beyond(x, y float64) bool {
	d, err := difference(max(x, y), min(x, y))
	return d > 0 && err > 0
}

func sumL1(x, y []float64, limit float64) float64 {
	var sum float64
	for len(x) >= 4 && len(y) >= 4 {
		a, b := x[:4], y[:4]
		sum += math.Abs(a[0] - b[0])
		sum += math.Abs(a[1] - b[1])
		sum += math.Abs(a[2] - b[2])
		sum += math.Abs(a[3] - b[3])
		if sum > limit {
			return sum
		}
		x, y = x[4:], y[4:]
	}
	y = y[:len(x)]
	for j, e := range x {
		sum += math.Abs(e - y[j])
	}
	return sum
}

// tieL1 decides near ties: by rounded arithmetic if it happens to be exact, as on a grid.
func (r *reach) tieL1(x, y []float64) bool {
	var sum float64
	for j, e := range x {
		d, err := difference(e, y[j])
		next, lost := difference(sum, -math.Abs(d))
		if err != 0 || lost != 0 {
			return exactly(r.norm, x, y, r.radius, r.factor)
		}
		sum = next
	}
	return sum <= r.distance
}

func sumL2(x, y []float64, limit float64) float64 {
	var sum float64
	for len(x) >= 4 && len(y) >= 4 {
		a, b := x[:4], y[:4]
		d, e, f, g := a[0]-b[0], a[1]-b[1], a[2]-b[2], a[3]-b[3]
		sum += float64(d * d)
		sum += float64(e * e)
		sum += float64(f * f)
		sum += float64(g * g)
		if sum > limit {
			return sum
		}
		x, y = x[4:], y[4:]
	}
	y = y[:len(x)]
	for j, e := range x {
		e -= y[j]
		sum += float64(e * e)
	}
	return sum
}

func scaledL2(x, y []float64, scale float64) float64 {
	var sum float64
	for j, e := range x {
		e = (e - y[j]) * scale
		sum += float64(e * e)
	}
	return sum
}

// tieL2 is tieL1 for squares, of a distance in the plain range.
func (r *reach) tieL2(x, y []float64) bool {
	var sum float64
	for j, e := range x {
		d, err := difference(e, y[j])
		square, rest := product(d, d)
		next, lost := difference(sum, -square)
		if err != 0 || rest != 0 || lost != 0 || d != 0 && math.Abs(d) < leastPlain {
			return exactly(r.norm, x, y, r.radius, r.factor)
		}
		sum = next
	}
	square, rest := product(r.distance, r.distance)
	return sum < square || sum == square && rest >= 0
}

// apart reports whether a single coordinate, x in one vector and y in the
// other, already puts them out of reach. It never does for vectors in reach: no
// distance is less than the difference of one coordinate, and rounding keeps the order.
func (r *reach) apart(x, y float64) bool {
	return math.Abs(x-y) > r.distance
}
