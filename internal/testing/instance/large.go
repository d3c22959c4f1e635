package instance

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
)

// DrawLarge trains a vote of so many trees that searches in ℓ∞ use potentials, mostly, and end
// soon.
func DrawLarge(t testing.TB, rng *rand.Rand) Ensemble {
	t.Helper()
	const rows = 400
	dim, classes := 6+rng.IntN(5), 2+rng.IntN(2)
	x, y := mat.NewDense(rows, dim, nil), make([]int, rows)
	point := func(label int, noise float64) (z []float64) {
		for j := range dim {
			v := noise * rng.NormFloat64()
			if j%classes == label {
				v++
			}
			z = append(z, v)
		}
		return z
	}
	for i := range y {
		y[i] = i % classes
		x.SetRow(i, point(y[i], 1))
	}
	forest, err := classifier.TrainForest(t.Context(), x, y, classifier.ForestOptions{
		Trees:       200,
		TreeOptions: classifier.TreeOptions{MaxDepth: 6, Seed: rng.Uint32()},
	})
	if err != nil {
		t.Fatal(err)
	}
	trees := make([]*classifier.Tree, forest.Len())
	for i := range trees {
		trees[i] = forest.Tree(i)
	}
	e, err := classifier.NewEnsemble(trees, DrawVote(rng, classes))
	if err != nil {
		t.Fatal(err)
	}
	in := Ensemble{Ensemble: e, Query: point(rng.IntN(classes), 0.5)}
	if target := rng.IntN(classes); rng.IntN(3) == 0 && target != e.Predict(in.Query) {
		in.Target = &target
	}
	return in
}
