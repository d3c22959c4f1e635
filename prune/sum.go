package prune

import "math/big"

// sumBits hold any sum of 2³² float64 exactly: their bits reach from 2^1023 down
// to 2^−1074.
const sumBits = 1024 + 1074 + 32

// sum adds float64 without rounding.
type sum struct{ big.Float }

// newSum returns the weight of n rows; no weights stand for 1 each.
func newSum(weights []float64, n int) *sum {
	s := &sum{}
	s.SetPrec(sumBits)
	if weights == nil {
		s.add(float64(n))
	}
	for _, w := range weights {
		s.add(w)
	}
	return s
}

// sumOf returns the weight of some rows; no weights stand for 1 each.
func sumOf(weights []float64, rows []int) *sum {
	if weights == nil {
		return newSum(nil, len(rows))
	}
	s := newSum(nil, 0)
	for _, i := range rows {
		s.add(weights[i])
	}
	return s
}

// nearest returns the float64 nearest to the sum.
func (s *sum) nearest() float64 {
	v, _ := s.Float64()
	return v
}

func (s *sum) add(v float64) { s.Add(&s.Float, new(big.Float).SetFloat64(v)) }

// less returns s − count·2^exponent, rounded up.
func (s *sum) less(count int64, exponent int) float64 {
	units := new(big.Float).SetInt64(count)
	return up(new(big.Float).SetPrec(sumBits).Sub(&s.Float, units.SetMantExp(units, exponent)))
}

// up returns the least float64 that is not less.
func up(v *big.Float) float64 {
	f, _ := new(big.Float).SetPrec(53).SetMode(big.ToPositiveInf).Set(v).Float64()
	return f
}
