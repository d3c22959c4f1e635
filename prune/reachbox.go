package prune

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Box tests are certain where they say yes. For a box that is a single point,
// however often it occurs, one of misses and covers does.

// misses reports that no point of the box from lo to hi is within reach of q. It
// is never wrong, since a coordinate's distance to its interval is at most that
// to a point of it, rounded or not, and sums of smaller numbers are not greater.
func (r *reach) misses(q, lo, hi []float64) bool {
	lo, hi = lo[:len(q)], hi[:len(q)]
	missed := false
	switch {
	case r.scale != 1 || math.IsInf(r.distance, 1):
		missed = r.missesApart(q, lo, hi)
	case r.norm == polytope.L1:
		missed = missesL1(q, lo, hi, r.limit)
	case r.norm == polytope.L2:
		missed = missesL2(q, lo, hi, r.limit)
	default:
		missed = missesLInf(q, lo, hi, r.limit)
	}
	return missed || slices.Equal(lo, hi) && !r.within(q, lo)
}

// missesApart judges by single coordinates, where sums could overflow.
func (r *reach) missesApart(q, lo, hi []float64) bool {
	for j, e := range q {
		if e < lo[j] && r.apart(e, lo[j]) || e > hi[j] && r.apart(e, hi[j]) {
			return true
		}
	}
	return false
}

func missesLInf(q, lo, hi []float64, limit float64) bool {
	for j, e := range q {
		if lo[j]-e > limit || e-hi[j] > limit {
			return true
		}
	}
	return false
}

func missesL1(q, lo, hi []float64, limit float64) bool {
	var sum float64
	for j, e := range q {
		sum += max(lo[j]-e, e-hi[j], 0)
	}
	return sum > limit
}

func missesL2(q, lo, hi []float64, limit float64) bool {
	var sum float64
	for j, e := range q {
		e = max(lo[j]-e, e-hi[j], 0)
		sum += float64(e * e)
	}
	return sum > limit
}

// covers reports that all points of the box are within reach of q: its farthest
// corner surely is. Where sums could overflow it knows of single points only.
func (r *reach) covers(q, lo, hi []float64) bool {
	lo, hi = lo[:len(q)], hi[:len(q)]
	covered := false
	switch {
	case r.scale != 1 || math.IsInf(r.distance, 1):
	case r.norm == polytope.L1:
		covered = coversL1(q, lo, hi, r.sure)
	case r.norm == polytope.L2:
		covered = coversL2(q, lo, hi, r.sure)
	default:
		covered = coversLInf(q, lo, hi, r.limit)
	}
	return covered || slices.Equal(lo, hi) && r.within(q, lo)
}

func coversLInf(q, lo, hi []float64, limit float64) bool {
	for j, e := range q {
		if hi[j]-e >= limit || e-lo[j] >= limit {
			return false
		}
	}
	return true
}

func coversL1(q, lo, hi []float64, sure float64) bool {
	var sum float64
	for j, e := range q {
		if sum += max(hi[j]-e, e-lo[j]); sum >= sure {
			return false
		}
	}
	return true
}

func coversL2(q, lo, hi []float64, sure float64) bool {
	var sum float64
	for j, e := range q {
		e = max(hi[j]-e, e-lo[j])
		if sum += float64(e * e); sum >= sure {
			return false
		}
	}
	return true
}
