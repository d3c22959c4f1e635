package polytope

import (
	"fmt"

	"github.com/seed-1a7dc1f9/facet/internal/gauge"
)

// Norm is the length in which distances are measured: ℓ∞, ℓ1 or ℓ2. Its zero value is ℓ∞, the
// norm of the paper's experiments.
type Norm int

const (
	LInf = Norm(gauge.LInf) // max |v_j|
	L1   = Norm(gauge.L1)   // Σ |v_j|
	L2   = Norm(gauge.L2)   // √Σ v_j²
)

// ErrNorm is returned for a Norm that is none of LInf, L1 and L2.
var ErrNorm = gauge.ErrNorm

// ParseNorm reads "inf", "1" or "2".
func ParseNorm(s string) (Norm, error) {
	for n := range L2 + 1 {
		if s == n.String() {
			return n, nil
		}
	}
	return 0, fmt.Errorf("polytope: %w %q: use inf, 1 or 2", ErrNorm, s)
}

// Validate returns an error wrapping ErrNorm when n is not one of LInf, L1 and L2.
func (n Norm) Validate() error { return gauge.Norm(n).Validate() }

// String returns the name ParseNorm reads.
func (n Norm) String() string { return gauge.Norm(n).String() }

// Dual returns the norm q with 1/p + 1/q = 1: the distance from x to the
// half-space {z: a·z ≤ b} in the norm p is max(0, a·x − b)/‖a‖_q.
func (n Norm) Dual() Norm { return Norm(gauge.Norm(n).Dual()) }

// Length returns ‖v‖. A NaN in v makes the result NaN.
func (n Norm) Length(v []float64) float64 { return gauge.Norm(n).Length(v) }

// Distance returns ‖x − y‖ of two vectors of equal length. A NaN in either makes
// the result NaN.
func (n Norm) Distance(x, y []float64) float64 { return gauge.Norm(n).Distance(x, y) }
