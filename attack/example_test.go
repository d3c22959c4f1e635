package attack_test

import (
	"context"
	"fmt"
	"iter"
	"log"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

func ExampleRegionBased() {
	x := mat.NewDense(3, 2, []float64{0, 0, 4, 0, 0, 10})
	knn, err := classifier.TrainKNN(context.Background(), x, []int{0, 1, 1},
		classifier.KNNOptions{})
	if err != nil {
		log.Fatal(err)
	}
	a := &attack.RegionBased{Classifier: knn}
	r, err := a.Perturb(context.Background(), []float64{0.5, 0})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("label %d at ℓ∞ distance %.4f, proven: %v\n", r.Label, r.Distance, r.Optimal())
	// Output: label 1 at ℓ∞ distance 1.5000, proven: true
}

// Is the point robust at each of some radii? One search tells, and looks no farther than it must.
func ExampleRegionBased_RobustAt() {
	x := mat.NewDense(3, 2, []float64{0, 0, 4, 0, 0, 10})
	knn, err := classifier.TrainKNN(context.Background(), x, []int{0, 1, 1},
		classifier.KNNOptions{})
	if err != nil {
		log.Fatal(err)
	}
	radii := []float64{0.5, 1, 2}
	a := &attack.RegionBased{Classifier: knn}
	result, err := a.RobustAt(context.Background(), []float64{0.5, 0}, radii...)
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range radii {
		fmt.Println(r, result.Verdict(r))
	}
	// Output:
	// 0.5 yes
	// 1 yes
	// 2 no
}

func ExampleRegionBased_approx() {
	x := mat.NewDense(3, 2, []float64{0, 0, 4, 0, 0, 10})
	knn, err := classifier.TrainKNN(context.Background(), x, []int{0, 1, 1},
		classifier.KNNOptions{})
	if err != nil {
		log.Fatal(err)
	}
	a := &attack.RegionBased{
		Classifier: knn,
		Options:    attack.Options{Mode: attack.Approx, Regions: 1, Norm: polytope.L2},
	}
	r, err := a.Perturb(context.Background(), []float64{0.5, 0})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("label %d at ℓ2 distance %.4f, proven: %v\n", r.Label, r.Distance, r.Optimal())
	// Output: label 1 at ℓ2 distance 1.5000, proven: false
}

// sign is a user's own classifier: 1 where x₀ + x₁ > 1, else 0.
type sign struct{}

func (sign) Dim() int     { return 2 }
func (sign) Classes() int { return 2 }
func (sign) Predict(x []float64) int {
	if x[0]+x[1] > 1 {
		return 1
	}
	return 0
}

func (sign) Cells() iter.Seq[classifier.Cell] {
	return func(yield func(classifier.Cell) bool) {
		below := polytope.HalfSpace{A: []float64{1, 1}, B: 1}
		above := polytope.HalfSpace{A: []float64{-1, -1}, B: -1, Open: true}
		_ = yield(classifier.Cell{
			Label:  0,
			Region: polytope.Polyhedron{HalfSpaces: []polytope.HalfSpace{below}},
		}) &&
			yield(classifier.Cell{
				Label:  1,
				Region: polytope.Polyhedron{HalfSpaces: []polytope.HalfSpace{above}},
			})
	}
}

// Any classifier that lists its cells can be attacked exactly. Here the example
// must stay in the unit square, reach label 1, and be nearest in ℓ1.
func ExampleOptions() {
	a := &attack.RegionBased{Classifier: sign{}, Options: attack.Options{
		Norm:   polytope.L1,
		Target: new(1),
		Domain: polytope.Cube(2, 0, 1),
	}}
	r, err := a.Perturb(context.Background(), []float64{0.25, 0.5})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.4f ≤ radius ≤ %.4f\n", r.Bound, r.Distance)
	// Output: 0.2500 ≤ radius ≤ 0.2500
}

// A tree separates four rows halfway between the classes. Its adversarial
// examples lie on both sides of the threshold and keep the labels of their rows.
func ExampleAdversarialTraining() {
	x := mat.NewDense(4, 1, []float64{0, 1, 3, 4})
	y := []int{0, 0, 1, 1}
	at := attack.AdversarialTraining{
		Trainer: classifier.TrainerOf(classifier.TrainTree, classifier.TreeOptions{}),
		Radius:  1.5,
	}
	moreX, moreY, err := at.Augment(context.Background(), x, y)
	if err != nil {
		log.Fatal(err)
	}
	for i, label := range moreY {
		fmt.Printf("%.4f %d\n", moreX.At(i, 0), label)
	}
	// Output:
	// 0.0000 0
	// 1.0000 0
	// 3.0000 1
	// 4.0000 1
	// 2.0000 0
	// 2.0000 1
}

func ExampleRegionBased_oblique() {
	// Label 1 where x₀ + 2·x₁ > 3.
	t, err := classifier.NewObliqueEnsemble(2, [][]classifier.ObliqueNode{{
		{Weights: []float64{1, 2}, Threshold: 3, Left: 1, Right: 2, Value: []float64{1, 1}},
		{Left: -1, Right: -1, Value: []float64{1, 0}},
		{Left: -1, Right: -1, Value: []float64{0, 1}},
	}}, classifier.EnsembleOptions{})
	if err != nil {
		log.Fatal(err)
	}
	a := &attack.RegionBased{Classifier: t, Options: attack.Options{Norm: polytope.L1}}
	r, err := a.Perturb(context.Background(), []float64{0, 0})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.3f %d %v\n", r.Distance, r.Label, r.Optimal())
	// Output: 1.500 1 true
}
