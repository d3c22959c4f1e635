package polytope_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

var norms = []polytope.Norm{polytope.LInf, polytope.L1, polytope.L2}

func TestNormLengths(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	tests := []struct {
		v    []float64
		want [3]float64 // ℓ∞, ℓ1, ℓ2
	}{
		{nil, [3]float64{0, 0, 0}},
		{[]float64{0, math.Copysign(0, -1)}, [3]float64{0, 0, 0}},
		{[]float64{-3}, [3]float64{3, 3, 3}},
		{[]float64{3, -4}, [3]float64{4, 7, 5}},
		{[]float64{3e200, -4e200}, [3]float64{4e200, 7e200, 5e200}},
		{[]float64{3e-200, -4e-200}, [3]float64{4e-200, 7e-200, 5e-200}},
		{[]float64{3e-320, 0}, [3]float64{3e-320, 3e-320, 3e-320}},
		{[]float64{1, inf}, [3]float64{inf, inf, inf}},
		{[]float64{1, -inf}, [3]float64{inf, inf, inf}},
		{[]float64{nan, 1}, [3]float64{nan, nan, nan}},
		{[]float64{1, nan}, [3]float64{nan, nan, nan}},
		{[]float64{1, nan, 2}, [3]float64{nan, nan, nan}},
		{[]float64{inf, nan}, [3]float64{nan, nan, nan}},
	}
	for _, test := range tests {
		for _, n := range norms {
			want := test.want[n]
			if got := geometry.Length(n, test.v); !near(got, want) {
				t.Errorf("Norm %v: Length(%v) = %v, want %v", n, test.v, got, want)
			}
			if got := n.Distance(test.v, make([]float64, len(test.v))); !near(got, want) {
				t.Errorf("Norm %v: Distance(%v, 0) = %v, want %v", n, test.v, got, want)
			}
			if got := n.Distance(make([]float64, len(test.v)), test.v); !near(got, want) {
				t.Errorf("Norm %v: Distance(0, %v) = %v, want %v", n, test.v, got, want)
			}
		}
	}
}

func near(got, want float64) bool {
	return got == want || (math.IsNaN(got) && math.IsNaN(want)) ||
		math.Abs(got-want) <= 1e-15*math.Abs(want)
}

func TestNormDual(t *testing.T) {
	for n, want := range map[polytope.Norm]polytope.Norm{
		polytope.LInf: polytope.L1,
		polytope.L1:   polytope.LInf,
		polytope.L2:   polytope.L2,
	} {
		if got := geometry.Dual(n); got != want {
			t.Errorf("Norm %v: Dual() = %v, want %v", n, got, want)
		}
	}
}

// TestHölder: |a·v| ≤ ‖a‖_q·‖v‖_p, and some v attains it.
func TestHölder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		d := 1 + r.IntN(12)
		a, v := make([]float64, d), make([]float64, d)
		product := 0.0
		for j := range a {
			a[j], v[j] = r.NormFloat64(), r.NormFloat64()
			product += a[j] * v[j]
		}
		for _, n := range norms {
			limit := geometry.DualLength(n, a) * geometry.Length(n, v)
			if math.Abs(product) > limit*(1+1e-14) {
				t.Fatalf("norm %v: |%v·%v| = %v exceeds %v", n, a, v, math.Abs(product), limit)
			}
			attained := steepest(n, a)
			got := floats.Dot(a, attained)
			want := geometry.DualLength(n, a) * geometry.Length(n, attained)
			if math.Abs(got-want) > 1e-13*want {
				t.Fatalf("norm %v: %v·%v = %v, want %v", n, a, attained, got, want)
			}
		}
	}
}

// steepest returns a vector for which Hölder's inequality is an equation.
func steepest(n polytope.Norm, a []float64) []float64 {
	v := append([]float64(nil), a...)
	largest := 0
	for j, e := range a {
		if math.Abs(e) > math.Abs(a[largest]) {
			largest = j
		}
		if n == polytope.LInf {
			v[j] = math.Copysign(1, e)
		}
	}
	if n == polytope.L1 {
		clear(v)
		v[largest] = math.Copysign(1, a[largest])
	}
	return v
}

func TestNormNames(t *testing.T) {
	for _, n := range norms {
		if got, err := polytope.ParseNorm(n.String()); got != n || err != nil {
			t.Errorf("ParseNorm(%q) = %v, %v, want %v", n.String(), got, err, n)
		}
		if err := geometry.CheckNorm(n); err != nil {
			t.Errorf("Norm %v: Validate() = %v, want nil", n, err)
		}
	}
	for _, s := range []string{"", "0", "3", "Inf", "l2", " 1"} {
		if _, err := polytope.ParseNorm(s); !errors.Is(err, polytope.ErrNorm) {
			t.Errorf("ParseNorm(%q) gives error %v, want one that wraps %q",
				s, err, polytope.ErrNorm)
		}
	}
	for _, n := range []polytope.Norm{-1, 3} {
		if err := geometry.CheckNorm(n); !errors.Is(err, polytope.ErrNorm) {
			t.Errorf("Norm(%d).Validate() = %v, want an error that wraps %q",
				int(n), err, polytope.ErrNorm)
		}
	}
	if got, want := polytope.Norm(7).String(), "Norm(7)"; got != want {
		t.Errorf("String() = %q, want %q", got, want)
	}
}

func TestStatusNames(t *testing.T) {
	for s, want := range map[polytope.Status]string{
		polytope.StatusOptimal: "optimal", polytope.StatusInfeasible: "infeasible",
		polytope.StatusCutoff: "cutoff", polytope.StatusStopped: "stopped", 9: "Status(9)",
	} {
		if got := s.String(); got != want {
			t.Errorf("Status(%d).String() = %q, want %q", int(s), got, want)
		}
	}
}
