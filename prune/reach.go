package prune

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// reach decides whether polytope.Norm.Distance of two finite vectors is at most
// a given distance. The answer is that of computing the distance and comparing,
// always, but most pairs that are farther apart are told by their first
// coordinates: what Distance accumulates never shrinks, in floating-point
// arithmetic neither.
type reach struct {
	norm     polytope.Norm
	distance float64
	limit    float64 // what within may accumulate: a length, for ℓ2 a square
	rescales bool    // ℓ2 distances near this one may be computed in another way
}

// The squares of distances in this range stay away from the limits, 2^±900, at
// which polytope.Norm.Distance leaves the plain sum of squares for a scaled one.
const leastPlain, greatestPlain = 0x1p-440, 0x1p440

func newReach(norm polytope.Norm, distance float64) reach {
	r := reach{norm: norm, distance: distance, limit: distance}
	switch {
	case distance == 0:
		r.norm = polytope.LInf // equal vectors, in every norm
	case norm != polytope.L2:
	case leastPlain <= distance && distance <= greatestPlain:
		r.limit = squareLimit(distance)
	default:
		r.rescales = true
	}
	return r
}

// squareLimit returns the largest s with math.Sqrt(s) ≤ distance, so that
// comparing with it spares the root. Rounding leaves distance² a few steps off.
func squareLimit(distance float64) float64 {
	s := distance * distance
	for math.Sqrt(s) <= distance {
		s = math.Nextafter(s, math.Inf(1))
	}
	for math.Sqrt(s) > distance {
		s = math.Nextafter(s, 0)
	}
	return s
}

// within reports whether x and y, of equal length, are in reach of each other.
func (r *reach) within(x, y []float64) bool {
	switch {
	case r.rescales:
		return r.norm.Distance(x, y) <= r.distance
	case r.norm == polytope.L1:
		return withinL1(x, y, r.limit)
	case r.norm == polytope.L2:
		return withinL2(x, y, r.limit)
	}
	return withinLInf(x, y, r.limit)
}

func withinLInf(x, y []float64, limit float64) bool {
	y = y[:len(x)]
	for j, e := range x {
		if math.Abs(e-y[j]) > limit {
			return false
		}
	}
	return true
}

func withinL1(x, y []float64, limit float64) bool {
	var sum float64
	y = y[:len(x)]
	for j, e := range x {
		if sum += math.Abs(e - y[j]); sum > limit {
			return false
		}
	}
	return true
}

// withinL2 rounds squares before they are added, as Distance does.
func withinL2(x, y []float64, limit float64) bool {
	var sum float64
	y = y[:len(x)]
	for j, e := range x {
		e -= y[j]
		if sum += float64(e * e); sum > limit {
			return false
		}
	}
	return true
}

// apart reports whether a single coordinate, x in one vector and y in the
// other, already puts them out of reach. It never does for vectors in reach: no
// norm's Distance is less than the difference of one coordinate, rounding
// included. (ℓ2: the root of a rounded square is the number squared.) For a
// fixed x it is monotone in y on either side of x.
func (r *reach) apart(x, y float64) bool {
	return math.Abs(x-y) > r.distance
}
