package encode

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
)

// Gaps returns the price of each interval of the grid of coded trees, by feature.
func (c *Coding) Gaps(g *grid.Grid, moves *rules.Moves) [][]float64 {
	gaps := make([][]float64, len(c.kinds))
	for f := range gaps {
		gaps[f] = make([]float64, len(g.Borders[f])+1)
		switch m := moves.Each[f]; c.kinds[f] {
		case plain:
			for s := range gaps[f] {
				gaps[f][s] = gap(m.Price(g.Borders[f].Values(int32(s), int32(s))))
			}
		case optional:
			for s := range gaps[f] {
				gaps[f][s] = c.optionalGap(g, f, int32(s), m)
			}
		}
	}
	for own, group := range c.of(moves) {
		f := own.feature()
		for s := range gaps[f] {
			gaps[f][s] = grid.Closed
		}
		for code, hot := range own.order {
			s := g.Borders[f].Interval(float64(code))
			gaps[f][s] = min(gaps[f][s], gap(group.Price(hot)))
		}
	}
	return gaps
}

func gap(price float64, ok bool) float64 {
	if !ok {
		return grid.Closed
	}
	return min(price, grid.MaxPrice)
}

// codes returns the codes of an interval of an optional feature, and whether the missing value is
// one besides.
func (c *Coding) codes(g *grid.Grid, f int, interval int32) (numbers grid.Span, missing bool) {
	side := g.Borders[f].Values(interval, interval)
	numbers = grid.Span{
		Lo: int32(math.Ceil(max(side.Lo, 0))),
		Hi: int32(math.Floor(min(side.Hi, float64(c.missing(f))))),
	}
	if missing = numbers.Hi == c.missing(f); missing {
		numbers.Hi--
	}
	return numbers, missing
}

// optionalGap returns the price of an interval of an optional feature.
func (c *Coding) optionalGap(g *grid.Grid, f int, interval int32, m *rules.Move) float64 {
	least := grid.Closed
	numbers, missing := c.codes(g, f, interval)
	if numbers.Lo <= numbers.Hi {
		least = gap(m.Price(c.borders[f].Values(numbers.Lo, numbers.Hi)))
	}
	if missing {
		least = min(least, gap(m.MissingPrice()))
	}
	return least
}

// Point returns the point of a box that costs least; false if no float64 lies in it.
func (c *Coding) Point(v *grid.View, b grid.Box) ([]float64, bool) {
	z, moves := make([]float64, len(b)), v.Query.Moves
	for f, span := range b {
		m, interval, ok := moves.Each[f], v.Nearest(int32(f), span), true
		switch c.kinds[f] {
		case plain:
			z[f], ok = m.Value(v.Borders[f].Values(interval, interval))
		case absent:
			z[f] = math.NaN()
		case optional:
			z[f], ok = c.optionalValue(v, f, interval, m)
		}
		if !ok {
			return nil, false
		}
	}
	for own, group := range c.of(moves) {
		f := own.feature()
		hot, least := -1, math.Inf(1)
		interval := v.Nearest(int32(f), b[f])
		for code, j := range own.order {
			if price, ok := group.Price(j); ok && price < least &&
				v.Borders[f].Interval(float64(code)) == interval {
				hot, least = j, price
			}
		}
		if hot < 0 {
			return nil, false
		}
		z[hot] = 1
	}
	return z, true
}

// optionalValue returns the value of an optional feature in an interval that costs least.
func (c *Coding) optionalValue(v *grid.View, f int, interval int32, m *rules.Move) (float64, bool) {
	numbers, missing := c.codes(v.Grid, f, interval)
	absent, ok := m.MissingPrice()
	if numbers.Lo <= numbers.Hi {
		side := c.borders[f].Values(numbers.Lo, numbers.Hi)
		if price, allowed := m.Price(side); allowed && !(missing && ok && absent < price) {
			return m.Value(side)
		}
	}
	return math.NaN(), missing && ok
}

// Cell writes the intervals that z lies in.
func (c *Coding) Cell(v *grid.View, cell []int32, z []float64) {
	for f, value := range z {
		switch c.kinds[f] {
		case plain:
			cell[f] = v.Borders[f].Interval(value)
		case optional:
			cell[f] = v.Borders[f].Interval(float64(c.code(f, value)))
		default:
			cell[f] = 0
		}
	}
	for _, own := range c.groups {
		for code, j := range own.order {
			if z[j] == 1 {
				cell[own.feature()] = v.Borders[own.feature()].Interval(float64(code))
			}
		}
	}
}
