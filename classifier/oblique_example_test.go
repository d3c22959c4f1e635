package classifier_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
)

func ExampleNewObliqueEnsemble() {
	// x₀ + x₁ ≤ 1 goes left.
	t, err := classifier.NewObliqueEnsemble(2, [][]classifier.ObliqueNode{{
		{Weights: []float64{1, 1}, Threshold: 1, Left: 1, Right: 2, Value: []float64{5, 3}},
		{Left: -1, Right: -1, Value: []float64{5, 0}},
		{Left: -1, Right: -1, Value: []float64{0, 3}},
	}}, classifier.EnsembleOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(t.Predict([]float64{0.5, 0.5}), t.Predict([]float64{0.5, 0.6}))
	for cell := range t.Cells() {
		h := cell.Region.HalfSpaces[0]
		fmt.Println(cell.Label, h.A, h.B, h.Open)
	}
	// Output:
	// 0 1
	// 0 [1 1] 1 false
	// 1 [-1 -1] -1 true
}

func ExampleObliqueEnsemble() {
	test := func(w0, w1 float64) []classifier.ObliqueNode {
		return []classifier.ObliqueNode{
			{Weights: []float64{w0, w1}, Threshold: 1, Left: 1, Right: 2, Value: []float64{1, 1}},
			{Left: -1, Right: -1, Value: []float64{1, 0}},
			{Left: -1, Right: -1, Value: []float64{0, 1}},
		}
	}
	e, err := classifier.NewObliqueEnsemble(2,
		[][]classifier.ObliqueNode{test(1, 1), test(1, -1), test(1, 0)},
		classifier.EnsembleOptions{Vote: classifier.HardVote},
	)
	if err != nil {
		log.Fatal(err)
	}
	x := []float64{0.5, 0.8}
	cell, err := e.CellAt(x)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(e.Scores(x), e.Predict(x), len(cell.Region.HalfSpaces), cell.Region.Box[0].Hi)
	// Output: [2 1] 0 2 1
}

func ExampleRead_oblique() {
	model := `{"format": "oblique-tree-ensemble", "version": 1, "n_features": 2, "classes": [0, 1],
	 "trees": [{"weights": [[1, -1], null, null], "threshold": [0.5, 0, 0],
	            "left": [1, -1, -1], "right": [2, -1, -1], "value": [[0.5, 0.5], [1, 0], [0, 1]]}]}`
	c, err := classifier.Read[classifier.Classifier](strings.NewReader(model),
		classifier.ReadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	e := c.(*classifier.ObliqueEnsemble)
	fmt.Println(e.Len(), e.Predict([]float64{1, 0.5}), e.Predict([]float64{1, 0.25}))
	// Output: 1 0 1
}

func ExampleTrainOblique() {
	// The classes lie on the two sides of a diagonal.
	x := mat.NewDense(6, 2, []float64{0, 0, 1, 1, 3, 3, 0, 2, 1, 3, 2, 4})
	y := []int{0, 0, 0, 1, 1, 1}
	e, err := classifier.TrainOblique(context.Background(), x, y, classifier.ObliqueOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(e.Tree(0)), e.Predict([]float64{2, 2}), e.Predict([]float64{2, 3.9}))
	// Output: 3 0 1
}
