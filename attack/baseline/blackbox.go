package baseline

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/internal/query"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// BlackBox is the optimisation-based hard-label attack (Cheng, Le, Chen, Yi,
// Zhang, Hsieh, "Query-efficient hard-label black-box attack: an
// optimization-based approach", ICLR 2019), the black-box baseline of the paper's
// Table 1. It asks for predicted labels alone, so it works for every classifier.
//
// Let g(θ) be the distance from x to the nearest change of label along the
// direction θ, ‖θ‖ = 1, found by bisection. From the best of a few random
// directions, the attack descends on g: it estimates the gradient from the
// differences to nearby random directions, searches a step along it, and goes to
// the best direction it has seen. It ends when a step gains less than 0.005·Scale.
//
// An example lies within 2e-5·Scale of a change of label, which need not be the
// nearest one. It proves no bound: Result.Bound is 0. There is no example if no
// start flips. On the paper's sets a point takes 200 to 1000 predictions; Run
// counts them.
//
// Random numbers depend on Seed, x and Scale alone, so that results do not depend
// on the order of the points. A BlackBox may be used by many goroutines at once.
//
// Errors wrap attack.ErrClassifier, classifier.ErrOption, attack.ErrTarget, polytope.ErrNorm,
// polytope.ErrDimension, polytope.ErrNotFinite or the context's.
type BlackBox struct {
	Classifier classifier.Classifier
	Norm       polytope.Norm
	Target     *int // the label to reach; nil means any other than Predict(x)
	Seed       uint64
	// Starts is the number of Gaussian vectors, with the standard deviation
	// Scale in every coordinate, added to x in search for a start; 0 means 10.
	Starts int
	// Scale is the unit of length of the data; 0 means 1, as it should be for
	// features scaled to [0, 1].
	Scale float64
	// MaxQueries ends the attack after this many predictions, 0 never. The best
	// example found by then is returned.
	MaxQueries int
}

// The parameters of BlackBox in the paper's experiments.
const (
	defaultStarts = 10
	probes        = 5 // directions that a gradient is estimated from
	mostSteps     = 1000
)

var _ attack.Attack = (*BlackBox)(nil)

// Perturb implements Attack. Nodes of the result are the predictions that it asked for, that of x
// itself included.
func (a *BlackBox) Perturb(ctx context.Context, x []float64) (attack.Result, error) {
	counted := &counter{Classifier: a.Classifier}
	r, err := answer(ctx, func() (attack.Result, error) {
		if err := a.check(); err != nil {
			return none(), err
		}
		q, err := query.Plain(counted, a.Norm, a.Target, x)
		if err != nil {
			return none(), err
		}
		d := a.descent(ctx, counted, q)
		z := d.run(cmp.Or(a.Starts, defaultStarts), mostSteps)
		if z == nil {
			return none(), nil
		}
		return tried(counted, q, z), nil
	})
	r.Nodes = counted.queries
	return r, err
}

func (a *BlackBox) check() error {
	switch {
	case rows.IsNil(a.Classifier):
		return fmt.Errorf("%w: none given", attack.ErrClassifier)
	case a.Starts < 0, a.MaxQueries < 0:
		return fmt.Errorf("%w: %d starts, at most %d queries: neither may be negative",
			classifier.ErrOption, a.Starts, a.MaxQueries)
	case !(a.Scale >= 0) || math.IsInf(a.Scale, 1):
		return fmt.Errorf("%w: scale %v", classifier.ErrOption, a.Scale)
	}
	return nil
}

func (a *BlackBox) descent(ctx context.Context, c *counter, q search.Query) *descent {
	// The last prediction is that of the answer.
	limit := math.MaxInt
	if a.MaxQueries > 0 {
		limit = a.MaxQueries - 1
	}
	return &descent{
		rays: rays{
			ctx:   ctx,
			c:     c,
			q:     q,
			scale: cmp.Or(a.Scale, 1),
			limit: limit,
			z:     make([]float64, len(q.X)),
		},
		random: randomFor(a.Seed, q.X, cmp.Or(a.Scale, 1)),
		rate:   firstRate,
	}
}

// counter counts predictions.
type counter struct {
	classifier.Classifier
	queries int
}

func (c *counter) Predict(x []float64) int {
	c.queries++
	return guard.Predict(c.Classifier, x)
}
