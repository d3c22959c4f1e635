package classifier_test

import (
	"context"
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
)

// The first feature separates the classes, but by little. The second gets a row wrong and leaves an
// adversary who moves features by 0.2 no other row.
func ExampleTreeOptions_robust() {
	x := mat.NewDense(6, 2, []float64{
		0.48, 0.1,
		0.49, 0.2,
		0.48, 0.9,
		0.51, 0.8,
		0.52, 0.9,
		0.51, 1,
	})
	y := []int{0, 0, 0, 1, 1, 1}
	for _, robust := range []float64{0, 0.2} {
		tree, err := classifier.TrainTree(context.Background(), x, y, classifier.TreeOptions{
			MaxDepth: 1, MinSplit: 2, MinLeaf: 1,
			Robust: robust,
		})
		if err != nil {
			log.Fatal(err)
		}
		root := tree.Nodes()[0]
		fmt.Printf("feature %d ≤ %.3f\n", root.Feature, root.Threshold)
	}
	// Output:
	// feature 0 ≤ 0.500
	// feature 1 ≤ 0.500
}
