package polytope

import (
	"fmt"

	"github.com/seed-1a7dc1f9/facet/internal/gauge"
)

// Norm is the length in which distances are measured: ℓ∞, ℓ1 or ℓ2. Its zero value is ℓ∞, the
// norm of the paper's experiments. It has methods Validate, which returns an ErrNorm for any other,
// Length and Distance of vectors, Dual, the norm q with 1/p + 1/q = 1, and String, which
// returns what ParseNorm reads.
type Norm = gauge.Norm

const (
	LInf = gauge.LInf // max |v_j|
	L1   = gauge.L1   // Σ |v_j|
	L2   = gauge.L2   // √Σ v_j²
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
