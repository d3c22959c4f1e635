package main

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/prune"
)

// The mixture is replaced by the centres of small squares, each with the
// probabilities of both labels within its square. All but 10⁻⁴ of the mixture lies
// within the frame.
const lower, upper = -0.2, 1.2

// rule is a rule for the mixture that is r-optimal but for the size of the squares.
//
// No point is farther than shift from its square's centre. This is the (r + shift)-
// optimal rule of the squares, so that it is constant within
// r of every point of a square that it is right about. Conversely, if any classifier
// is right and constant within r of points of two labels, their squares' centres are
// 2·(r − shift) apart or more, so that no astuteness exceeds that of the (r − shift)-
// optimal rule of the squares.
type rule struct {
	// knn is the rule as 1-NN on the set of points that it is right about, so that
	// its robustness is measured as that of the others is.
	knn *classifier.KNN
	// The r-optimal rule of the mixture is this astute.
	least, most float64
	side        float64 // of the squares
}

// optimalRule solves the mixture on the squares.
func optimalRule(ctx context.Context, squares int) (*rule, error) {
	side := (upper - lower) / float64(squares)
	shift := 1.001 * side * math.Sqrt2 / 2 // so that rounding does not matter
	x, y, masses := grid(squares, side)
	far := prune.Adversarial{Radius: radius + shift, Norm: polytope.L2}
	inner, err := far.Solve(ctx, x, y, masses)
	if err != nil {
		return nil, err
	}
	near := prune.Adversarial{Radius: radius - shift, Norm: polytope.L2}
	outer, err := near.Solve(ctx, x, y, masses)
	if err != nil {
		return nil, err
	}
	kx, ky, err := prune.Select(x, y, inner.Keep)
	if err != nil {
		return nil, err
	}
	knn, err := classifier.TrainKNN(ctx, kx, ky, classifier.KNNOptions{K: 1})
	if err != nil {
		return nil, err
	}
	return &rule{
		knn:   knn,
		least: float64(inner.Weight) / units,
		most:  (outer.Certified + units - float64(sum(masses))) / units,
		side:  side,
	}, nil
}

// units is the weight of a probability of 1. Those of squares are rounded down, and the remainders
// count as outside the frame.
const units = 1 << 50

func sum(list []int) (all int) {
	for _, v := range list {
		all += v
	}
	return all
}

// grid returns the centre of every square once for each label, with its
// probability in units.
func grid(squares int, side float64) (x *mat.Dense, y, masses []int) {
	var data []float64
	for i := range squares {
		for j := range squares {
			x0, y0 := lower+float64(i)*side, lower+float64(j)*side
			for label := range 2 {
				data = append(data, x0+side/2, y0+side/2)
				masses = append(masses, int(units*mass(label, x0, x0+side, y0, y0+side)))
				y = append(y, label)
			}
		}
	}
	return mat.NewDense(len(y), 2, data), y, masses
}
