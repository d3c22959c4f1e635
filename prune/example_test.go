package prune_test

import (
	"context"
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
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

// Three labels, and rows that stand for several observations each. The certificate
// is checked without trusting the solver.
func ExampleAdversarial_Solve() {
	ctx := context.Background()
	x := mat.NewDense(5, 1, []float64{0, 0.1, 0.2, 0.9, 1})
	y := []int{0, 1, 2, 2, 0}
	counts := []int{3, 4, 2, 5, 6}

	a := prune.Adversarial{Radius: 0.05}
	r, err := a.Solve(ctx, x, y, counts)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("keep rows", r.Keep, "of weight", r.Weight)
	fmt.Println("status:", r.Status)
	fmt.Println("verified:",
		a.Verify(ctx, x, y, counts, r) == nil, "up to weight", r.Certified)
	// Output:
	// keep rows [0 2 4] of weight 11
	// status: optimal
	// verified: true up to weight 11
}

func ExampleWJC() {
	x := mat.NewDense(4, 1, []float64{0, 1, 2, 9})
	keep, err := prune.WJC{Radius: 0.5}.Prune(context.Background(), x, []int{0, 1, 0, 0})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("keep rows", keep)
	// Output:
	// keep rows [0 2 3]
}

// A defence is a trainer: here it trains 1-NN on the rows that pruning keeps.
func ExampleDefend() {
	x := mat.NewDense(5, 1, []float64{0, 1, 2, 3, 4})
	y := []int{0, 0, 1, 0, 1}
	defended := prune.Defend(prune.Adversarial{Radius: 0.5},
		classifier.TrainerOf(classifier.TrainKNN, classifier.KNNOptions{K: 1}))
	c, err := defended(context.Background(), x, y)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("label of 2:", c.Predict([]float64{2}), "of 4:", c.Predict([]float64{4}))
	// Output:
	// label of 2: 0 of 4: 0
}

// The rows that pruning keeps, of any type that holds them.
func ExampleSelect() {
	x := mat.NewDense(3, 1, []float64{0, 1, 5})
	y := []int{0, 1, 1}
	keptX, keptY, err := prune.Select(x, y, []int{0, 2})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(mat.Col(nil, 0, keptX), keptY)
	// Output:
	// [0 5] [0 1]
}
