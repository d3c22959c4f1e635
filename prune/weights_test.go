package prune

import (
	"math"
	"testing"
)

// TestSumsRoundUp: bounds are exact sums, rounded up.
func TestSumsRoundUp(t *testing.T) {
	above := math.Nextafter(1, 2)
	for _, tt := range []struct {
		weights  []float64
		count    int64
		exponent int
		want     float64
	}{
		{[]float64{1, 0x1p-60}, 0, 0, above},
		{[]float64{1, 5e-324}, 0, 0, above},
		{[]float64{1, 0x1p-60}, 1, -60, 1},
		{[]float64{1e308, 1, 1e308}, 0, 0, math.Inf(1)},
		{[]float64{1 << 53, 1}, 1, 0, 1 << 53},
		{nil, 2, 0, 3},
	} {
		if got := newSum(tt.weights, 5).less(tt.count, tt.exponent); got != tt.want {
			t.Errorf("%v less %d·2^%d = %v, want %v", tt.weights, tt.count, tt.exponent, got, tt.want)
		}
	}
}
