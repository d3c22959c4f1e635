package exact_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/exact"
)

// TestMargin compares with sums of rational numbers, of coordinates of all sizes.
func TestMargin(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	draw := func() float64 {
		switch rng.IntN(6) {
		case 0:
			return 0
		case 1:
			return float64(rng.IntN(9) - 4)
		case 2:
			return math.Ldexp(rng.NormFloat64(), rng.IntN(2000)-1000)
		case 3:
			return math.SmallestNonzeroFloat64 * float64(rng.IntN(5))
		}
		return rng.NormFloat64()
	}
	for range 2000 {
		points := make([][]float64, 3)
		for i := range points {
			for range 1 + rng.IntN(3) {
				points[i] = append(points[i], draw())
			}
		}
		dim := min(len(points[0]), len(points[1]), len(points[2]))
		want := new(big.Rat)
		for j := range dim {
			dq := exact.Difference(points[2][j], points[0][j])
			dp := exact.Difference(points[1][j], points[0][j])
			want.Add(want, dq.Mul(dq, dq))
			want.Sub(want, dp.Mul(dp, dp))
		}
		got := exact.Margin(points[0][:dim], points[1][:dim], points[2][:dim])
		if got.Cmp(want) != 0 || got.Denom().Sign() <= 0 {
			t.Fatalf("Margin of %v = %v, want %v", points, got, want)
		}
	}
}
