package neighbors

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Along sets z to a point on a way from x to p on which nothing is gone farther in the
// gauge than need be: in ℓ∞ all coordinates move at once, each until it arrives; in ℓ1
// those that have farthest to go for what it costs are first; in ℓ2 those that cost more
// stay behind.
func Along(g polytope.Gauge, z, x, p []float64, share float64) {
	far, cheap := 0.0, math.Inf(1)
	for j, e := range x {
		u := p[j] - e
		if u == 0 {
			continue
		}
		price := g.Cost(j, math.Copysign(1, u))
		cheap = min(cheap, price)
		if g.Norm == polytope.L1 {
			far = max(far, math.Abs(u)/price)
		} else {
			far = max(far, math.Abs(u)*price)
		}
	}
	for j, e := range x {
		u := p[j] - e
		price := g.Cost(j, math.Copysign(1, u))
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
