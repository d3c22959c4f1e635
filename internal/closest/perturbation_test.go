package closest

import (
	"math"
	"testing"
)

// TestPerturbation: the sizes keep ties apart and the optimum in place.
func TestPerturbation(t *testing.T) {
	seen := map[float64]int{}
	for j := range 2000 {
		e := perturbation(j)
		if a := math.Abs(e); a < perturbed || a >= 2*perturbed {
			t.Fatalf("perturbation(%d) = %g, want between %g and twice that", j, e, perturbed)
		}
		if k, ok := seen[e]; ok {
			t.Fatalf("perturbation(%d) = perturbation(%d)", j, k)
		}
		seen[e] = j
	}
}
