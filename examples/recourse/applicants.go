package main

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
)

// names are the features of an applicant, each from 0 to 1: parts of its range.
var names = []string{
	"age", "income", "savings", "rent", "loans", "amount", "duration", "employed",
}

// The labels.
const (
	refused  = 0
	accepted = 1
)

// applicants draws so many applicants, and whether they are to be accepted: by a score, and luck.
func applicants(n int, rng *rand.Rand) (*mat.Dense, []int) {
	x, y := mat.NewDense(n, len(names), nil), make([]int, n)
	part := func(v float64) float64 { return math.Round(100*min(max(v, 0), 1)) / 100 }
	for i := range n {
		age, wealth := rng.Float64(), rng.NormFloat64()
		income := part(0.3 + 0.2*age + 0.15*wealth + 0.1*rng.NormFloat64())
		amount := part(0.2 + 0.5*income + 0.2*rng.NormFloat64())
		row := []float64{
			part(age), income, part(0.2*age + 0.15*wealth + 0.2*rng.ExpFloat64()),
			part(0.2 + 0.4*income + 0.1*rng.NormFloat64()), part(0.3 * rng.ExpFloat64()), amount,
			part(0.2 + 0.6*amount + 0.15*rng.NormFloat64()), part(0.4*rng.ExpFloat64() + 0.2*age),
		}
		x.SetRow(i, row)
		score := 2*row[1] + row[2] - 1.2*row[3] - row[4] - 1.2*row[5] - 0.4*row[6] + 0.8*row[7] +
			0.3*row[0]
		if score+0.25*rng.NormFloat64() > 0.1 {
			y[i] = accepted
		}
	}
	return x, y
}

// rules say that nobody becomes younger, and that all features stay within their ranges.
func rules() []attack.Feature {
	features := make([]attack.Feature, len(names))
	features[0].Down = math.Inf(1)
	return features
}
