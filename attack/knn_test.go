package attack_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/oracle"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

var norms = []polytope.Norm{polytope.LInf, polytope.L1, polytope.L2}

// neighborInstance is a small k-NN problem.
type neighborInstance struct {
	x      [][]float64
	y      []int
	query  []float64
	target *int
	box    polytope.Box
}

// drawNeighbors makes instances biased to trouble: grids, duplicates, queries on
// training points, single classes, targets, domains.
func drawNeighbors(rng *rand.Rand) neighborInstance {
	dim, n, classes := 1+rng.IntN(4), 2+rng.IntN(11), 2+rng.IntN(3)
	grid := rng.IntN(2) == 0
	draw := func() float64 {
		if grid {
			return float64(rng.IntN(7) - 3)
		}
		return rng.NormFloat64()
	}
	var in neighborInstance
	for i := range n {
		p := make([]float64, dim)
		for j := range p {
			p[j] = draw()
		}
		if i > 0 && rng.IntN(6) == 0 {
			copy(p, in.x[rng.IntN(i)])
		}
		in.x = append(in.x, p)
		in.y = append(in.y, rng.IntN(classes))
	}
	if rng.IntN(30) == 0 {
		clear(in.y)
	}
	in.query = make([]float64, dim)
	for j := range in.query {
		in.query[j] = draw()
	}
	if rng.IntN(6) == 0 {
		copy(in.query, in.x[rng.IntN(n)])
	}
	if rng.IntN(4) == 0 {
		in.box = polytope.Cube(dim, -2, 2)
	}
	if rng.IntN(4) == 0 {
		in.target = new(rng.IntN(classes))
	}
	return in
}

func (in neighborInstance) knn(t *testing.T, k int) *classifier.KNN {
	t.Helper()
	x := mat.NewDense(len(in.x), len(in.query), nil)
	for i, p := range in.x {
		x.SetRow(i, p)
	}
	c, err := classifier.NewKNN(x, in.y, classifier.KNNOptions{K: k})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// goal returns what the oracle is to reach; false when the query is there already.
func (in neighborInstance) goal(c classifier.Classifier) (oracle.Goal, bool) {
	from := c.Predict(in.query)
	if in.target == nil {
		return oracle.Except(from), true
	}
	return oracle.Exactly(*in.target), *in.target != from && *in.target < c.Classes()
}

func (in neighborInstance) oracleBox() (b oracle.Box) {
	for _, i := range in.box {
		b.Lo, b.Hi = append(b.Lo, i.Lo), append(b.Hi, i.Hi)
	}
	return b
}

// listed hides every upgrade of a classifier.
type listed struct{ classifier.Decomposable }

func TestListedHidesUpgrades(t *testing.T) {
	var c classifier.Classifier = listed{}
	if _, ok := c.(classifier.Searcher); ok {
		t.Error("listed has a method Search")
	}
	if _, ok := c.(classifier.Locator); ok {
		t.Error("listed has a method CellAt")
	}
}

// checkExact compares a result with the true radius.
func checkExact(t *testing.T, c classifier.Classifier, norm polytope.Norm, x []float64, r attack.Result, truth float64) error {
	t.Helper()
	tol := 1e-9 * math.Max(1, truth)
	switch {
	case !r.Optimal:
		return fmt.Errorf("not optimal: %+v", r)
	case math.IsInf(truth, 1):
		if r.Example != nil || !math.IsInf(r.Bound, 1) {
			return fmt.Errorf("%+v where nothing is adversarial", r)
		}
		return nil
	case r.Example == nil:
		return fmt.Errorf("no example at %v", truth)
	case c.Predict(r.Example) == c.Predict(x) || c.Predict(r.Example) != r.Label:
		return fmt.Errorf("example %v is predicted %d, result says %d, x %d", r.Example, c.Predict(r.Example), r.Label, c.Predict(x))
	case r.Distance != norm.Distance(x, r.Example):
		return fmt.Errorf("distance %v of an example at %v", r.Distance, norm.Distance(x, r.Example))
	case math.Abs(r.Distance-truth) > tol:
		return fmt.Errorf("distance %v, truth %v, off by %g", r.Distance, truth, r.Distance-truth)
	case r.Bound > truth*(1+1e-13)+1e-14 || r.Bound < truth-tol:
		return fmt.Errorf("bound %v, truth %v, off by %g", r.Bound, truth, r.Bound-truth)
	}
	return nil
}
