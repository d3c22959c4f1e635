package boxtree_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
)

// TestAlsoWithPotentials compares distances of inputs that several classifiers accept, or so many
// of them, with those of all joint cells, by searches that use potentials from a depth on.
func TestAlsoWithPotentials(t *testing.T) {
	t.Parallel()
	answered := 0
	for number := range uint64(instance.Count(1500, 50_000)) {
		rng := rand.New(rand.NewPCG(number, 4501))
		kind := []string{"prices", "directions", "frozen", "limits", "integer", "all"}[rng.IntN(6)]
		draw := instance.DrawJoint
		if number%8 > 3 {
			draw = instance.DrawQuorums
		}
		in := draw(t, rng, kind, instance.Measures()[number%4])
		e, ok := in.C.(*classifier.Ensemble)
		if !ok {
			continue
		}
		truth := in.Nearest(func([]int) bool { return true })
		a := &attack.RegionBased{Classifier: large{e, rng.IntN(4)}, Options: in.Options()}
		a.Workers = 1 + rng.IntN(2)
		r, err := a.Perturb(t.Context(), in.X)
		if err != nil || !r.Optimal() ||
			r.Distance != truth && !(math.Abs(r.Distance-truth) <= 1e-9*max(1, truth)) {
			t.Fatalf("instance %d, %s, %v: %+v, %v, and the truth is %v",
				number, kind, in.Norm, r, err, truth)
		}
		if r.Example != nil {
			answered++
		}
	}
	if answered == 0 {
		t.Error("nothing has an answer")
	}
}
