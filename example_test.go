package facet_test

import (
	"context"
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/prune"
)

// How far is an input from being misclassified, and how far once the training set
// was pruned?
func Example() {
	ctx := context.Background()
	x := mat.NewDense(6, 2, []float64{0, 0, 0, 2, 1, 1, 1.2, 1, 4, 0, 4, 2})
	y := []int{0, 0, 0, 1, 1, 1}

	keep, err := prune.Adversarial{Radius: 0.5, Norm: polytope.L2}.Prune(ctx, x, y)
	if err != nil {
		log.Fatal(err)
	}
	pruned, labels, err := prune.Select(x, y, keep)
	if err != nil {
		log.Fatal(err)
	}
	radius := func(x mat.Matrix, y []int) float64 {
		knn, err := classifier.TrainKNN(context.Background(), x, y, classifier.KNNOptions{K: 1})
		if err != nil {
			log.Fatal(err)
		}
		rba := &attack.RegionBased{Classifier: knn, Options: attack.Options{Norm: polytope.L2}}
		r, err := rba.Perturb(ctx, []float64{0.5, 1})
		if err != nil {
			log.Fatal(err)
		}
		return r.Bound
	}
	fmt.Printf("before: %.2f\n", radius(x, y))
	fmt.Printf("%d rows kept\n", len(keep))
	fmt.Printf("after: %.2f\n", radius(pruned, labels))
	// Output:
	// before: 0.60
	// 5 rows kept
	// after: 2.06
}
