package boxtree

import (
	"errors"
	"math"
	"math/big"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Region is where inputs lie of which sums are asked: in a ball, in a box, or in both.
type Region struct {
	// Center is the center of the ball; examples are near it. Its norm is ℓ∞, ℓ1 or ℓ2.
	Center []float64
	Norm   polytope.Norm
	Radius float64      // +Inf for no ball
	Domain polytope.Box // nil for all of R^d
	// Codes, if it is not nil, is a ball of whole numbers in place of that around Center: features
	// hold 0, 1, … in a bounded domain, and their costs add up in the norm.
	Codes *Codes
}

// Codes are whole numbers that stand for something at a price.
type Codes struct {
	Prices [][]float64 // by feature and code: it costs no less, up to rounding
	Ranks  [][]int32   // by feature and code: cheaper ones have smaller numbers, exactly
	// Reached says whether a move to the values of a point of codes is affordable: to some real
	// vector, and to the float64 that examples are made of.
	Reached func(point []float64) (reals, examples bool)
}

// ErrEmpty is the error for a region that holds no real vectors.
var ErrEmpty = errors.New("the region holds no input")

// ball is a region over a grid: intervals and, in ℓ1 and ℓ2, a limit to the reach. In ℓ∞ a ball is
// a box.
type ball struct {
	grid.View
	radius float64
	round  bool // whether there is a limit
	metric grid.Metric
	limit  float64
	codes  *Codes // nil if the center counts
}

func newBall(g *grid.Grid, r *Region) (ball, error) {
	domain := polytope.NewBox(len(r.Center))
	for f := range domain {
		if x := r.Center[f]; !math.IsInf(r.Radius, 1) && r.Codes == nil {
			below, belowOpen := precise.End(-x, r.Radius)
			above, aboveOpen := precise.End(x, r.Radius)
			domain[f] = polytope.Interval{
				Lo:     -below,
				LoOpen: belowOpen,
				Hi:     above,
				HiOpen: aboveOpen,
			}
		}
		if r.Domain != nil {
			domain[f] = geometry.Intersect(domain[f], r.Domain[f])
		}
		if geometry.Empty(domain[f]) {
			return ball{}, ErrEmpty
		}
	}
	b := ball{radius: math.Inf(1), round: r.Norm != polytope.LInf && !math.IsInf(r.Radius, 1)}
	q := search.Query{X: r.Center, Cost: geometry.In(r.Norm), Domain: domain}
	var ok bool
	if b.View, ok = grid.NewView(g, q); !ok {
		return b, ErrEmpty
	}
	if b.codes = r.Codes; b.codes != nil {
		if b.View, ok = grid.NewPricedView(g, q, b.gaps()); !ok {
			return b, ErrEmpty
		}
	}
	b.metric, b.limit = b.Metric(), math.Inf(1)
	if b.round {
		b.radius = r.Radius
		b.metric.Fit(b.radius)
		b.limit = b.metric.Scaled(b.radius)
	}
	return b, nil
}

// span returns the codes of intervals of a feature.
func (b *ball) span(f int, s grid.Span) (first, last int) {
	side := b.Values(f, s)
	return int(math.Ceil(side.Lo)), int(math.Floor(side.Hi))
}

// gaps returns the least price of the codes of each interval.
func (b *ball) gaps() [][]float64 {
	all := make([][]float64, len(b.Borders))
	for f, borders := range b.Borders {
		for at := range int32(len(borders) + 1) {
			gap := grid.Closed
			first, last := b.span(f, grid.Span{Lo: at, Hi: at})
			for c := first; c <= last; c++ {
				gap = min(gap, b.codes.Prices[f][c], grid.MaxPrice)
			}
			all[f] = append(all[f], gap)
		}
	}
	return all
}

// cheapest returns the point of the cheapest codes of a box.
func (b *ball) cheapest(box grid.Box) []float64 {
	z := make([]float64, len(box))
	for f, s := range box {
		best, last := b.span(f, s)
		for c := best; c <= last; c++ {
			if b.codes.Ranks[f][c] < b.codes.Ranks[f][best] {
				best = c
			}
		}
		z[f] = float64(best)
	}
	return z
}

// near reports whether a box may have an input in the ball.
func (b *ball) near(box grid.Box) bool { return !b.round || b.Reach(&b.metric, box) <= b.limit }

// gap returns the contribution of a feature to the reach.
func (b *ball) gap(f int32, s grid.Span) float64 { return b.metric.Scale(b.Gap(f, s.Lo, s.Hi)) }

// inside returns the point of a box nearest to the center; false if it has no float64 there, or
// that lies beyond the ball.
func (b *ball) inside(box grid.Box) ([]float64, bool) {
	if b.codes != nil {
		z := b.cheapest(box)
		_, ok := b.codes.Reached(z)
		return z, ok
	}
	z, ok := b.Point(box)
	return z, ok && (!b.round || b.compare(z) <= 0)
}

// compare compares the distance of an input from the center with the radius, exactly.
func (b *ball) compare(z []float64) int {
	length, radius := new(big.Rat), exact.Float(b.radius)
	for f, v := range z {
		off := exact.Difference(v, b.Query.X[f])
		if b.Query.Norm == polytope.L2 {
			off.Mul(off, off)
		}
		length.Add(length, off.Abs(off))
	}
	if b.Query.Norm == polytope.L2 {
		radius.Mul(radius, radius)
	}
	return length.Cmp(radius)
}

// inhabited reports whether a box holds real numbers in the ball, be they float64 or not.
func (b *ball) inhabited(box grid.Box) bool {
	if !b.round {
		return true
	}
	if b.codes != nil {
		reals, _ := b.codes.Reached(b.cheapest(box))
		return reals
	}
	z, attained := make([]float64, len(box)), true
	for f, s := range box {
		side := b.Values(f, s)
		z[f] = geometry.Nearest(side, b.Query.X[f])
		attained = attained && side.Contains(z[f])
	}
	c := b.compare(z)
	return c < 0 || c == 0 && attained
}
