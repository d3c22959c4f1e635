package prune

import (
	"slices"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// overlap is how a box lies to what is within reach of a point.
type overlap int

const (
	across  overlap = iota // not known to be one of the others
	outside                // no point of the box is within reach
	inside                 // all are
)

// box tells how the box from lo to hi lies to what is within reach of q. It is never
// wrong: a coordinate's distance to its interval is at most that to a point of it, that
// to the farther end at least, rounded or not, and sums of smaller numbers are not
// greater. A box that is a single point, however often it occurs, is outside or inside.
func (r *reach) box(q, lo, hi []float64) overlap {
	lo, hi = lo[:len(q)], hi[:len(q)]
	switch {
	case r.rescales:
		return r.boxApart(q, lo, hi)
	case r.norm == polytope.L1:
		return boxL1(q, lo, hi, r.limit)
	case r.norm == polytope.L2:
		return boxL2(q, lo, hi, r.limit)
	}
	return boxLInf(q, lo, hi, r.limit)
}

// boxApart judges by single coordinates, where distances are summed in another way, and
// knows nothing inside but single points.
func (r *reach) boxApart(q, lo, hi []float64) overlap {
	if slices.Equal(lo, hi) {
		if r.within(q, lo) {
			return inside
		}
		return outside
	}
	for j, e := range q {
		if e < lo[j] && r.apart(e, lo[j]) || e > hi[j] && r.apart(e, hi[j]) {
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
