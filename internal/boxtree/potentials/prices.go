package potentials

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
)

// Charge makes distance cost something: the least cost of the intervals of each feature, added up,
// is at most the reach of an input in them. A margin within a reach then may come to rate for each
// unit of reach more, and pays as much for each unit of cost. All potentials must be zero.
func (d *Decomposition) Charge(cost func(feature int32, s grid.Span) float64, rate float64) {
	d.cost, d.rate = cost, rate/d.unit
	for f, s := range d.box {
		d.features[f].constant = int64(d.price(int32(f), s))
	}
}

// costSlack covers the rounding of a product with the rate.
const costSlack = 0x1p-40

// mostPrice is the most that intervals pay; costs beyond are rounded down to it.
const mostPrice = 1 << 26

// price returns the change of the margin by intervals of a feature, which is not positive.
func (d *Decomposition) price(feature int32, s grid.Span) int32 {
	if d.cost == nil {
		return 0
	}
	return -int32(min(mostPrice, math.Floor(d.rate*(1-costSlack)*d.cost(feature, s))))
}

// allowance is the price that an input within a reach may pay.
func (d *Decomposition) allowance(reach float64) int64 {
	if d.cost == nil {
		return 0
	}
	return int64(math.Ceil(d.rate * (1 + costSlack) * reach))
}

// mostAllowance is the largest that a rate is raised to, leastRate the rate below which it does not
// fall: an infinite cost times 0 is no price.
const mostAllowance, leastRate = 1 << 50, 0x1p-1000

// earliest returns a reach such that no margin within a smaller one comes to a goal, by the unspent
// part of the allowance for a larger one.
func (d *Decomposition) earliest(goal, reach float64) float64 {
	rest := max(0, d.Margin(reach)-goal) / d.unit
	return reach*(1-costSlack) - rest/d.rate*(1+costSlack)
}

// charge computes the prices of the bins of a feature.
func (s *Sweeper) charge(d *Decomposition, number int) {
	if d.cost == nil {
		return
	}
	cuts, from := s.cuts[number], d.box[number].Lo
	prices, price := &s.prices[number], int32(0)
	for i := range prices {
		if i < len(cuts) {
			price = d.price(int32(number), grid.Span{Lo: from, Hi: cuts[i]}) - unreachable
			from = cuts[i] + 1
		}
		prices[i] = price
	}
}

// Scale multiplies the rate, and with it prices and potentials, by the number that lowers the
// margin within a reach most. The rate of a decomposition that was not charged stays zero.
func (s *Sweeper) Scale(d *Decomposition, reach float64) {
	if d.cost == nil {
		return
	}
	s.pay(d)
	low, high := 1/mostScale, mostScale
	for range scaleSteps {
		if middle := math.Sqrt(low * high); s.unspent(d, reach, middle) < 0 {
			low = middle
		} else {
			high = middle
		}
	}
	// the end nearer to 1, with so few digits that no product below is rounded
	by := 1 + math.Trunc(scaleParts*(min(max(low, 1), high)-1))/scaleParts
	if rate := d.rate * by; rate*reach > mostAllowance || rate < leastRate {
		return
	}
	d.rate *= by
	for f := range d.features {
		g := &d.features[f]
		g.constant = int64(math.Ceil(by * float64(g.constant)))
		for i := range g.entries {
			e := &g.entries[i]
			now := max(int32(math.Ceil(by*float64(e.contribution))), d.floor)
			d.values[e.leaf] += now - e.contribution
			e.contribution = now
		}
		s.charge(d, f)
	}
}

// A rate is multiplied at most by mostScale, or divided by it, after so many halvings, in so many
// parts of 1. Potentials suit the rate for which they were made: the next sweeps, not one step, can
// tell how far it should go.
const (
	mostScale  = 1.1
	scaleSteps = 5
	scaleParts = 4096
)

// pay adds up the prices that each leaf pays, by its contributions.
func (s *Sweeper) pay(d *Decomposition) {
	s.paid = resize(s.paid, len(d.values))
	clear(s.paid)
	for f := range d.features {
		entries := d.features[f].entries
		for i := range entries {
			s.paid[entries[i].leaf] += entries[i].contribution
		}
	}
}

// unspent returns the rest that the best leaves leave of the allowance for a reach, in terms of the
// rate as it is, if it were multiplied by a number: by how much the margin grows with that number.
func (s *Sweeper) unspent(d *Decomposition, reach, by float64) float64 {
	rest := d.rate * reach
	for f := range d.features {
		rest += float64(d.features[f].constant)
	}
	for t := range d.trees() {
		most, paid := math.Inf(-1), int32(0)
		for l := d.first[t]; l < d.first[t+1]; l++ {
			if p := s.paid[l]; d.reaches[l] <= reach {
				if v := float64(d.values[l]-p) + by*float64(p); v > most {
					most, paid = v, p
				}
			}
		}
		rest += float64(paid)
	}
	return rest
}
