package prune

import (
	"fmt"
	"math"
	"math/bits"
)

// units counts weights in multiples of one power of two, so that solvers add
// exactly: at most 2^heaviest units a row, and 2^altogether in all. What rounding
// down takes from a row is less than a unit.
type units struct {
	count []int64 // by row; nil: one unit a row
	unit  float64
	exact bool // nothing was rounded
}

// Half units, which relaxations come in, are still exact as float64, and the sum
// of all of them as int64.
const heaviest, altogether = 52, 60

// countWeights checks the weights of n rows. No weights stand for 1 each.
func countWeights(weights []float64, n int) (*units, error) {
	if weights == nil {
		return &units{unit: 1, exact: true}, nil
	}
	if len(weights) != n {
		return nil, fmt.Errorf("prune: %w: %d weights, %d rows", ErrLength, len(weights), n)
	}
	largest := 0.0
	for i, w := range weights {
		if !(w >= 0) || math.IsInf(w, 1) {
			return nil, fmt.Errorf("prune: row %d: %w: %v", i, ErrWeight, w)
		}
		largest = max(largest, w)
	}
	_, exponent := math.Frexp(largest) // largest < 2^exponent
	exponent -= min(heaviest, altogether-bits.Len(uint(n)))
	exponent = max(exponent, -1073) // half a unit is a number too
	u := &units{count: make([]int64, n), unit: math.Ldexp(1, exponent), exact: true}
	for i, w := range weights {
		scaled := math.Ldexp(w, -exponent)
		u.count[i] = int64(scaled)
		u.exact = u.exact && float64(u.count[i]) == scaled
	}
	return u, nil
}

// of returns the weights of some rows, in units.
func (u *units) of(rows []int32) []int64 {
	w := make([]int64, len(rows))
	for i, row := range rows {
		w[i] = u.row(row)
	}
	return w
}

func (u *units) row(row int32) int64 {
	if u.count == nil {
		return 1
	}
	return u.count[row]
}

// total returns the weight of some rows, in units.
func (u *units) total(rows []int32) int64 {
	var sum int64
	for _, row := range rows {
		sum += u.row(row)
	}
	return sum
}
