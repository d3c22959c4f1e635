package precise_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

// numbers returns n numbers of many sizes, some of which cancel.
func numbers(r *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for j := range v {
		v[j] = math.Ldexp(r.NormFloat64(), r.IntN(60)-30)
		if j > 0 && r.IntN(4) == 0 {
			v[j] = -math.Nextafter(v[j-1], math.Inf(1))
		}
	}
	return v
}

func exactly(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

func TestTwoSum(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 10000 {
		v := numbers(r, 2)
		sum, err := precise.TwoSum(v[0], v[1])
		want := new(big.Rat).Add(exactly(v[0]), exactly(v[1]))
		if got := new(big.Rat).Add(exactly(sum), exactly(err)); sum != v[0]+v[1] ||
			got.Cmp(want) != 0 {
			t.Fatalf("TwoSum(%v, %v) = %v, %v", v[0], v[1], sum, err)
		}
	}
	if sum, err := precise.TwoSum(math.MaxFloat64, math.MaxFloat64); !math.IsInf(sum, 1) ||
		err == err {
		t.Errorf("TwoSum that overflows = %v, %v, want +Inf, NaN", sum, err)
	}
}

// TestAddDown: the result is the largest float64 that is at most the sum.
func TestAddDown(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for range 10000 {
		v := numbers(r, 2)
		for _, s := range []struct{ got, b float64 }{
			{precise.AddDown(v[0], v[1]), v[1]}, {precise.SubDown(v[0], v[1]), -v[1]},
		} {
			sum := new(big.Rat).Add(exactly(v[0]), exactly(s.b))
			if above := math.Nextafter(s.got, math.Inf(1)); exactly(s.got).Cmp(sum) > 0 ||
				exactly(above).Cmp(sum) <= 0 {
				t.Fatalf("%v + %v rounded down = %v", v[0], s.b, s.got)
			}
		}
	}
	if got := precise.AddDown(math.MaxFloat64, math.MaxFloat64); got != math.MaxFloat64 {
		t.Errorf("a sum that overflows, rounded down = %v, want the largest float64", got)
	}
}

// TestMulDown: no product is rounded up, and one that is a float64 not at all.
func TestMulDown(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 20000 {
		a, b := math.Ldexp(r.Float64(), r.IntN(2000)-1000), math.Ldexp(r.Float64(),
			r.IntN(2000)-1000)
		if r.IntN(4) == 0 {
			a = float64(r.IntN(5))
		}
		got := precise.MulDown(a, b)
		product := new(big.Float).SetPrec(300).Mul(big.NewFloat(a), big.NewFloat(b))
		if got < 0 || big.NewFloat(got).Cmp(product) > 0 {
			t.Fatalf("MulDown(%v, %v) = %v, which is more", a, b, got)
		}
		if exact, accuracy := product.Float64(); accuracy == big.Exact && exact > 0x1p-900 &&
			got != exact {
			t.Fatalf("MulDown(%v, %v) = %v, want %v", a, b, got, exact)
		}
	}
}

// TestNoise: sums of squared differences are good to half of it.
func TestNoise(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for range 2000 {
		n := 1 + r.IntN(40)
		x, y, diff, want := numbers(r, n), numbers(r, n), make([]float64, n), new(big.Rat)
		for j := range diff {
			diff[j] = x[j] - y[j]
			d := new(big.Rat).Sub(exactly(x[j]), exactly(y[j]))
			want.Add(want, d.Mul(d, d))
		}
		got := precise.Dot(diff, diff)
		off := new(big.Rat).Sub(exactly(got), want)
		if off.Abs(off).Cmp(want.Mul(want, exactly(precise.Noise(n)/2))) > 0 {
			t.Fatalf("n=%d: Dot = %v is off by more than half the noise", n, got)
		}
	}
}

func TestDot(t *testing.T) {
	for _, test := range []struct {
		x, y []float64
		want float64
	}{
		{nil, nil, 0},
		{[]float64{1, 2, 3}, []float64{4, -5, 6, 7}, 12},
		// a fused product would leave −2⁻¹⁰⁴
		{[]float64{1 + 0x1p-52, 1}, []float64{1 - 0x1p-52, -1}, 0},
	} {
		if got := precise.Dot(test.x, test.y); got != test.want {
			t.Errorf("Dot(%v, %v) = %v, want %v", test.x, test.y, got, test.want)
		}
	}
}
