package grid

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Metric adds up the gaps of features to the reach of a box: their maximum in ℓ∞,
// their sum in ℓ1 and that of their squares in ℓ2. In ℓ∞ it does not round. Elsewhere a reach may
// be wrong by rounding, and comparisons with a distance allow for it.
type Metric struct {
	norm    polytope.Norm
	unit    float64 // in ℓ2, of numbers before they are squared: a power of two
	inverse float64 // 1/unit
	// drift bounds the relative error of a distance.
	drift float64
	// closed is the gap of an interval that is closed, and most the largest reach without one; both
	// are +Inf where none is.
	closed, most float64
}

// NewMetric returns the metric of boxes in so many dimensions, which trees so deep
// cut. A reach is a sum of two terms a dimension, or is changed once on each level
// of a tree; a change is rounded when it is taken, and again when it is added.
func NewMetric(norm polytope.Norm, dim, depth int) Metric {
	return Metric{
		norm: norm, unit: 1, inverse: 1, drift: 0x1p-53 * float64(4*dim+2*depth+64),
		closed: math.Inf(1), most: math.Inf(1),
	}
}

// priced makes the metric one of prices.
func (m *Metric) priced() {
	m.closed, m.most = Closed, below(Closed)
	if m.norm == polytope.L2 {
		m.most = below(closedSquare)
	}
}

// Infeasible reports whether a reach is that of a box in which some feature has closed intervals
// only.
func (m *Metric) Infeasible(reach float64) bool { return reach > m.most }

// Fit chooses the unit for answers at a distance: none but much smaller or much
// larger numbers then overflow or underflow when they are squared. It reports
// whether that is another unit.
func (m *Metric) Fit(distance float64) bool {
	const wide = 0x1p300
	if at := distance * m.inverse; m.norm != polytope.L2 || distance == 0 ||
		(at > 1/wide && at < wide) {
		return false
	}
	_, exponent := math.Frexp(min(distance, math.MaxFloat64))
	before := m.unit
	m.unit = math.Ldexp(1, min(max(exponent, -1000), 1000)) // of which there are inverses
	m.inverse = 1 / m.unit
	return m.unit != before
}

// Squares are kept between these, at which a sum of them still is a number, or at zero; numbers
// beyond the one or below the other are rounded down.
const smallestSquare, largestSquare, closedSquare = 0x1p-1000, 0x1p960, 0x1p990

// Scale returns a gap as it counts in reach.
func (m *Metric) Scale(gap float64) float64 {
	if m.norm != polytope.L2 {
		return gap
	}
	if gap >= m.closed {
		return closedSquare
	}
	gap *= m.inverse
	square := gap * gap
	if square < smallestSquare {
		return 0
	}
	return min(square, largestSquare)
}

// Join adds a scaled gap to a reach in which the feature has counted before.
func (m *Metric) Join(reach, gap, before float64) float64 {
	if m.norm == polytope.LInf {
		return max(reach, gap)
	}
	return reach + (gap - before)
}

// Distance returns a lower bound on the distances that have a reach: in ℓ∞ the
// largest.
func (m *Metric) Distance(reach float64) float64 {
	switch m.norm {
	case polytope.L1:
		return min(reach, math.MaxFloat64) * (1 - m.drift)
	case polytope.L2:
		d := math.Sqrt(reach) * (1 - m.drift) * m.unit
		if d < smallestNormal {
			d = max(0, d-math.SmallestNonzeroFloat64) // the unit may have rounded it up
		}
		return min(d, math.MaxFloat64)
	}
	return reach
}

const smallestNormal = 0x1p-1022

// Scaled returns a number that no reach exceeds whose distance does not exceed d, and which is not
// Infeasible.
func (m *Metric) Scaled(d float64) float64 { return min(m.scaled(d), m.most) }

func (m *Metric) scaled(d float64) float64 {
	switch m.norm {
	case polytope.L1:
		return d * (1 + 2*m.drift)
	case polytope.L2:
		if d < smallestNormal {
			d += 2 * math.SmallestNonzeroFloat64
		}
		d *= m.inverse
		return d * d * (1 + 4*m.drift)
	}
	return d
}

// below returns the float64 before v.
func below(v float64) float64 { return math.Nextafter(v, math.Inf(-1)) }
