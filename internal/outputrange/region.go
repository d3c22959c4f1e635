package outputrange

import (
	"math"
	"math/big"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/slots"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// region is where sums are looked at: slots and, in ℓ1 and ℓ2, a limit to the reach. In ℓ∞ a ball
// is a box.
type region struct {
	slots.View
	radius float64
	round  bool // whether there is a limit
	metric slots.Metric
	limit  float64
}

func newRegion(g *slots.Grid, q *Query) (region, error) {
	domain := polytope.NewBox(len(q.Center))
	for f := range domain {
		if x := q.Center[f]; !math.IsInf(q.Radius, 1) {
			below, belowOpen := end(-x, q.Radius)
			above, aboveOpen := end(x, q.Radius)
			domain[f] = polytope.Interval{
				Lo:     -below,
				LoOpen: belowOpen,
				Hi:     above,
				HiOpen: aboveOpen,
			}
		}
		if q.Domain != nil {
			domain[f] = domain[f].Intersect(q.Domain[f])
		}
		if domain[f].Empty() {
			return region{}, ErrEmpty
		}
	}
	r := region{radius: q.Radius, round: q.Norm != polytope.LInf && !math.IsInf(q.Radius, 1)}
	var ok bool
	if r.View, ok = slots.NewView(g, search.Query{X: q.Center, Norm: q.Norm, Domain: domain}); !ok {
		return r, ErrEmpty
	}
	if r.round {
		r.metric = slots.NewMetric(q.Norm, len(q.Center), g.Depth)
		r.metric.Fit(q.Radius)
		r.limit = r.metric.Scaled(q.Radius)
	}
	return r, nil
}

// end returns where the numbers up to x + radius end: that number or, if it is no float64, the
// next one, which is not among them. Between two neighbours all have one output.
func end(x, radius float64) (end float64, open bool) {
	end = precise.AddDown(x, radius)
	if exact.Difference(x, -radius).Cmp(exact.Float(end)) == 0 {
		return end, false
	}
	return math.Nextafter(end, math.Inf(1)), true
}

// within reports whether a box may have an input in the ball.
func (r *region) within(b slots.Box) bool { return !r.round || r.reach(b) <= r.limit }

// reach returns that of a box.
func (r *region) reach(b slots.Box) float64 {
	reach := 0.0
	for f, s := range b {
		reach += r.gap(int32(f), s)
	}
	return reach
}

// gap returns what a feature adds to the reach.
func (r *region) gap(f int32, s slots.Span) float64 {
	return r.metric.Scale(r.Gap(f, s.Lo, s.Hi))
}

// inside returns the point of a box nearest to the center; false if it has no float64 there, or
// that lies beyond the ball.
func (r *region) inside(b slots.Box) ([]float64, bool) {
	z := make([]float64, len(b))
	for f, s := range b {
		v, ok := r.Side(f, s).Inside(r.Query.X[f])
		if !ok {
			return nil, false
		}
		z[f] = v
	}
	return z, !r.round || r.holds(z)
}

// holds reports whether the ball holds an input, exactly.
func (r *region) holds(z []float64) bool { return r.compare(z) <= 0 }

// compare compares the distance of an input from the center with the radius, exactly.
func (r *region) compare(z []float64) int {
	length, radius := new(big.Rat), exact.Float(r.radius)
	for f, v := range z {
		off := exact.Difference(v, r.Query.X[f])
		if r.Query.Norm == polytope.L2 {
			off.Mul(off, off)
		}
		length.Add(length, off.Abs(off))
	}
	if r.Query.Norm == polytope.L2 {
		radius.Mul(radius, radius)
	}
	return length.Cmp(radius)
}

// inhabited reports whether a box holds real numbers in the ball, be they float64 or not.
func (r *region) inhabited(b slots.Box) bool {
	z, attained := make([]float64, len(b)), true
	for f, s := range b {
		side := r.Side(f, s)
		z[f] = side.Closest(r.Query.X[f])
		attained = attained && side.Contains(z[f])
	}
	if !r.round {
		return true
	}
	c := r.compare(z)
	return c < 0 || c == 0 && attained
}

// farthest returns where to split a part so that a box inside it, which lies beyond the ball, is
// farther from the center than one half: toward the box, in the feature that adds most.
func (r *region) farthest(b, part slots.Box) (split slots.Cut, ok bool) {
	most := 0.0
	for f, s := range b {
		if more := r.gap(int32(f), s) - r.gap(int32(f), part[f]); more > most {
			most, ok = more, true
			split = slots.Cut{Feature: int32(f), Slot: s.Hi}
			if r.At[f] < s.Lo {
				split.Slot = s.Lo - 1
			}
		}
	}
	return split, ok
}
