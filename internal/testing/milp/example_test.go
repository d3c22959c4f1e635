//go:build lpsolve

package milp_test

import (
	"context"
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/milp"
)

// The same question is put to the program and to the search that it checks.
func ExampleAttack() {
	x := mat.NewDense(6, 2, []float64{0, 0, 0, 1, 1, 0, 3, 3, 3, 4, 4, 3})
	y := []int{0, 0, 0, 1, 1, 1}
	forest, err := classifier.TrainForest(context.Background(), x, y, classifier.ForestOptions{
		Trees: 5,
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, a := range []attack.Attack{
		milp.Attack{Ensemble: forest},
		&attack.RegionBased{Classifier: forest},
	} {
		r, err := a.Perturb(context.Background(), []float64{0, 0.5})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("label %d at ℓ∞ distance %.6f, proven: %v\n", r.Label, r.Distance, r.Optimal())
	}
	// Output:
	// label 1 at ℓ∞ distance 1.500000, proven: true
	// label 1 at ℓ∞ distance 1.500000, proven: true
}
