package classifier_test

import (
	"context"
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
)

func ExampleTrainKNN() {
	x := mat.NewDense(4, 2, []float64{0, 0, 1, 0, 4, 4, 5, 4})
	c, err := classifier.TrainKNN(context.Background(), x, []int{0, 0, 1, 1},
		classifier.KNNOptions{K: 3})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(c.Predict([]float64{1, 1}), c.Predict([]float64{4, 3}))
	// Output: 0 1
}

func ExampleKNN_Cells() {
	x := mat.NewDense(3, 1, []float64{0, 2, 6})
	c, err := classifier.TrainKNN(context.Background(), x, []int{0, 1, 1},
		classifier.KNNOptions{K: 2})
	if err != nil {
		log.Fatal(err)
	}
	z := []float64{4.5}
	for cell := range c.Cells() {
		fmt.Println(cell.Label, cell.Region.Contains(z))
	}
	// Output:
	// 0 false
	// 0 false
	// 1 true
}

func ExampleKNN_CellAt() {
	x := mat.NewDense(2, 1, []float64{0, 2})
	c, err := classifier.TrainKNN(context.Background(), x, []int{0, 1}, classifier.KNNOptions{})
	if err != nil {
		log.Fatal(err)
	}
	cell, err := c.CellAt([]float64{0.3})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(cell.Label, cell.Region.Contains([]float64{0.9}),
		cell.Region.Contains([]float64{1.1}))
	// Output: 0 true false
}

func ExampleTrainTree() {
	x := mat.NewDense(4, 1, []float64{1, 2, 5, 6})
	t, err := classifier.TrainTree(context.Background(), x, []int{0, 0, 1, 1},
		classifier.TreeOptions{MaxDepth: 3})
	if err != nil {
		log.Fatal(err)
	}
	root := t.Nodes()[0]
	fmt.Printf("x[%d] ≤ %v\n", root.Feature, root.Threshold)
	fmt.Println(t.Predict([]float64{3.5}), t.Predict([]float64{3.6}))
	// Output:
	// x[0] ≤ 3.5
	// 0 1
}

func ExampleNewTree() {
	t, err := classifier.NewTree(2, classifier.AtMostFloat64, []classifier.TreeNode{
		{Feature: 1, Threshold: 0.5, Left: 1, Right: 2, Value: []float64{0.5, 0.5}},
		{Left: -1, Right: -1, Value: []float64{1, 0}},
		{Left: -1, Right: -1, Value: []float64{0, 1}},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(t.Predict([]float64{9, 0.5}), t.Predict([]float64{9, 0.6}))
	for cell := range t.Cells() {
		fmt.Println(cell.Label, cell.Region.Box[1])
	}
	// Output:
	// 0 1
	// 0 {-Inf 0.5 false false}
	// 1 {0.5 +Inf true false}
}

func ExampleTrainForest() {
	x := mat.NewDense(6, 1, []float64{1, 2, 3, 7, 8, 9})
	f, err := classifier.TrainForest(context.Background(), x, []int{0, 0, 0, 1, 1, 1},
		classifier.ForestOptions{Trees: 10})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Len(), f.Predict([]float64{0}), f.Predict([]float64{10}))
	// Output: 10 0 1
}

func ExampleNewEnsemble() {
	stump := func(threshold float64) *classifier.Tree {
		t, err := classifier.NewTree(1, classifier.AtMostFloat64, []classifier.TreeNode{
			{Feature: 0, Threshold: threshold, Left: 1, Right: 2, Value: []float64{0.5, 0.5}},
			{Left: -1, Right: -1, Value: []float64{1, 0}},
			{Left: -1, Right: -1, Value: []float64{0, 1}},
		})
		if err != nil {
			log.Fatal(err)
		}
		return t
	}
	e, err := classifier.NewEnsemble([]*classifier.Tree{stump(1), stump(2), stump(3)},
		classifier.EnsembleOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(e.Predict([]float64{1.5}), e.Predict([]float64{2.5}))
	// Output: 0 1
}
