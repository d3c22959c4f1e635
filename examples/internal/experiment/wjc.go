package experiment

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/prune"
)

// wjc is prune.WJC as in the paper's table, which was made with surroundings that were always
// empty: a row is kept for sure if its own label is its confident label.
type wjc struct {
	radius float64
	norm   polytope.Norm
}

// The defaults of prune.WJC: its Δ and δ.
const (
	wjcMargin  = 0.45
	wjcFailure = 0.1
)

// Prune implements prune.Pruner.
func (w wjc) Prune(ctx context.Context, x mat.Matrix, y []int) ([]int, error) {
	sure, err := w.sure(ctx, x, y)
	if err != nil {
		return nil, err
	}
	var keep, rest []int
	for i, is := range sure {
		if !is {
			rest = append(rest, i)
		}
	}
	if rest != nil {
		restX, restY, err := prune.Select(x, y, rest)
		if err != nil {
			return nil, err
		}
		kept, err := prune.Adversarial{Radius: w.radius, Norm: w.norm}.Prune(ctx, restX, restY)
		if err != nil {
			return nil, err
		}
		for _, i := range kept {
			sure[rest[i]] = true
		}
	}
	for i, is := range sure {
		if is {
			keep = append(keep, i)
		}
	}
	return keep, nil
}

// sure reports of each row whether its label is that of so many of the k rows nearest to it,
// itself included, that their labels, taken for ±1, have a mean of 2Δ at least in absolute value.
func (w wjc) sure(ctx context.Context, x mat.Matrix, y []int) ([]bool, error) {
	n := float64(len(y))
	k := 3 * math.Log(n/wjcFailure) / (math.Ln2 * wjcMargin * wjcMargin)
	knn, err := classifier.TrainKNN(ctx, x, y, classifier.KNNOptions{K: max(1, int(min(k, n)))})
	if err != nil {
		return nil, err
	}
	confident := make([]*classifier.KNN, knn.Classes())
	for label := range confident {
		if confident[label], err = knn.Above(label, 0.5+wjcMargin); err != nil {
			return nil, err
		}
	}
	sure := make([]bool, len(y))
	for i, label := range y {
		sure[i] = confident[label].Predict(mat.Row(nil, i, x)) == 1
	}
	return sure, ctx.Err()
}
