package explain_test

import (
	"context"
	"fmt"
	"log"

	"github.com/seed-1a7dc1f9/facet/attack/explain"
	"github.com/seed-1a7dc1f9/facet/classifier"
)

func ExampleExplainer_Reasons() {
	// Approved are incomes above 2310 of those over 40, and all with a guarantor.
	leaf := func(no, yes float64) classifier.TreeNode {
		return classifier.TreeNode{Feature: -1, Left: -1, Right: -1, Value: []float64{no, yes}}
	}
	test := func(feature int, threshold float64, left, right int) classifier.TreeNode {
		return classifier.TreeNode{
			Feature: feature, Threshold: threshold, Left: left, Right: right,
			Value: []float64{1, 1},
		}
	}
	tree, err := classifier.NewTree(3, classifier.AtMostFloat64, []classifier.TreeNode{
		test(2, 0.5, 1, 6), test(0, 40, 2, 3), leaf(1, 0),
		test(1, 2310, 4, 5), leaf(1, 0), leaf(0, 1), leaf(0, 1),
	})
	if err != nil {
		log.Fatal(err)
	}
	names := []string{"age", "income", "guarantor"}
	e := &explain.Explainer{Classifier: tree, Count: 3}
	x := []float64{35, 2000, 0} // refused
	reasons, err := e.Reasons(context.Background(), x)
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range reasons.Found {
		for _, j := range r.Features {
			fmt.Print(names[j], " ")
		}
		fmt.Println(r.Status)
	}
	fmt.Println("others:", reasons.Status)
	box, err := e.LabelBox(context.Background(), x)
	if err != nil {
		log.Fatal(err)
	}
	for j, i := range box.Box {
		fmt.Printf("%s from %v to %v\n", names[j], i.Lo, i.Hi)
	}
	// Output:
	// income guarantor optimal
	// age guarantor optimal
	// others: none
	// age from -Inf to +Inf
	// income from -Inf to 2310
	// guarantor from -Inf to 0.5
}

// The Shapley values of a model's output are 0 for the feature that forces it.
func Example_shapley() {
	leaf := func(label int) classifier.TreeNode {
		value := make([]float64, 5)
		value[label] = 1
		return classifier.TreeNode{Feature: -1, Left: -1, Right: -1, Value: value}
	}
	half := func(feature, left, right int) classifier.TreeNode {
		return classifier.TreeNode{
			Feature: feature, Threshold: 0.5, Left: left, Right: right, Value: make([]float64, 5),
		}
	}
	tree, err := classifier.NewTree(2, classifier.AtMostFloat64, []classifier.TreeNode{
		half(0, 1, 4), half(1, 2, 3), leaf(4), leaf(0), leaf(1),
	})
	if err != nil {
		log.Fatal(err)
	}
	e := &explain.Explainer{Classifier: tree, Count: 2}
	found, err := e.Reasons(context.Background(), []float64{1, 1})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range found.Found {
		fmt.Println("reason", r.Features, r.Status)
	}
	fmt.Println("others:", found.Status)
	// The mean of the label where the features of a set are 1 and the others 0 or 1.
	mean := func(fixed ...int) float64 {
		sum, n := 0.0, 0.0
		for _, x := range [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}} {
			agrees := true
			for _, j := range fixed {
				agrees = agrees && x[j] == 1
			}
			if agrees {
				sum, n = sum+float64(tree.Predict(x)), n+1
			}
		}
		return sum / n
	}
	fmt.Println("Shapley value of a:", (mean(0)-mean()+mean(0, 1)-mean(1))/2)
	fmt.Println("Shapley value of b:", (mean(1)-mean()+mean(0, 1)-mean(0))/2)
	// Output:
	// reason [0] optimal
	// others: none
	// Shapley value of a: 0
	// Shapley value of b: -0.5
}
