package oracle

import (
	"math"
	"math/big"
)

// rats is exact arithmetic. No number is changed once made, so vectors may
// share numbers.
type rats struct{}

func (rats) num(v float64) *big.Rat     { return new(big.Rat).SetFloat64(v) }
func (rats) add(a, b *big.Rat) *big.Rat { return new(big.Rat).Add(a, b) }
func (rats) mul(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }
func (rats) quo(a, b *big.Rat) *big.Rat { return new(big.Rat).Quo(a, b) }
func (rats) less(a, b *big.Rat) bool    { return a.Cmp(b) < 0 }
func (rats) sign(a *big.Rat) int        { return a.Sign() }
func (rats) tie(a, b *big.Rat) bool     { return a.Cmp(b) == 0 }

func (rats) dot(a, b []*big.Rat) *big.Rat {
	sum, term := new(big.Rat), new(big.Rat)
	for i, e := range a {
		if e.Sign() != 0 && b[i].Sign() != 0 {
			sum.Add(sum, term.Mul(e, b[i]))
		}
	}
	return sum
}

func (f rats) axpy(y []*big.Rat, s *big.Rat, x []*big.Rat) {
	if s.Sign() == 0 {
		return
	}
	for i := range y {
		if x[i].Sign() != 0 {
			y[i] = f.add(y[i], f.mul(s, x[i]))
		}
	}
}

func (rats) scale(a []*big.Rat, b *big.Rat) ([]*big.Rat, *big.Rat) { return a, b }

// pivots sets no limit: with Bland's rule and exact numbers the method ends.
func (rats) pivots() int { return math.MaxInt }

func (f rats) maximise(p program[*big.Rat]) outcome[*big.Rat] { return simplex(f, p) }

// rounded converts a vector to float64.
func rounded(v []*big.Rat) []float64 {
	if v == nil {
		return nil
	}
	out := make([]float64, len(v))
	for i, e := range v {
		out[i], _ = e.Float64()
	}
	return out
}
