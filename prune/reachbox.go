package prune

import (
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
	switch {
	case r.rescales:
		return r.missesApart(q, lo, hi)
	case r.norm == polytope.L1:
		return missesL1(q, lo, hi, r.limit)
	case r.norm == polytope.L2:
		return missesL2(q, lo, hi, r.limit)
	}
	return missesLInf(q, lo, hi, r.limit)
}

// missesApart judges by single coordinates, where distances are summed in
// another way.
func (r *reach) missesApart(q, lo, hi []float64) bool {
	if slices.Equal(lo, hi) {
		return !r.within(q, lo)
	}
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
// corner is. Where distances are summed in another way it knows of single points
// only.
func (r *reach) covers(q, lo, hi []float64) bool {
	lo, hi = lo[:len(q)], hi[:len(q)]
	switch {
	case r.rescales:
		return slices.Equal(lo, hi) && r.within(q, lo)
	case r.norm == polytope.L1:
		return coversL1(q, lo, hi, r.limit)
	case r.norm == polytope.L2:
		return coversL2(q, lo, hi, r.limit)
	}
	return coversLInf(q, lo, hi, r.limit)
}

func coversLInf(q, lo, hi []float64, limit float64) bool {
	for j, e := range q {
		if hi[j]-e > limit || e-lo[j] > limit {
			return false
		}
	}
	return true
}

func coversL1(q, lo, hi []float64, limit float64) bool {
	var sum float64
	for j, e := range q {
		if sum += max(hi[j]-e, e-lo[j]); sum > limit {
			return false
		}
	}
	return true
}

func coversL2(q, lo, hi []float64, limit float64) bool {
	var sum float64
	for j, e := range q {
		e = max(hi[j]-e, e-lo[j])
		if sum += float64(e * e); sum > limit {
			return false
		}
	}
	return true
}
