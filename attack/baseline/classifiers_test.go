package baseline_test

import (
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
)

// beyond is 1 where a·z > b.
type beyond struct {
	a []float64
	b float64
}

func (h beyond) Dim() int     { return len(h.a) }
func (h beyond) Classes() int { return 2 }

func (h beyond) Predict(z []float64) int {
	if floats.Dot(h.a, z) > h.b {
		return 1
	}
	return 0
}

// watched counts predictions and calls at before each of them.
type watched struct {
	classifier.Classifier
	predictions int
	at          func(number int)
}

func (w *watched) Predict(x []float64) int {
	w.predictions++
	if w.at != nil {
		w.at(w.predictions)
	}
	return w.Classifier.Predict(x)
}

// oneNN is 1-NN on the rows of x.
func oneNN(t testing.TB, x *mat.Dense, y []int) *classifier.KNN {
	t.Helper()
	c, err := classifier.TrainKNN(t.Context(), x, y, classifier.KNNOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}
