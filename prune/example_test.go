package prune_test

import (
	"context"
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/prune"
)

// Two groups of points that overlap in the middle: row 3 is closer than 2R = 0.2
// to rows 2 and 4 of the other label, and removing it alone leaves no conflict.
func ExampleAdversarial() {
	x := mat.NewDense(7, 2, []float64{
		0.0, 0.1,
		0.1, 0.2,
		0.4, 0.2, // label 0, 0.1 from row 3
		0.5, 0.3, // label 1, amid label 0
		0.6, 0.2, // label 0, 0.1 from row 3
		0.9, 0.9,
		1.0, 0.8,
	})
	y := []int{0, 0, 0, 1, 0, 1, 1}

	keep, err := prune.Adversarial{Radius: 0.1}.Prune(context.Background(), x, y)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("keep rows", keep)
	// Output:
	// keep rows [0 1 2 4 5 6]
}
