package precise

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestLast finds drawn ends, and those at the ends of all float64 and around 0.
func TestLast(t *testing.T) {
	ends := []float64{math.MaxFloat64, -math.MaxFloat64, 0, math.SmallestNonzeroFloat64,
		-math.SmallestNonzeroFloat64, 1, -1}
	rng := rand.New(rand.NewPCG(1, 77))
	for range 1000 {
		if end := math.Float64frombits(rng.Uint64()); Finite(end) {
			ends = append(ends, end)
		}
	}
	for _, end := range ends {
		if got, ok := Last(func(v float64) bool { return v <= end }); !ok || got != end {
			t.Errorf("Last of v ≤ %v is %v, %v", end, got, ok)
		}
	}
	if got, ok := Last(func(float64) bool { return false }); ok {
		t.Errorf("Last of nothing is %v", got)
	}
}
