package boxtree_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// TestPotentialsUnderRules: with potentials the nearest answer under rules of moves is that of the
// enumeration.
func TestPotentialsUnderRules(t *testing.T) {
	t.Parallel()
	for k, kind := range instance.RuleKinds {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			compared := 0
			for number := range uint64(racetest.Count(300, 5000)) {
				in := instance.DrawRuled(t, rand.New(rand.NewPCG(number, uint64(900+k))), kind,
					instance.Norms()[number%3])
				e, ok := in.C.(*classifier.Ensemble)
				if !ok {
					continue
				}
				compared++
				truth := in.Nearest(func([]int) bool { return true })
				a := &attack.RegionBased{
					Classifier: large{e, int(number/3) % 3},
					Options:    in.Options(),
				}
				a.Workers = 1 + int(number%3)
				r, err := a.Perturb(t.Context(), in.X)
				if err != nil || !r.Optimal() || math.IsInf(truth, 1) != (r.Example == nil) {
					t.Fatalf("instance %d: %+v (%v), want distance %v\n%+v",
						number, r, err, truth, in)
				}
				if r.Example == nil {
					continue
				}
				if err := in.Broken(r.Example); err != nil ||
					math.Abs(r.Distance-truth) > 1e-9*max(1, truth) {
					t.Fatalf("instance %d: %+v (%v), want distance %v\n%+v",
						number, r, err, truth, in)
				}
			}
			if compared == 0 {
				t.Error("no ensembles")
			}
		})
	}
}
