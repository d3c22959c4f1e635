package exact

import "math/big"

// System is a set of strict inequalities a·u < b over u in R^dim. The zero value
// of a System is not of use; New makes one.
type System struct {
	dim  int
	rows [][]*big.Int // a_1 … a_dim, b, times a positive factor
}

// New returns the system without inequalities.
func New(dim int) *System { return &System{dim: dim} }

// Add appends a·u < b. The system keeps neither a nor b.
func (s *System) Add(a []*big.Rat, b *big.Rat) {
	scale := big.NewInt(1)
	for _, e := range append(a[:s.dim:s.dim], b) {
		d := e.Denom()
		common := new(big.Int).GCD(nil, nil, scale, d)
		scale.Mul(scale, new(big.Int).Quo(d, common))
	}
	row := make([]*big.Int, s.dim+1)
	for j, e := range append(a[:s.dim:s.dim], b) {
		row[j] = new(big.Int).Quo(scale, e.Denom())
		row[j].Mul(row[j], e.Num())
	}
	s.rows = append(s.rows, row)
}

// Len returns the number of inequalities.
func (s *System) Len() int { return len(s.rows) }

// HasInterior reports whether some u satisfies every inequality. It maximises t
// under a_i·u + t ≤ b_i by the simplex method until t is positive or cannot
// grow; with m rows that is usually some m pivots of m·dim products each.
func (s *System) HasInterior() bool {
	if len(s.rows) == 0 {
		return true
	}
	d := newDictionary(s)
	for d.height() <= 0 {
		column, sign := d.entering()
		if column < 0 {
			return false
		}
		row := d.leaving(column, sign)
		if row < 0 {
			return true // t grows without end
		}
		d.pivot(row, column)
	}
	return true
}
