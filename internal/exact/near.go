package exact

import (
	"iter"
	"math/big"
)

// spreads are shares of a size within which solutions count as near.
var spreads = [...]float64{1e-13, 1e-12, 1e-11, 1e-10}

// Near returns points x+v, rounded, of solutions v near u, the nearest first. They lie off the
// borders of inequalities, and of the surroundings of u, as far as solutions do.
func (s *System) Near(x, u []float64, size float64) iter.Seq[[]float64] {
	return func(yield func([]float64) bool) {
		for _, spread := range spreads {
			v := s.Around(u, spread*size).Inside()
			if v == nil {
				continue
			}
			z := make([]float64, len(v))
			for j, e := range v {
				z[j], _ = new(big.Rat).Add(e, Float(x[j])).Float64()
			}
			if !yield(z) {
				return
			}
		}
	}
}

// Around returns the system within a distance of u in each coordinate.
func (s *System) Around(u []float64, distance float64) *System {
	c := s.Clone()
	a, width := Floats(make([]float64, s.dim)), Float(distance)
	for j, e := range u {
		if s.fixed[j] != nil {
			continue
		}
		a[j].SetInt64(1)
		c.AddClosed(a, new(big.Rat).Add(Float(e), width))
		a[j].SetInt64(-1)
		c.AddClosed(a, new(big.Rat).Sub(width, Float(e)))
		a[j].SetInt64(0)
	}
	return c
}
