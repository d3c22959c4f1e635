package exact

import (
	"math/big"
	"slices"
)

// System is a set of inequalities a·u ≤ b over u in R^dim.
type System struct {
	dim   int
	rows  [][]*big.Int // a_1 … a_dim, b, times a positive factor
	fixed []*big.Rat   // the values of coordinates, nil for one that is free
}

// New returns the system without inequalities.
func New(dim int) *System { return &System{dim: dim, fixed: make([]*big.Rat, dim)} }

// Fix sets u_j to a value in the inequalities that are added from now on.
func (s *System) Fix(j int, value *big.Rat) { s.fixed[j] = value }

// Ties reports whether a·u = b for all values of the coordinates that are not
// fixed.
func (s *System) Ties(a []*big.Rat, b *big.Rat) bool {
	return !slices.ContainsFunc(s.substituted(a, b), func(e *big.Rat) bool { return e.Sign() != 0 })
}

// Add appends a·u ≤ b. The system keeps neither a nor b.
func (s *System) Add(a []*big.Rat, b *big.Rat) {
	row := s.substituted(a, b)
	scale := big.NewInt(1)
	for _, e := range row {
		common := new(big.Int).GCD(nil, nil, scale, e.Denom())
		scale.Mul(scale, common.Quo(e.Denom(), common))
	}
	numbers := make([]*big.Int, len(row))
	for j, e := range row {
		numbers[j] = new(big.Int).Quo(scale, e.Denom())
		numbers[j].Mul(numbers[j], e.Num())
	}
	s.rows = append(s.rows, numbers)
}

// substituted returns a and b with the fixed coordinates moved to the right.
func (s *System) substituted(a []*big.Rat, b *big.Rat) []*big.Rat {
	row := append(a[:s.dim:s.dim], b)
	for j, v := range s.fixed {
		if v != nil && a[j].Sign() != 0 {
			row[s.dim] = new(big.Rat).Sub(row[s.dim], new(big.Rat).Mul(a[j], v))
			row[j] = new(big.Rat)
		}
	}
	return row
}

// Len returns the number of inequalities.
func (s *System) Len() int { return len(s.rows) }

// HasPoint reports whether some u satisfies every inequality. With m of them it
// usually takes some m pivots of m·dim products each.
func (s *System) HasPoint() bool { return s.climb(0) }

// HasInterior reports whether some u satisfies every inequality as a strict one.
func (s *System) HasInterior() bool { return s.climb(1) }

// climb maximises t under a_i·u + t ≤ b_i by the simplex method and reports
// whether t reaches a sign.
func (s *System) climb(sign int) bool {
	if len(s.rows) == 0 {
		return true
	}
	d := newDictionary(s)
	for d.height() < sign {
		column, direction := d.entering()
		if column < 0 {
			return false
		}
		row := d.leaving(column, direction)
		if row < 0 {
			return true // t grows without end
		}
		d.pivot(row, column)
	}
	return true
}
