package precise

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// exponential returns e^v with 300 bits, by the series of v/2⁶⁰.
func exponential(v float64) *big.Float {
	number := func(v float64) *big.Float { return new(big.Float).SetPrec(400).SetFloat64(v) }
	const halvings = 60
	s := number(math.Ldexp(v, -halvings))
	sum, term := number(1), number(1)
	for n := 1.0; n < 30; n++ {
		sum.Add(sum, term.Quo(term.Mul(term, s), number(n)))
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum
}

// TestExp compares with 300 bits: all sizes, and the numbers beside one another.
func TestExp(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 71))
	for range racetest.Count(3000, 200000) {
		v := (rng.Float64() - 0.5) * math.Ldexp(1, rng.IntN(100)-88)
		if math.Abs(v) > 746 {
			continue
		}
		want, _ := exponential(v).Float64()
		if got := Exp(v); got != want &&
			(want > 0x1p-1022 || math.Abs(got-want) > math.SmallestNonzeroFloat64) {
			t.Fatalf("Exp(%v) = %v, want %v", v, got, want)
		}
		if next := math.Nextafter(v, 1e9); Exp(next) < Exp(v) {
			t.Fatalf("Exp(%v) = %v, and Exp(%v) = %v", v, want, next, Exp(next))
		}
	}
	for v, want := range map[float64]float64{
		0:                1,
		math.Inf(1):      math.Inf(1),
		math.Inf(-1):     0,
		709.782712893384: 1.797693134862273e308,
		-745.2:           0,
		710:              math.Inf(1),
	} {
		if got := Exp(v); math.Abs(got-want) > 1e-12*want {
			t.Errorf("Exp(%v) = %v, want %v", v, got, want)
		}
	}
	if v := Exp(math.NaN()); v == v {
		t.Errorf("Exp(NaN) = %v", v)
	}
}
