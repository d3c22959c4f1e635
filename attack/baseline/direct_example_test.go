package baseline_test

import (
	"context"
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/baseline"
	"github.com/seed-1a7dc1f9/facet/classifier"
)

// pair is 1-NN on the points (0, 0), with label 0, and (1, 0.5), with label 1.
func pair() *classifier.KNN {
	x := mat.NewDense(2, 2, []float64{0, 0, 1, .5})
	knn, err := classifier.TrainKNN(context.Background(), x, []int{0, 1},
		classifier.KNNOptions{})
	if err != nil {
		log.Fatal(err)
	}
	return knn
}

// show attacks the origin and prints the result.
func show(a attack.Attack) {
	r, err := a.Perturb(context.Background(), []float64{0, 0})
	if err != nil {
		log.Fatal(err)
	}
	if r.Example == nil {
		fmt.Println("no example")
		return
	}
	fmt.Printf("label %d at %.3f, distance %.2f\n", r.Label, r.Example, r.Distance)
}

func ExampleDirect() {
	show(&baseline.Direct{Classifier: pair()})
	// Output: label 1 at [0.510 0.255], distance 0.51
}

func ExampleKernel() {
	show(&baseline.Kernel{Classifier: pair()})
	// Output: label 1 at [0.420 0.420], distance 0.42
}

// The rows of a batch are attacked together, as in the paper's experiments.
func ExampleKernel_PerturbAll() {
	a := &baseline.Kernel{Classifier: pair()}
	batch := mat.NewDense(4, 2, []float64{0, 0, 0, .1, 1, .5, .9, .5})
	results, err := a.PerturbAll(context.Background(), batch)
	if err != nil {
		log.Fatal(err)
	}
	for i, r := range results {
		if r.Example != nil {
			fmt.Printf("row %d: label %d at distance %.2f\n", i, r.Label, r.Distance)
		}
	}
	// Output:
	// row 1: label 1 at distance 0.40
	// row 3: label 0 at distance 0.36
}

func ExampleBlackBox() {
	a := &baseline.BlackBox{Classifier: pair(), Starts: 20, MaxQueries: 500}
	r, err := a.Perturb(context.Background(), []float64{0, 0})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("label", r.Label, "within twice the radius:", r.Distance < 2*5./12,
		"within the limit:", r.Nodes <= 500)
	// Output: label 1 within twice the radius: true within the limit: true
}

func ExamplePapernot() {
	stump, err := classifier.NewTree(2, classifier.AtMostFloat32, []classifier.TreeNode{
		{Feature: 1, Threshold: .25, Left: 1, Right: 2, Value: []float64{.5, .5}},
		{Left: -1, Right: -1, Value: []float64{1, 0}},
		{Left: -1, Right: -1, Value: []float64{0, 1}},
	})
	if err != nil {
		log.Fatal(err)
	}
	show(&baseline.Papernot{Classifier: stump, Margin: .01})
	// Output: label 1 at [0.000 0.260], distance 0.26
}
