package pairs

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"strconv"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/boxproof"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// columns are the terms of a joint sum: the values of its leaves, and its start.
type columns struct {
	weights [2][]float64 // of the outputs of both inputs, by class; nil for an output of 0
	start   []float64
	gains   func(own [2]int, a, b []float64) []float64 // of a leaf of each input, and their values
}

// sums proves a claim about outputs.
func (p *proving) sums(ctx context.Context) error {
	weights, product := p.weigh()
	above := exact.Up(product)
	fmt.Fprintf(p.w, "above %s", strconv.FormatFloat(above, 'x', -1, 64))
	for i, list := range weights {
		for class, weight := range list {
			if weight != 0 {
				fmt.Fprintf(p.w, " %s %d %d", strconv.FormatFloat(weight, 'x', -1, 64), i, class)
			}
		}
	}
	p.w.WriteByte('\n')
	base := p.total(weights, p.of0().Vote.Base, p.of1().Vote.Base)
	start := exact.Up(base.Sub(base, exact.Float(above)))
	j, err := p.join(columns{
		weights: weights,
		start:   []float64{0, start},
		gains: func(_ [2]int, a, b []float64) []float64 {
			return []float64{0, p.gain(weights, a, b)}
		},
	})
	if err != nil {
		return err
	}
	lost := func(gains []float64) bool { return !exceeds(start, gains) }
	return j.answer(ctx, &boxproof.Refutation{
		Margins:   []trees.Margin{{Label: 1, Base: start, Slack: j.slack(1)}},
		Limit:     func(unit float64) (float64, bool) { return unit, true },
		Lost:      lost,
		Evaluated: func(b grid.Box) bool { return lost(j.gainsAt(b)) },
	})
}

// weigh returns the weights of both outputs, by class, and a number that their sum does not exceed.
// Outputs that are divided by different numbers are multiplied by both.
func (p *proving) weigh() (weights [2][]float64, most *big.Rat) {
	most = exact.Float(p.Bound)
	for i, o := range p.Outputs {
		if o == nil {
			continue
		}
		weight := 1.0
		if (i == 1) != p.Less {
			weight = -1
		}
		if other := p.Outputs[1-i]; other != nil && other.Divisor != o.Divisor {
			weight *= other.Divisor
		}
		if i == 0 || p.Outputs[0] == nil || p.Outputs[0].Divisor != o.Divisor {
			most.Mul(most, exact.Float(o.Divisor))
		}
		weights[i] = make([]float64, o.Ensemble.Classes)
		if weights[i][o.Plus] = weight; o.Minus >= 0 {
			weights[i][o.Minus] = -weight
		}
	}
	return weights, most
}

// exceeds reports whether numbers add up to more than 0.
func exceeds(base float64, gains []float64) bool {
	sum, size := base, math.Abs(base)
	for _, g := range gains {
		sum, size = sum+g, size+math.Abs(g)
	}
	if off := 0x1p-52 * float64(len(gains)+2) * size; math.Abs(sum) > off {
		return sum > 0
	}
	exactly := exact.Float(base)
	for _, g := range gains {
		exactly.Add(exactly, exact.Float(g))
	}
	return exactly.Sign() > 0
}

// total returns the sum of weights times values, exactly.
func (p *proving) total(weights [2][]float64, values ...[]float64) *big.Rat {
	sum := new(big.Rat)
	for i, list := range weights {
		for class, weight := range list {
			if weight != 0 && values[i] != nil {
				v := exact.Float(values[i][class])
				sum.Add(sum, v.Mul(v, exact.Float(weight)))
			}
		}
	}
	return sum
}

// gain is total, rounded up.
func (p *proving) gain(weights [2][]float64, a, b []float64) float64 {
	var terms []float64
	for i, values := range [...][]float64{a, b} {
		for class, weight := range weights[i] {
			if weight == 0 || values == nil || values[class] == 0 {
				continue
			}
			if math.Abs(weight) != 1 || len(terms) == 2 {
				return exact.Up(p.total(weights, a, b))
			}
			terms = append(terms, weight*values[class])
		}
	}
	switch len(terms) {
	case 0:
		return 0
	case 1:
		return terms[0]
	}
	return precise.SubUp(terms[0], -terms[1])
}
