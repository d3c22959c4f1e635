package lu

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestFactorisationSolves(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 1))
	var f dense
	for range 300 {
		n := 1 + r.IntN(20)
		a := make([]float64, n*n)
		for i := range a {
			a[i] = float64(r.IntN(21) - 10)
		}
		for i := range n {
			a[i*n+i] += 30 * float64(1-2*r.IntN(2)) // far from singular
		}
		want := make([]float64, n)
		for i := range want {
			want[i] = r.NormFloat64()
		}
		copy(f.resize(n), a)
		if !f.factor() {
			t.Fatalf("factor() = false for %v", a)
		}
		b, bT := make([]float64, n), make([]float64, n)
		for i := range n {
			for j := range n {
				b[i] += a[i*n+j] * want[j]
				bT[j] += a[i*n+j] * want[i]
			}
		}
		f.solve(b)
		f.solveT(bT)
		for i, w := range want {
			if math.Abs(b[i]-w) > 1e-10 || math.Abs(bT[i]-w) > 1e-10 {
				t.Fatalf("n = %d: solve gives %v, solveT %v, want %v", n, b[i], bT[i], w)
			}
		}
	}
}

func TestFactorisationNoticesSingular(t *testing.T) {
	tests := map[string][]float64{
		"zero":        {0, 0, 0, 0},
		"rank one":    {1, 2, 2, 4},
		"zero column": {0, 1, 0, 2},
		"NaN":         {math.NaN(), 1, 1, 1},
	}
	for name, a := range tests {
		var f dense
		copy(f.resize(2), a)
		if f.factor() {
			t.Errorf("%s: factor() = true, want false", name)
		}
	}
}
