package polytope

import (
	"fmt"

	"github.com/seed-1a7dc1f9/facet/internal/gauge"
)

// Norm is the length in which distances are measured: ℓ∞, ℓ1 or ℓ2, and for attacks on
// trees the number of coordinates that change. Its zero value is ℓ∞, the norm of the
// paper's experiments. It has methods Validate, which returns an ErrNorm for any but these three,
// Length and Distance of vectors, Dual, the norm q with 1/p + 1/q = 1, and String, which
// returns what ParseNorm reads.
type Norm = gauge.Norm

const (
	LInf = gauge.LInf // max |v_j|
	L1   = gauge.L1   // Σ |v_j|
	L2   = gauge.L2   // √Σ v_j²
	// L0 counts the v_j that are not zero. It is no norm: only attack.RegionBased knows it, and
	// only on trees; everything else refuses it.
	L0 = gauge.L0
)

// ErrNorm is returned for a Norm that is none of LInf, L1 and L2, or for L0 where these three
// are all that will do.
var ErrNorm = gauge.ErrNorm

// ParseNorm reads "inf", "1", "2" or "0".
func ParseNorm(s string) (Norm, error) {
	for n := range L0 + 1 {
		if s == n.String() {
			return n, nil
		}
	}
	return 0, fmt.Errorf("polytope: %w %q: use inf, 1, 2, or 0 for the number of changes",
		ErrNorm, s)
}
