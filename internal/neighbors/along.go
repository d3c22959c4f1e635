package neighbors

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Along sets z to a point on a shortest way from x to p in the norm and its prices: in ℓ∞ all
// coordinates move at once, each until it arrives; in ℓ1 those that have farthest to go for their
// price are first; in ℓ2 those that cost more stay behind.
func Along(g geometry.Cost, z, x, p []float64, share float64) {
	far, cheap := 0.0, math.Inf(1)
	for j, e := range x {
		u := p[j] - e
		if u == 0 {
			continue
		}
		price := g.Coordinate(j, math.Copysign(1, u))
		cheap = min(cheap, price)
		if g.Norm == polytope.L1 {
			far = max(far, math.Abs(u)/price)
		} else {
			far = max(far, math.Abs(u)*price)
		}
	}
	for j, e := range x {
		u := p[j] - e
		price := g.Coordinate(j, math.Copysign(1, u))
		switch {
		case u == 0:
			z[j] = e
		case g.Norm == polytope.LInf:
			step := share * far / price
			z[j] = e + max(-step, min(step, u))
		case g.Norm == polytope.L1:
			z[j] = e + math.Copysign(max(0, math.Abs(u)-(1-share)*far*price), u)
		default:
			ratio := price / cheap
			z[j] = e + share*u/(share+(1-share)*ratio*ratio)
		}
	}
}

// Way is a way from start to p that goes no farther than need be, and a point of it.
type Way struct {
	cost        geometry.Cost
	start, p, z []float64
}

// NewWay returns the way from start to p.
func NewWay(g geometry.Cost, start, p []float64) *Way {
	return &Way{g, start, p, make([]float64, len(p))}
}

// At returns the point at a share of the way. The next call overwrites it.
func (w *Way) At(share float64) []float64 {
	if share == 1 {
		return append(w.z[:0], w.p...)
	}
	Along(w.cost, w.z, w.start, w.p, share)
	return w.z
}

// Halve halves the stretch of the way between two shares, of which holds is true at the second
// alone.
func (w *Way) Halve(near, far float64, times int, holds func(z []float64) bool) (float64, float64) {
	for range times {
		if middle := (near + far) / 2; holds(w.At(middle)) {
			far = middle
		} else {
			near = middle
		}
	}
	return near, far
}
