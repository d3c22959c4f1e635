package exact

import "math/big"

// Inside returns a solution that lies on the border of no inequality that some solution keeps off,
// nil if there is no solution.
func (s *System) Inside() []*big.Rat {
	first := s.Solution()
	if first == nil {
		return nil
	}
	sum, terms := first, int64(1)
	strict := s.Clone()
	for i, row := range s.rows {
		if !s.closed[i] || s.slack(row, sum, terms).Sign() > 0 {
			continue
		}
		strict.closed[i] = false
		if u := strict.Solution(); u != nil {
			for j, e := range u {
				sum[j] = new(big.Rat).Add(sum[j], e)
			}
			terms++
		}
		strict.closed[i] = true
	}
	share := big.NewRat(1, terms)
	for j, e := range sum {
		sum[j] = new(big.Rat).Mul(e, share)
	}
	return sum
}

// slack returns b − a·u, times terms, for the mean u of so many terms.
func (s *System) slack(row []*big.Int, sum []*big.Rat, terms int64) *big.Rat {
	left := new(big.Rat).SetInt(row[s.dim])
	left.Mul(left, big.NewRat(terms, 1))
	term := new(big.Rat)
	for j, e := range sum {
		if row[j].Sign() != 0 {
			left.Sub(left, term.Mul(term.SetInt(row[j]), e))
		}
	}
	return left
}
