package house_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/attack/property"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/metrics"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/prune"
)

// What README.md and the pages of docs show in Go is taken from here; TestGo compares them.

// sample is the row that the guide attacks.
func sample() (context.Context, mat.Matrix, []int) {
	x := mat.NewDense(6, 2, []float64{0, 0, 0, 2, 1, 1, 3, 1, 4, 0, 4, 2})
	y := []int{0, 0, 0, 1, 1, 1}
	return context.Background(), x, y
}

func Example_readme() {
	ctx, x, y := sample()
	point := []float64{0.5, 1}

	knn, err := classifier.TrainKNN(ctx, x, y, classifier.KNNOptions{K: 3}) // mat.Matrix, []int
	if err != nil {
		log.Fatal(err)
	}
	rba := &attack.RegionBased{Classifier: knn} // exact, ℓ∞, any other label
	r, err := rba.Perturb(ctx, point)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Distance, r.Example, r.Label) // the nearest adversarial example
	fmt.Println(r.Bound, r.Status)              // none is nearer; "optimal": proven nearest
}

func Example_readmeModel() {
	ctx, point := context.Background(), []float64{0.25, 1}
	file := strings.NewReader(`{"format":"sklearn-tree-ensemble","version":1,"n_features":2,"classes":[0,1],"trees":[
		{"feature":[0,-2,-2],"threshold":[0.5,-2,-2],"left":[1,-1,-1],"right":[2,-1,-1],"value":[[0.5,0.5],[1,0],[0,1]]}]}`)

	// of scikit-learn, XGBoost, LightGBM, CatBoost, ONNX, facet
	model, err := classifier.Read[classifier.Classifier](file, classifier.ReadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	rba := &attack.RegionBased{Classifier: model}
	r, err := rba.RobustAt(ctx, point, 0.1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Verdict(0.1)) // no other label within 0.1: proven
	// Output: yes
}

func Example_readmeCosts() {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(1, 1))
	x, y := mat.NewDense(300, 5, nil), make([]int, 300) // age, months, loans, purpose
	for i := range y {
		age, months, loans := 20+rng.IntN(50), rng.IntN(60), rng.IntN(5)
		row := []float64{float64(age), float64(months), float64(loans), 0, 0}
		row[3+rng.IntN(2)] = 1
		if x.SetRow(i, row); row[1]-10*row[2]+10*row[4] > 10 {
			y[i] = 1
		}
	}
	model, err := classifier.TrainForest(ctx, x, y, classifier.ForestOptions{Trees: 20})
	if err != nil {
		log.Fatal(err)
	}
	point := []float64{40, 12, 3, 1, 0}

	features := []attack.Feature{
		{Frozen: true},         // age
		{Down: math.Inf(1)},    // months as a customer only grow
		{Step: 1, Up: 2},       // loans are counted, and one more costs 2
		{Group: 1}, {Group: 1}, // the purpose, one-hot: a change costs 1
	}
	options := attack.Options{Norm: polytope.L1, Features: features}
	rba := &attack.RegionBased{Classifier: model, Options: options}
	answers, err := rba.Counterfactuals(ctx, point, 3) // three, which change different features
	if err != nil {
		log.Fatal(err)
	}
	for _, a := range answers.Found {
		fmt.Println(a.Label, a.Example, a.Status)
	}
	// Output:
	// 1 [40 12 0 1 0] optimal
	// 1 [40 26.50000095367432 3 0 1] optimal
	// 1 [40 39.00000190734864 3 1 0] optimal
}

func Example_readmePruning() {
	ctx, x, y := sample()

	keep, err := prune.Adversarial{Radius: 0.15}.Prune(ctx, x, y)
	if err != nil {
		log.Fatal(err)
	}
	x2, y2, err := prune.Select(x, y, keep)
	if err != nil {
		log.Fatal(err)
	}
	rows, _ := x2.Dims()
	fmt.Println(rows, y2)
	// Output: 6 [0 0 0 1 1 1]
}

func Example_guide() {
	ctx := context.Background()
	x := mat.NewDense(6, 2, []float64{0, 0, 0, 2, 1, 1, 3, 1, 4, 0, 4, 2})
	y := []int{0, 0, 0, 1, 1, 1}

	knn, err := classifier.TrainKNN(ctx, x, y, classifier.KNNOptions{K: 3})
	if err != nil {
		log.Fatal(err)
	}
	rba := &attack.RegionBased{Classifier: knn}
	r, err := rba.Perturb(ctx, []float64{0.5, 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("label %d at distance %.4f, %v\n", r.Label, r.Distance, r.Status)

	points, err := metrics.Evaluate(ctx, knn, x, y, metrics.Options{})
	if err != nil {
		log.Fatal(err)
	}
	robustness, err := metrics.EmpiricalRobustness(points)
	if err != nil {
		log.Fatal(err)
	}
	share, err := metrics.RobustAccuracy(points, 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("mean distance %.4f, certified at 1: %.2f\n", robustness.Mean, share.Certified)
	// Output:
	// label 1 at distance 1.5000, optimal
	// mean distance 1.6667, certified at 1: 0.67
}

func Example_guideOptions() {
	ctx, x, y := sample()
	knn, err := classifier.TrainKNN(ctx, x, y, classifier.KNNOptions{K: 3})
	if err != nil {
		log.Fatal(err)
	}

	box := polytope.Box{{Lo: 0, Hi: 4}, {Lo: 0, Hi: 2}}
	rba := &attack.RegionBased{
		Classifier: knn,
		Options:    attack.Options{Norm: polytope.L2, Domain: box, Timeout: time.Second},
	}
	r, err := rba.RobustAt(ctx, []float64{0.5, 1}, 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Verdict(1))
	// Output: yes
}

func Example_guideForest() {
	ctx, x, y := sample()

	forest, err := classifier.TrainForest(ctx, x, y, classifier.ForestOptions{Trees: 10})
	if err != nil {
		log.Fatal(err)
	}
	rba := &attack.RegionBased{Classifier: forest}
	exact, err := rba.Perturb(ctx, []float64{0.5, 1})
	if err != nil {
		log.Fatal(err)
	}
	near := func() attack.Result {
		rba := &attack.RegionBased{
			Classifier: forest,
			Options:    attack.Options{Gap: 0.01, Timeout: 10 * time.Second},
		}
		r, err := rba.Perturb(ctx, []float64{0.5, 1})
		if err != nil {
			log.Fatal(err)
		}
		return r
	}()
	fmt.Println(exact.Status, near.Distance <= exact.Distance+0.01)
	// Output: optimal true
}

func Example_guideDefences() {
	ctx, x, y := sample()

	train := classifier.TrainerOf(classifier.TrainKNN, classifier.KNNOptions{K: 1})
	defended, err := prune.Defend(prune.Adversarial{Radius: 1.25}, train)(ctx, x, y)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(defended.Predict([]float64{2, 1}))
	// Output: 0
}

func Example_otherDefences() {
	ctx, x, y := sample()

	at := attack.AdversarialTraining{
		Trainer: classifier.TrainerOf(classifier.TrainKNN, classifier.KNNOptions{K: 3}),
		Radius:  0.3,
	}
	defended, err := at.Train(ctx, x, y) // or at.Augment for the rows
	if err != nil {
		log.Fatal(err)
	}

	robust, err := classifier.TrainTree(ctx, x, y, classifier.TreeOptions{MaxDepth: 5, Robust: 0.3})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(defended.Predict([]float64{1, 1}), robust.Predict([]float64{1, 1}))

	file := io.Discard
	boosted, err := classifier.TrainBoosted(ctx, x, y, classifier.BoostedOptions{Robust: 0.3})
	if err != nil {
		log.Fatal(err)
	}
	err = classifier.SaveXGBoost(file, boosted) // XGBoost loads it, and has the same margins
	fmt.Println(err)
	// Output:
	// 0 0
	// <nil>
}

func Example_guideProof() {
	ctx, x, y := sample()
	knn, err := classifier.TrainKNN(ctx, x, y, classifier.KNNOptions{K: 3})
	if err != nil {
		log.Fatal(err)
	}

	var model, proofs bytes.Buffer
	err = classifier.Save(&model, knn)
	if err != nil {
		log.Fatal(err)
	}
	w := proof.NewWriter(&proofs, sha256.Sum256(model.Bytes()))
	rba := &attack.RegionBased{Classifier: knn, Options: attack.Options{Proof: w}}
	r, err := rba.Perturb(ctx, []float64{0.5, 1})
	if err != nil {
		log.Fatal(err)
	}

	m, err := proof.ReadModel(&model)
	if err != nil {
		log.Fatal(err)
	}
	err = proof.Check(&proofs, m, func(c proof.Claim) error {
		fmt.Println(c.Bound == r.Bound, c.Settled)
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output: true true
}

func Example_regressors() {
	ctx := context.Background()
	file, err := os.Open(root + "/docs/use/models/houses.json")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	row := []float64{3.56, 47, 7.1, 2.5, 11}

	r, err := classifier.Read[*classifier.Regressor](file, classifier.ReadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	above, err := r.Above(2) // label 1: the output is at least 2
	if err != nil {
		log.Fatal(err)
	}
	a := &attack.RegionBased{Classifier: above, Options: attack.Options{Norm: polytope.L1}}
	nearest, err := a.Perturb(ctx, row)
	if err != nil {
		log.Fatal(err)
	}
	near := property.Options{Near: mat.NewDense(1, len(row), row), Within: 1, Computed: true}
	least, most, err := property.Range(ctx, r, near)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("output %.2f, then %.2f at distance %.2f\n",
		r.Predict(row), r.Predict(nearest.Example), nearest.Distance)
	fmt.Printf("from %.2f to %.2f within 1: %v\n",
		least.Output, most.Output, most.Status)
	// Output:
	// output 2.41, then 1.89 at distance 0.92
	// from 1.80 to 2.86 within 1: optimal
}

func Example_costs() {
	ctx := context.Background()
	var x []float64
	var y []int
	// age, income and loans: who has 1800 left after 300 for each loan is granted one, label 1
	for i := range 120 {
		age, income, loans := float64(20+i%50), float64(1000+200*(i%11)), float64(i%4)
		x, y = append(x, age, income, loans), append(y, 0)
		if income-300*loans >= 1800 {
			y[i] = 1
		}
	}
	forest, err := classifier.TrainForest(ctx, mat.NewDense(len(y), 3, x), y,
		classifier.ForestOptions{Trees: 10})
	if err != nil {
		log.Fatal(err)
	}
	applicant := []float64{31, 1650, 2}

	frozen := attack.Feature{Frozen: true}
	counted := attack.Feature{Step: 1, Up: math.Inf(1), Down: 0.5}
	rba := &attack.RegionBased{Classifier: forest, Options: attack.Options{
		Norm:     polytope.L1,
		Features: []attack.Feature{frozen, {Up: 0.002, Down: math.Inf(1)}, counted},
	}}
	ways, err := rba.Counterfactuals(ctx, applicant, 3)
	if err != nil {
		log.Fatal(err)
	}
	for _, way := range ways.Found {
		fmt.Printf("%.3f: %v, %v\n", way.Distance, way.Example, way.Status)
	}
	fmt.Println("others:", ways.Status)
	// Output:
	// 1.100: [31 1700.0000610351565 0], optimal
	// 1.300: [31 2300.000122070313 2], optimal
	// others: none
}
