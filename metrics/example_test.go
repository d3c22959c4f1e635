package metrics_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/metrics"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// nearest is a 1-NN classifier on the line: label 0 below 0.5, label 1 above.
func nearest() *classifier.KNN {
	rows := mat.NewDense(2, 1, []float64{0, 1})
	c, err := classifier.TrainKNN(context.Background(), rows, []int{0, 1},
		classifier.KNNOptions{})
	if err != nil {
		log.Fatal(err)
	}
	return c
}

func ExamplePredict() {
	labels, err := metrics.Predict(context.Background(), nearest(),
		mat.NewDense(3, 1, []float64{0.1, 0.7, 2}))
	fmt.Println(labels, err)
	// Output: [0 1 1] <nil>
}

func ExampleAccuracy() {
	x := mat.NewDense(4, 1, []float64{0.1, 0.7, 0.4, 0.6})
	accuracy, err := metrics.Accuracy(context.Background(), nearest(), x, []int{0, 1, 0, 0})
	fmt.Println(accuracy, err)
	// Output: 0.75 <nil>
}

// Three points of a 1-NN classifier, the second misclassified, attacked exactly on every
// core. The radius is the distance to the border at 0.5.
func ExampleEvaluate() {
	x, y := mat.NewDense(3, 1, []float64{0.25, 0.75, 2}), []int{0, 0, 1}

	points, err := metrics.Evaluate(context.Background(), nearest(), x, y, metrics.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range points {
		fmt.Printf("row %d: label %d, predicted %d, radius %.4g\n",
			p.Row, p.TrueLabel, p.Predicted, p.Distance)
	}

	robustness, err := metrics.EmpiricalRobustness(points)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("empirical robustness %.4g over %d points\n", robustness.Mean, robustness.Found)

	astute, err := metrics.Astuteness(points, 0.3)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("astuteness at 0.3: %.3f\n", astute.Certified)
	// Output:
	// row 0: label 0, predicted 0, radius 0.25
	// row 1: label 0, predicted 1, radius +Inf
	// row 2: label 1, predicted 1, radius 1.5
	// empirical robustness 0.875 over 2 points
	// astuteness at 0.3: 0.333
}

// An attack of one's own choice, in another norm, with each point as it is known.
func ExampleEvaluate_each() {
	c := nearest()
	opts := metrics.Options{
		Norm: polytope.L2,
		Attack: &attack.RegionBased{
			Classifier: c,
			Options:    attack.Options{Norm: polytope.L2, Workers: 1},
		},
		Workers: 1,
		Each: func(p metrics.Point) error {
			_, err := fmt.Printf("row %d: %.1f\n", p.Row, p.Distance)
			return err
		},
	}
	if _, err := metrics.Evaluate(
		context.Background(), c, mat.NewDense(2, 1, []float64{0, 3}), nil, opts,
	); err != nil {
		log.Fatal(err)
	}
	// Output:
	// row 0: 0.5
	// row 1: 2.5
}

// Which rows are robust at 0.1 and at 0.3? That is asked without looking for the nearest example.
func ExampleRobustAccuracy() {
	c := nearest()
	x, y := mat.NewDense(4, 1, []float64{0.25, 0.45, 0.75, 2}), []int{0, 0, 0, 1}
	radii := []float64{0.1, 0.3}

	points, err := metrics.Evaluate(context.Background(), c, x, y, metrics.Options{
		Attack: &attack.RegionBased{
			Classifier: c,
			Options:    attack.Options{Timeout: 10 * time.Second, Workers: 1},
		},
		Radii: radii,
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range points {
		if p.Attacked {
			fmt.Printf("row %d: %v, %v\n", p.Row, p.Verdict(0.1), p.Verdict(0.3))
		}
	}
	for _, r := range radii {
		accuracy, err := metrics.RobustAccuracy(points, r)
		fmt.Println(r, accuracy.Certified, accuracy.Possible, err)
	}
	// Output:
	// row 0: yes, no
	// row 1: no, no
	// row 3: yes, yes
	// 0.1 0.5 0.5 <nil>
	// 0.3 0.25 0.25 <nil>
}

// A search that met a limit leaves a gap between bound and distance.
func ExampleEmpiricalRobustness() {
	points := []metrics.Point{
		{Attacked: true, Result: attack.Result{
			Distance: 0.5, Bound: 0.5, Status: attack.StatusOptimal,
		}},
		{Attacked: true, Result: attack.Result{Distance: 1, Bound: 0.25}},
	}
	r, err := metrics.EmpiricalRobustness(points)
	fmt.Println(r.Mean, r.MeanBound, r.Optimal, err)
	// Output: 0.75 0.375 1 <nil>
}

func ExampleAstuteness() {
	points := []metrics.Point{
		{Attacked: true, Result: attack.Result{
			Distance: 0.5, Bound: 0.5, Status: attack.StatusOptimal,
		}},
		{Attacked: true, Result: attack.Result{Distance: 1, Bound: 0.25}},
		{TrueLabel: 1, Predicted: 0},
		{Attacked: true, Result: attack.Result{
			Distance: 0.1, Bound: 0.1, Status: attack.StatusOptimal,
		}},
	}
	share, err := metrics.Astuteness(points, 0.4)
	fmt.Println(share.Certified, share.Possible, err)
	// Output: 0.25 0.5 <nil>
}

func ExampleDefscore() {
	score, err := metrics.Defscore(0.375, 0.035)
	fmt.Printf("%.3f %v\n", score, err)
	// Output: 10.714 <nil>
}
