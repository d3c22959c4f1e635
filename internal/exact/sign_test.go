package exact_test

import (
	"math"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/exact"
)

// TestSign: exact arithmetic is asked only where floating point cannot tell.
func TestSign(t *testing.T) {
	const asked = 7
	for _, test := range []struct {
		v, err float64
		want   int
	}{
		{2, 1, 1}, {-2, 1, -1}, {1, 1, asked}, {-1, 1, asked}, {0.5, 1, asked},
		{0, 0, 0}, {1, 0, 1}, {-1, 0, -1}, {0, 1, asked},
		{math.NaN(), 1, asked}, {1, math.NaN(), asked}, {math.Inf(1), math.Inf(1), asked},
		{math.Inf(1), 1, 1}, {math.Inf(-1), 1, -1},
	} {
		if got := exact.Sign(test.v, test.err, func() int { return asked }); got != test.want {
			t.Errorf("Sign(%v, %v) = %d, want %d", test.v, test.err, got, test.want)
		}
	}
}
