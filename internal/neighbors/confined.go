package neighbors

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Confined reports whether ConfinedBound can be more than Bound.
func (r *Rivals) Confined() bool {
	return r.q.Domain != nil && r.q.Prices == nil && r.q.Norm != polytope.L1
}

// ConfinedBound raises a bound, Bound or that of another rival, to the distance of the points of
// the domain at which p comes before rival i. A coordinate that has arrived at its border gains no
// more: without those that arrive on the way the bound is farther, where more have arrived. This is
// Newton's method for a concave function, so it comes from below, and every step is a bound.
func (r *Rivals) ConfinedBound(i int, p []float64, squared, bound float64) float64 {
	if !r.Confined() {
		return bound
	}
	rival, eps := r.First[i].Squared, 2*precise.Noise(r.dim)
	need := (squared-rival)/2 - eps*(squared+rival) - underflow
	level := bound
	if r.q.Norm == polytope.L2 {
		plain := r.Bound(i, p, squared)
		bound = max(bound, plain)
		level = plain * plain / need
	}
	for range newtonSteps {
		c := r.confine(i, p, level)
		missing := need - float64(c.gain*(1+eps))
		most := math.Inf(1) // the domain ends before
		if c.rest > 0 {
			most = math.MaxFloat64
		}
		next := min(missing/c.rest, most)
		if !(next > level*(1+Spread)) {
			break
		}
		if level = next; r.q.Norm == polytope.L2 {
			if next = math.Sqrt(c.gone + float64(level*missing)); next > most {
				next = math.Sqrt(level) * math.Sqrt(missing)
			}
		}
		bound = max(bound, next*(1-eps))
	}
	return bound
}

// newtonSteps is how often a confined bound is raised. It seldom takes as many.
const newtonSteps = 8

// confinement is how coordinates that have arrived at the border of the domain, and the rest,
// have to do with a bisector.
type confinement struct {
	gain float64 // of those that have arrived
	gone float64 // the square of how far they have gone
	rest float64 // gain of the others by each unit of the level
}

// confine moves towards p, away from rival i, as far as a level says: in ℓ∞ that is how far each
// coordinate goes, in ℓ2 how far for each unit of its weight.
func (r *Rivals) confine(i int, p []float64, level float64) (c confinement) {
	euclidean := r.q.Norm == polytope.L2
	for j, e := range r.Row(i) {
		w, slack := p[j]-e, r.q.Domain[j].Hi-r.q.X[j]
		if w < 0 {
			w, slack = -w, r.q.X[j]-r.q.Domain[j].Lo
		}
		pace := 1.0
		if euclidean {
			pace = w
		}
		if slack <= level*pace {
			slack = max(0, slack)
			c.gain += float64(w * slack)
			c.gone += float64(slack * slack)
		} else if w > 0 {
			c.rest += float64(w*pace) + math.SmallestNonzeroFloat64 // a product may underflow
		}
	}
	return c
}
