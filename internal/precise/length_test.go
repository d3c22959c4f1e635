package precise_test

import (
	"math"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

func TestLengths(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	tests := []struct {
		v              []float64
		sum, most, two float64
	}{
		{nil, 0, 0, 0},
		{[]float64{0, 0}, 0, 0, 0},
		{[]float64{3, -4}, 7, 4, 5},
		{[]float64{-3e300, 4e300}, 7e300, 4e300, 5e300}, // squares overflow
		// and underflow
		{[]float64{3 * 0x1p-600, 4 * 0x1p-600}, 7 * 0x1p-600, 4 * 0x1p-600, 5 * 0x1p-600},
		{[]float64{math.MaxFloat64, math.MaxFloat64}, inf, math.MaxFloat64, inf},
		{[]float64{1, -inf}, inf, inf, inf},
		{[]float64{1, nan, 2}, nan, nan, nan},
		{[]float64{nan, inf}, nan, nan, nan},
	}
	same := func(a, b float64) bool {
		return a == b || a != a && b != b || math.Abs(a-b) <= 1e-15*math.Abs(b)
	}
	for _, test := range tests {
		if sum, most, two := precise.SumAbs(test.v), precise.MaxAbs(test.v), precise.Length(
			test.v,
		); !same(sum, test.sum) || !same(most, test.most) || !same(two, test.two) {
			t.Errorf("%v: %v, %v, %v, want %v, %v, %v",
				test.v, sum, most, two, test.sum, test.most, test.two)
		}
	}
}

// TestEuclidean: the sum rounded down is never above the length, equal to it on
// integers, and close to it everywhere.
func TestEuclidean(t *testing.T) {
	for _, v := range [][]float64{
		{3, 4}, {0, 0}, {2, 3, 6}, {1, 1}, {0.1, 0.2, 0.3}, {1e300, 1e300}, {1e-300, 2e-300},
		{5e-324}, {1, 1e-200},
	} {
		sum := precise.NewEuclidean(precise.MaxAbs(v))
		for _, e := range v {
			sum.Add(e)
		}
		if got, want := sum.Root(), precise.Length(v); got > want || got < want*(1-1e-14)-5e-324 {
			t.Errorf("%v: %v, want at most and nearly %v", v, got, want)
		}
	}
	exact := precise.NewEuclidean(4)
	exact.Add(3)
	exact.Add(4)
	if got := exact.Root(); got != 5 {
		t.Errorf("(3, 4) has length %v, want 5", got)
	}
}
