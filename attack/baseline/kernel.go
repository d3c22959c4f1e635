package baseline

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/internal/training"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/query"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Kernel is the kernel substitution attack, a baseline of the paper's Table 1
// (Papernot, McDaniel, Goodfellow, "Transferability in machine learning: from
// phenomena to black-box attacks using adversarial samples", 2016): it attacks a
// smooth substitute of nearest neighbours by projected gradient descent, and sees
// whether the example carries over to the classifier itself.
//
// The substitute gives the Points p_i the weights exp(−‖z − p_i‖²/Width) at z,
// normalised to sum 1. The attack lowers the mass on Predict(x), or raises that
// on the Target. For each of its budgets it starts from x and takes Iterations
// steps of length Rate, along the signs of the gradient in ℓ∞, along the gradient
// in ℓ2 (ℓ1 is refused), each followed by a projection on the ball of the budget's
// radius. The example of the first budget that flips answers.
//
// A point takes O(n·d) time for each step. It proves no bound: Result.Bound is 0,
// and there may be no example where one exists.
//
// Errors wrap attack.ErrClassifier, classifier.ErrOption, attack.ErrTarget, classifier.ErrEmpty
// without points, polytope.ErrNorm, polytope.ErrDimension, polytope.ErrNotFinite or the context's.
// A Kernel must not be copied or changed once used.
type Kernel struct {
	Classifier  classifier.Classifier
	Norm        polytope.Norm // ℓ∞ or ℓ2
	Target      *int          // the label to reach; nil means any other than Predict(x)
	Step, Limit float64       // of budgets, as those of Direct
	Width       float64       // of the kernel, a squared Euclidean distance; 0 means 0.1
	Iterations  int           // gradient steps for each budget; 0 means 20
	Rate        float64       // the length of a step, in the Norm; 0 means 0.1
	// Points are those that the substitute is made of, one a row, and Labels their
	// labels. nil Points are the rows of a classifier that keeps them (k-NN), nil Labels the
	// classifier's predictions for Points.
	Points mat.Matrix
	Labels []int

	points training.Points
}

// The parameters of Kernel in the paper's experiments, for features scaled to [0, 1].
const (
	defaultWidth      = 0.1
	defaultIterations = 20
	defaultRate       = 0.1
)

var _ attack.Attack = (*Kernel)(nil)

func (a *Kernel) budgets() budgets { return budgets{a.Step, a.Limit} }

// Perturb implements Attack.
func (a *Kernel) Perturb(ctx context.Context, x []float64) (attack.Result, error) {
	return answer(ctx, func() (attack.Result, error) {
		q, err := a.query(ctx, x)
		if err != nil {
			return none(), err
		}
		s := newSubstitute(&a.points, cmp.Or(a.Width, defaultWidth))
		for budget := range a.budgets().all() {
			z := a.descend(ctx, s, q, budget)
			if ctx.Err() != nil {
				break
			}
			if r := tried(a.Classifier, q, z); r.Example != nil {
				return r, nil
			}
		}
		return none(), nil
	})
}

// query checks the options and x, and copies the points.
func (a *Kernel) query(ctx context.Context, x []float64) (q search.Query, err error) {
	if q, err = query.Plain(a.Classifier, a.Norm, a.Target, x); err != nil {
		return q, err
	}
	if err := a.checkOptions(); err != nil {
		return q, err
	}
	return q, a.points.Prepare(ctx, training.Request{
		Classifier: a.Classifier,
		X:          a.Points,
		Y:          a.Labels,
	})
}

func (a *Kernel) checkOptions() error {
	switch {
	case a.Norm == polytope.L1:
		return fmt.Errorf(
			"%w: projected gradient descent in norm 1, which has no good step; use inf or 2",
			classifier.ErrOption,
		)
	case !(a.Width >= 0) || math.IsInf(a.Width, 1):
		return fmt.Errorf("%w: width %v", classifier.ErrOption, a.Width)
	case !(a.Rate >= 0) || math.IsInf(a.Rate, 1) || a.Iterations < 0:
		return fmt.Errorf("%w: %d iterations of length %v",
			classifier.ErrOption, a.Iterations, a.Rate)
	}
	return a.budgets().check()
}

// descend returns where projected gradient descent within the budget ends.
func (a *Kernel) descend(
	ctx context.Context, s *substitute, q search.Query, budget float64,
) []float64 {
	walk := a.newWalk(q.X, budget)
	gradient := make([]float64, len(q.X))
	for range cmp.Or(a.Iterations, defaultIterations) {
		if ctx.Err() != nil {
			break
		}
		s.gradient(gradient, walk.z, q)
		if !walk.step(gradient) {
			break
		}
	}
	return walk.z
}

// newWalk starts from x.
func (a *Kernel) newWalk(x []float64, budget float64) *walk {
	return &walk{
		norm: a.Norm, rate: cmp.Or(a.Rate, defaultRate), budget: budget,
		x: x, z: slices.Clone(x), moved: make([]float64, len(x)),
	}
}
