package baseline

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/internal/training"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/internal/query"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Direct is the direct attack on k-nearest neighbours, a baseline of the paper's
// Table 1 (Amsaleg et al., "The vulnerability of learning to adversarial
// perturbation increases with intrinsic dimensionality", 2017): it moves x
// straight toward the mean of the K points nearest to it in Euclidean distance
// among those of another label, and stops at the first of its budgets that
// flips, or at the mean itself. With more than two classes it tries every label
// and returns the nearest example, the smaller label of a tie.
//
// A point takes O(d log n) time for each label, for nicely distributed points,
// and one prediction for each budget. It proves no bound: Result.Bound is 0. There
// may be no example even where one exists, because the mean need not have another
// label itself.
//
// Errors wrap attack.ErrClassifier, classifier.ErrOption, attack.ErrTarget, classifier.ErrEmpty
// without points, polytope.ErrNorm, polytope.ErrDimension, polytope.ErrNotFinite or the context's.
// A Direct must not be copied or changed once used.
type Direct struct {
	Classifier classifier.Classifier
	Norm       polytope.Norm // in which budgets and the result are measured
	Target     *int          // the label to reach; nil means any other than Predict(x)
	// Budgets are Step, 2·Step, 3·Step, … up to Limit, at most 2²⁰ of them: the example
	// overshoots by up to Step even along the attack's own path. 0 means 0.01 and 0.80, the grid of
	// the paper's experiments, whose features are scaled to [0, 1].
	Step, Limit float64
	// K is the number of points whose mean is aimed at; 0 means as many as the
	// classifier lets vote (k-NN), or 1. If a label has fewer, all of them count.
	K int
	// Points are training points, one a row, and Labels their labels. nil Points
	// are the rows of a classifier that keeps them (k-NN), nil Labels the classifier's predictions
	// for Points.
	Points mat.Matrix
	Labels []int

	points training.Points
}

var _ attack.Attack = (*Direct)(nil)

func (a *Direct) budgets() budgets { return budgets{a.Step, a.Limit} }

// Perturb implements Attack.
func (a *Direct) Perturb(ctx context.Context, x []float64) (attack.Result, error) {
	return answer(ctx, func() (attack.Result, error) {
		q, err := a.query(ctx, x)
		if err != nil {
			return none(), err
		}
		best := none()
		for label := range a.Classifier.Classes() {
			if label == q.From || !q.Reaches(label) {
				continue
			}
			end := a.mean(x, label)
			if end == nil {
				continue
			}
			if r := a.toward(ctx, q, end, best.Distance); r.Distance < best.Distance {
				best = r
			}
		}
		return best, nil
	})
}

// query checks the options and x, and indexes the points.
func (a *Direct) query(ctx context.Context, x []float64) (q search.Query, err error) {
	if q, err = query.Plain(a.Classifier, a.Norm, a.Target, x); err != nil {
		return q, err
	}
	if a.K < 0 {
		return q, fmt.Errorf("%w: mean of %d points", classifier.ErrOption, a.K)
	}
	if err := a.budgets().check(); err != nil {
		return q, err
	}
	return q, a.points.Prepare(ctx, training.Request{
		Classifier: a.Classifier,
		X:          a.Points,
		Y:          a.Labels,
	})
}

func (a *Direct) neighbors() int {
	if a.K > 0 {
		return a.K
	}
	if c, ok := a.Classifier.(interface{ K() int }); ok {
		defer guard.Name("K", c)
		return max(1, c.K())
	}
	return 1
}

// mean returns that of the points of a label nearest to x, added up nearest first,
// nil if there are none.
func (a *Direct) mean(x []float64, label int) []float64 {
	found := a.points.Nearest(x, a.neighbors(), func(l int) bool { return l == label })
	if len(found) == 0 {
		return nil
	}
	mean := make([]float64, len(x))
	for _, p := range found {
		floats.Add(mean, a.points.Row(int(p.ID)))
	}
	for j := range mean {
		mean[j] /= float64(len(found))
	}
	return mean
}

// toward returns the first example on the way from q.X to end, if it is nearer
// than limit.
func (a *Direct) toward(
	ctx context.Context, q search.Query, end []float64, limit float64,
) attack.Result {
	length := q.Norm.Distance(q.X, end)
	for budget := range a.budgets().all() {
		if budget >= limit || ctx.Err() != nil {
			break
		}
		z := end
		if budget < length {
			z = make([]float64, len(end))
			for j, v := range q.X {
				z[j] = v + float64(budget*((end[j]-v)/length))
			}
		}
		if r := tried(a.Classifier, q, z); r.Example != nil || budget >= length {
			return r
		}
	}
	return none()
}
