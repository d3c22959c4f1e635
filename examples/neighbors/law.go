package main

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
)

// law is the power law factor·rows^exponent.
type law struct {
	factor, exponent float64 // of milliseconds; NaN when there are too few sizes
}

// fit returns the law with the least squares of the logarithms of the medians.
func fit(sizes []size) law {
	if len(sizes) < 2 {
		return law{math.NaN(), math.NaN()}
	}
	var rows, medians []float64
	for _, z := range sizes {
		rows = append(rows, math.Log(float64(z.rows)))
		medians = append(medians, math.Log(z.milliseconds()))
	}
	intercept, slope := stat.LinearRegression(rows, medians, nil, false)
	return law{math.Exp(intercept), slope}
}

// at returns the milliseconds.
func (l law) at(rows float64) float64 { return l.factor * math.Pow(rows, l.exponent) }

// String shows the exponent.
func (l law) String() string {
	if math.IsNaN(l.exponent) {
		return "n^? (one size is too few)"
	}
	return fmt.Sprintf("n^%.2f", l.exponent)
}

// milliseconds returns the median time, at least the nanosecond that a clock tells, so that
// it has a logarithm.
func (z *size) milliseconds() float64 { return max(z.Median, 1e-6) }
