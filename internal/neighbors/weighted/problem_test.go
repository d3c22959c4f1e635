package weighted_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// problem is a small problem of weighted k-NN.
type problem struct {
	instance.Neighbors
	k int
}

// draw draws a problem with at most so many neighbours.
func draw(rng *rand.Rand, most int) problem {
	in := instance.DrawNeighbors(rng)
	return problem{in, 1 + rng.IntN(min(len(in.X), most))}
}

func (in problem) model(t *testing.T) *classifier.WeightedKNN {
	t.Helper()
	c, err := classifier.TrainWeightedKNN(t.Context(), instance.Dense(in.X), in.Y,
		classifier.KNNOptions{K: in.k})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// try attacks with a target and domain, and checks the claims that hold for a search that met a
// limit too.
func (in problem) try(
	t *testing.T, c classifier.Classifier, o attack.Options,
) (attack.Result, error) {
	t.Helper()
	o.Target, o.Domain = in.Target, in.Box
	if o.Workers == 0 {
		o.Workers = 1
	}
	r, err := (&attack.RegionBased{Classifier: c, Options: o}).Perturb(t.Context(), in.Query)
	if err == nil {
		if wrong := in.checkSound(c, o.Norm, r); wrong != nil {
			t.Errorf("k = %d, ℓ%v: %v\n%+v", in.k, o.Norm, wrong, in)
		}
	}
	return r, err
}

// attack is try; false when the query has a label that it is not to leave.
func (in problem) attack(
	t *testing.T, c classifier.Classifier, o attack.Options,
) (attack.Result, bool) {
	t.Helper()
	if goal, ok := in.Goal(c); !ok || goal(c.Predict(in.Query)) {
		return attack.Result{}, false
	}
	r, err := in.try(t, c, o)
	if err != nil {
		t.Fatalf("k = %d, ℓ%v: %v\n%+v", in.k, o.Norm, err, in)
	}
	return r, true
}

// hidden is how far from an infimum rounding may hide the other label from Predict: next to
// rows of both labels their weights drown those of the others.
const hidden = 1e-6

func (in problem) checkSound(c classifier.Classifier, norm polytope.Norm, r attack.Result) error {
	goal, _ := in.Goal(c)
	switch {
	case r.Bound > r.Distance:
		return fmt.Errorf("bound %v, distance %v", r.Bound, r.Distance)
	case r.Optimal() && r.Example != nil &&
		r.Distance-r.Bound >
			hidden*max(1, r.Distance)+0x1p-49*geometry.Length(polytope.LInf, in.Query):
		return fmt.Errorf("bound %v, distance %v: not proven", r.Bound, r.Distance)
	case r.Example == nil:
		return nil
	case !goal(c.Predict(r.Example)) || c.Predict(r.Example) != r.Label ||
		!in.Box.Contains(r.Example):
		return fmt.Errorf("example %v is predicted %d, result says %d",
			r.Example, c.Predict(r.Example), r.Label)
	case r.Distance != norm.Distance(in.Query, r.Example):
		return fmt.Errorf("distance %v of an example at %v",
			r.Distance, norm.Distance(in.Query, r.Example))
	}
	return nil
}

// drawGrid draws integer rows in up to three dimensions, with every kind of domain.
func drawGrid(rng *rand.Rand) problem {
	dim, n, classes := 1+rng.IntN(3), 2+rng.IntN(6), 2+rng.IntN(2)
	draw := func() (p []float64) {
		for range dim {
			p = append(p, float64(rng.IntN(9)-4))
		}
		return p
	}
	in := problem{Neighbors: instance.Neighbors{Query: draw()}}
	for range n {
		in.X, in.Y = append(in.X, draw()), append(in.Y, rng.IntN(classes))
	}
	if rng.IntN(2) == 1 {
		lo, hi := draw(), draw()
		for j := range lo {
			i := polytope.Interval{Lo: min(lo[j], hi[j]), Hi: max(lo[j], hi[j])}
			switch rng.IntN(4) {
			case 0:
				i.Lo = math.Inf(-1)
			case 1:
				i.Hi = math.Inf(1)
			case 2:
				i.Hi = i.Lo
			}
			in.Box = append(in.Box, i)
		}
	}
	in.k = 1 + rng.IntN(n)
	return in
}

// reversed returns v backwards.
func reversed[S ~[]E, E any](v S) S {
	w := slices.Clone(v)
	slices.Reverse(w)
	return w
}

// moved returns the problem in another unit and another origin.
func (in problem) moved(unit, offset float64) problem {
	return problem{in.Moved(unit, offset), in.k}
}

// shuffled permutes the order of the rows, and reverses the features. Rows at one point keep
// their order, which decides which of them vote.
func (in problem) shuffled(rng *rand.Rand) problem {
	out := in
	out.X, out.Y, out.Query, out.Box = nil, nil, reversed(in.Query), reversed(in.Box)
	var ranks [][]float64
	for _, p := range in.X {
		if !slices.ContainsFunc(ranks, func(q []float64) bool { return slices.Equal(p, q) }) {
			ranks = append(ranks, p)
		}
	}
	rng.Shuffle(len(ranks), func(i, j int) { ranks[i], ranks[j] = ranks[j], ranks[i] })
	for _, q := range ranks {
		for i, p := range in.X {
			if slices.Equal(p, q) {
				out.X, out.Y = append(out.X, reversed(p)), append(out.Y, in.Y[i])
			}
		}
	}
	return out
}

// doubled holds every row twice, and as many neighbours.
func (in problem) doubled() problem {
	out := in
	out.X, out.Y, out.k = nil, nil, 2*in.k
	for i, p := range in.X {
		out.X, out.Y = append(out.X, p, p), append(out.Y, in.Y[i], in.Y[i])
	}
	return out
}

// flips reports whether the example of the shuffled problem, if any, is one here as well.
func (in problem) flips(t *testing.T, r attack.Result) bool {
	c := in.model(t)
	goal, _ := in.Goal(c)
	return r.Example == nil || goal(c.Predict(reversed(r.Example)))
}

// solverFunc is a Solver.
type solverFunc func(context.Context, polytope.Problem) (polytope.Solution, error)

func (f solverFunc) Closest(ctx context.Context, p polytope.Problem) (polytope.Solution, error) {
	return f(ctx, p)
}
