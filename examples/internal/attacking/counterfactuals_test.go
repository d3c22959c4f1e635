package attacking

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

func TestOutward(t *testing.T) {
	for _, tt := range []struct{ x, z, part, want float64 }{
		{1600, 1875.0000610351565, 1e-3, 1875.1},
		{1600, 2375.000122070313, 1e-3, 2375.1},
		{2000, 1875, 1e-3, 1875},
		{2000, 1874.99999, 1e-3, 1874.9},
		{0, 0.1234567, 1e-3, 0.1235},
		{0, 0.1234567, 1e-1, 0.13},
		{1, -0.00012345, 1e-3, -0.0002},
		{5, 4.999999, 1e-3, 4.999999},
		{10, 0, 1e-3, 0},
		{0, 1, 1e-3, 1},
		{99.5, 99.99, 0.1, 100},
	} {
		if got := outward(tt.x, tt.z, tt.part); got != tt.want {
			t.Errorf("from %v to %v within %v: %v, want %v", tt.x, tt.z, tt.part, got, tt.want)
		}
	}
}

// TestOutwardIsFarther: the number is never nearer, seldom longer, and within the part.
func TestOutwardIsFarther(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	short := 0
	for range 5000 {
		x, z := math.Ldexp(rng.NormFloat64(), rng.IntN(40)-20), math.Ldexp(rng.NormFloat64(),
			rng.IntN(40)-20)
		got := outward(x, z, 1e-3)
		if far := math.Abs(got - x); far < math.Abs(z-x) || far > 1.001*math.Abs(z-x)*(1+1e-15) ||
			(got > x) != (z > x) {
			t.Fatalf("from %v to %v: %v", x, z, got)
		}
		if len(strconv.FormatFloat(got, 'e', -1, 64)) < len(strconv.FormatFloat(z, 'e', -1, 64)) {
			short++
		}
	}
	if short < 4500 {
		t.Errorf("%d of 5000 numbers became shorter", short)
	}
}
