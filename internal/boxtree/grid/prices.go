package grid

import (
	"math"
	"math/bits"

	"github.com/seed-1a7dc1f9/facet/internal/search"
)

// Prices are the costs of moves into intervals, under rules of moves: gaps that are no
// distances. An interval without an allowed value is closed.
type Prices struct {
	gaps [][]float64 // by feature and interval
	// least holds minima of features whose gaps do not grow away from X, or that have closed
	// intervals in between: least[f][k][s] is that of 2^k intervals from s on. It is nil for
	// others.
	least [][][]float64
}

// Closed is the gap of a closed interval. That of any other is at most MaxPrice.
const (
	Closed   = 0x1p1000
	MaxPrice = 0x1p900
)

// NewPricedView returns the view of a grid by the gaps of each feature's intervals. It returns
// false when all intervals of some feature are closed. No query's domain plays a part: intervals
// outside are closed.
func NewPricedView(g *Grid, q search.Query, gaps [][]float64) (v View, ok bool) {
	v = View{
		Grid: g, Query: q, Norm: q.Norm, Away: true,
		Prices: &Prices{gaps, make([][][]float64, len(gaps))},
		At:     make([]int32, len(gaps)), Domain: make(Box, len(gaps)),
	}
	for f, own := range gaps {
		d := Span{0, int32(len(own)) - 1}.Trim(func(i int32) bool { return own[i] < Closed })
		if d.Lo > d.Hi {
			return v, false
		}
		v.Domain[f], v.At[f] = d, cheapest(own, d)
		if !even(own, d, v.At[f]) {
			v.Prices.least[f] = minima(own)
		}
	}
	return v, true
}

// cheapest returns the interval of a span with the smallest gap: the first one.
func cheapest(gaps []float64, s Span) int32 {
	best := s.Lo
	for i := s.Lo; i <= s.Hi; i++ {
		if gaps[i] < gaps[best] {
			best = i
		}
	}
	return best
}

// even reports whether gaps grow away from an interval, and none within a span is closed.
func even(gaps []float64, s Span, at int32) bool {
	for i := s.Lo; i < s.Hi; i++ {
		if now, next := gaps[i], gaps[i+1]; max(now, next) >= Closed || (i < at && now < next) ||
			(i >= at && now > next) {
			return false
		}
	}
	return true
}

// minima returns the smallest gap of 2^k intervals from s on: by k, and s.
func minima(gaps []float64) [][]float64 {
	rows := [][]float64{gaps}
	for width := 1; 2*width <= len(gaps); width *= 2 {
		last := rows[len(rows)-1]
		row := make([]float64, len(last)-width)
		for s := range row {
			row[s] = min(last[s], last[s+width])
		}
		rows = append(rows, row)
	}
	return rows
}

// price returns the smallest gap of the intervals lo ≤ s ≤ hi of a feature.
func (v *View) price(f, lo, hi int32) float64 {
	if rows := v.Prices.least[f]; rows != nil {
		k := bits.Len32(uint32(hi-lo+1)) - 1
		return min(rows[k][lo], rows[k][hi+1-1<<k])
	}
	return v.Prices.gaps[f][min(max(v.At[f], lo), hi)]
}

// Nearest returns the interval of a span in which the point nearest to X lies.
func (v *View) Nearest(f int32, s Span) int32 {
	if v.Prices == nil || v.Prices.least[f] == nil {
		return min(max(v.At[f], s.Lo), s.Hi)
	}
	return cheapest(v.Prices.gaps[f], s)
}

// pricedWithin is IntervalsWithin by prices: the intervals from the first within the limit to the
// last, and that of X at least.
func (v *View) pricedWithin(m *Metric, f int32, others, limit float64) Span {
	s, gaps := v.Domain[f], v.Prices.gaps[f]
	for s.Lo < v.At[f] && others+m.Scale(gaps[s.Lo]) > limit {
		s.Lo++
	}
	for s.Hi > v.At[f] && others+m.Scale(gaps[s.Hi]) > limit {
		s.Hi--
	}
	return s
}

// pricedExtent is Extent by prices.
func (v *View) pricedExtent() (least, most float64) {
	least = math.Inf(1)
	for _, gaps := range v.Prices.gaps {
		for _, gap := range gaps {
			if gap > 0 && gap < Closed {
				least, most = min(least, gap), max(most, gap)
			}
		}
	}
	if most == 0 {
		least = 0
	}
	return least, most
}
