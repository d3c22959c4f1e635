package prune

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// ball decides whether polytope.Norm.Distance of two finite vectors is at most
// a given distance. The answer is that of computing the distance and comparing,
// always, but most pairs that are farther apart are told by their first
// coordinates: the sum that Distance accumulates never shrinks, in floating-point arithmetic
// neither.
type ball struct {
	norm     polytope.Norm
	distance float64
	limit    float64 // the most that within may accumulate: a length, for ℓ2 a square
	rescales bool    // ℓ2 distances near this one may be computed in another way
	// local: vectors end with a radius each, and are to be at most the sum of theirs from each
	// other, which the distance bounds.
	local bool
}

// The squares of distances in this range stay away from the limits, 2^±900, at
// which polytope.Norm.Distance leaves the plain sum of squares for a scaled one.
const leastPlain, greatestPlain = 0x1p-440, 0x1p440

func newBall(norm polytope.Norm, distance float64) ball {
	r := ball{norm: norm, distance: distance, limit: distance}
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
// comparing with it spares the root.
func squareLimit(distance float64) float64 {
	s, _ := precise.Last(func(s float64) bool { return !(math.Sqrt(s) > distance) })
	return s
}

// within reports whether x and y, of equal length, are within the distance of each other.
func (r *ball) within(x, y []float64) bool {
	switch {
	case r.local:
		return r.withinBoth(x, y)
	case r.rescales:
		return r.norm.Distance(x, y) <= r.distance
	case r.norm == polytope.L1:
		return withinL1(x, y, r.limit)
	case r.norm == polytope.L2:
		return withinL2(x, y, r.limit)
	}
	return withinLInf(x, y, r.limit)
}

// withinBoth is within of vectors that end with their radii.
func (r *ball) withinBoth(x, y []float64) bool {
	last := len(x) - 1
	x, y, limit := x[:last], y[:last], x[last]+y[last]
	switch r.norm {
	case polytope.L1:
		return withinL1(x, y, limit)
	case polytope.L2:
		return r.norm.Distance(x, y) <= limit
	}
	return withinLInf(x, y, limit)
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

// overlap is how a box lies to the ball around a point.
type overlap int

const (
	across  overlap = iota // not known to be one of the others
	outside                // no point of the box is in the ball
	inside                 // all are
)

// tooFar reports whether a single coordinate, x in one vector and y in the other, already puts them
// out of the ball. It never does for vectors within it: no norm's Distance is less than the
// difference of one coordinate, rounding included. (ℓ2: the root of a rounded square is the number
// squared.)
func (r *ball) tooFar(x, y float64) bool {
	return math.Abs(x-y) > r.distance
}

// box tells how the box from lo to hi lies to the ball around q. It is never
// wrong: a coordinate's distance to its interval is at most that to a point of it, that
// to the farther end at least, rounded or not, and sums of smaller numbers are not
// greater. A box that is a single point, however often it occurs, is outside or inside.
func (r *ball) box(q, lo, hi []float64) overlap {
	lo, hi = lo[:len(q)], hi[:len(q)]
	switch {
	case r.rescales, r.local:
		return r.boxApart(q, lo, hi)
	case r.norm == polytope.L1:
		return boxL1(q, lo, hi, r.limit)
	case r.norm == polytope.L2:
		return boxL2(q, lo, hi, r.limit)
	}
	return boxLInf(q, lo, hi, r.limit)
}

// boxApart judges by single coordinates, where distances are summed in another way or radii differ,
// and finds only single points inside.
func (r *ball) boxApart(q, lo, hi []float64) overlap {
	if slices.Equal(lo, hi) {
		if r.within(q, lo) {
			return inside
		}
		return outside
	}
	limit := r.distance
	if r.local {
		last := len(q) - 1
		q, limit = q[:last], q[last]+hi[last]
	}
	for j, e := range q {
		if lo[j]-e > limit || e-hi[j] > limit {
			return outside
		}
	}
	return across
}

func boxLInf(q, lo, hi []float64, limit float64) overlap {
	found := inside
	for j, e := range q {
		if lo[j]-e > limit || e-hi[j] > limit {
			return outside
		}
		if hi[j]-e > limit || e-lo[j] > limit {
			found = across
		}
	}
	return found
}

func boxL1(q, lo, hi []float64, limit float64) overlap {
	var near, far float64
	for j, e := range q {
		near += max(lo[j]-e, e-hi[j], 0)
		far += max(hi[j]-e, e-lo[j])
	}
	return between(near, far, limit)
}

func boxL2(q, lo, hi []float64, limit float64) overlap {
	var near, far float64
	for j, e := range q {
		n, f := max(lo[j]-e, e-hi[j], 0), max(hi[j]-e, e-lo[j])
		near += float64(n * n)
		far += float64(f * f)
	}
	return between(near, far, limit)
}

// between judges by the distances to the nearest and the farthest corner.
func between(near, far, limit float64) overlap {
	switch {
	case near > limit:
		return outside
	case far > limit:
		return across
	}
	return inside
}
