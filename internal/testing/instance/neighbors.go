package instance

import (
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/oracle"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"gonum.org/v1/gonum/mat"
)

// Neighbors is a small k-NN problem.
type Neighbors struct {
	X      [][]float64
	Y      []int
	Query  []float64
	Target *int
	Box    polytope.Box
}

// DrawNeighbors makes instances biased to trouble: grids, duplicates, queries on
// training points, single classes, targets, domains.
func DrawNeighbors(rng *rand.Rand) Neighbors {
	dim, n, classes := 1+rng.IntN(4), 2+rng.IntN(11), 2+rng.IntN(3)
	grid := rng.IntN(2) == 0
	draw := func() float64 {
		if grid {
			return float64(rng.IntN(7) - 3)
		}
		return rng.NormFloat64()
	}
	var in Neighbors
	for i := range n {
		p := make([]float64, dim)
		for j := range p {
			p[j] = draw()
		}
		if i > 0 && rng.IntN(6) == 0 {
			copy(p, in.X[rng.IntN(i)])
		}
		in.X = append(in.X, p)
		in.Y = append(in.Y, rng.IntN(classes))
	}
	if rng.IntN(30) == 0 {
		clear(in.Y)
	}
	in.Query = make([]float64, dim)
	for j := range in.Query {
		in.Query[j] = draw()
	}
	if rng.IntN(6) == 0 {
		copy(in.Query, in.X[rng.IntN(n)])
	}
	if rng.IntN(4) == 0 {
		in.Box = polytope.Cube(dim, -2, 2)
	}
	if rng.IntN(4) == 0 {
		in.Target = new(rng.IntN(classes))
	}
	return in
}

func (in Neighbors) KNN(t testing.TB, k int) *classifier.KNN {
	t.Helper()
	x := mat.NewDense(len(in.X), len(in.Query), nil)
	for i, p := range in.X {
		x.SetRow(i, p)
	}
	c, err := classifier.NewKNN(x, in.Y, classifier.KNNOptions{K: k})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// points returns the rows as a matrix.
func (in Neighbors) Points() *mat.Dense {
	x := mat.NewDense(len(in.X), len(in.Query), nil)
	for i, p := range in.X {
		x.SetRow(i, p)
	}
	return x
}

// goal returns what the oracle is to reach; false when the query is there already.
func (in Neighbors) Goal(c classifier.Classifier) (oracle.Goal, bool) {
	from := c.Predict(in.Query)
	if in.Target == nil {
		return oracle.Except(from), true
	}
	return oracle.Exactly(*in.Target), *in.Target != from && *in.Target < c.Classes()
}

func (in Neighbors) OracleBox() (b oracle.Box) {
	for _, i := range in.Box {
		b.Lo, b.Hi = append(b.Lo, i.Lo), append(b.Hi, i.Hi)
	}
	return b
}

// Line is 1-NN on the rows 0, 1, … of the real line with these labels.
func Line(t testing.TB, labels ...int) *classifier.KNN {
	t.Helper()
	in := Neighbors{Y: labels, Query: []float64{0}}
	for i := range labels {
		in.X = append(in.X, []float64{float64(i)})
	}
	return in.KNN(t, 1)
}

// OneNN is 1-NN on the rows of x.
func OneNN(t testing.TB, x *mat.Dense, y []int) *classifier.KNN {
	t.Helper()
	c, err := classifier.NewKNN(x, y, classifier.KNNOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}
