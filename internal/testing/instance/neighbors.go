package instance

import (
	"math"
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

// DrawFew is DrawNeighbors with at most nine rows, which have at most 126 cells.
func DrawFew(rng *rand.Rand) Neighbors {
	for {
		if in := DrawNeighbors(rng); len(in.X) <= 9 {
			return in
		}
	}
}

// DrawPoints makes an instance of n rows on a coarse grid in the plane, full of ties.
func DrawPoints(rng *rand.Rand, n, classes int) Neighbors {
	point := func() []float64 { return []float64{float64(rng.IntN(6)), float64(rng.IntN(6))} }
	in := Neighbors{Query: point()}
	for range n {
		in.X = append(in.X, point())
		in.Y = append(in.Y, rng.IntN(classes))
	}
	return in
}

// Moved returns the instance with every coordinate v replaced by scale·v + shift.
func (in Neighbors) Moved(scale, shift float64) Neighbors {
	move := func(p []float64) []float64 {
		q := make([]float64, len(p))
		for j, v := range p {
			q[j] = scale*v + shift
		}
		return q
	}
	out := in
	out.X, out.Query, out.Box = nil, move(in.Query), nil
	for _, p := range in.X {
		out.X = append(out.X, move(p))
	}
	for _, i := range in.Box {
		i.Lo, i.Hi = scale*i.Lo+shift, scale*i.Hi+shift
		out.Box = append(out.Box, i)
	}
	return out
}

// KNN is k-NN on the rows.
func (in Neighbors) KNN(t testing.TB, k int) *classifier.KNN {
	t.Helper()
	return KNN(t, Dense(in.X), in.Y, k)
}

// Above asks k-NN on the rows for the probability of a class, and returns how sets of k rows vote
// on that. Probabilities are often those of k rows, to the last bit or one beside it.
func (in Neighbors) Above(
	t testing.TB, rng *rand.Rand, k int,
) (c *classifier.KNN, vote oracle.Vote) {
	t.Helper()
	all := in.KNN(t, k)
	class, p := rng.IntN(all.Classes()), rng.Float64()
	if beside := rng.IntN(6); beside < 5 {
		p = float64(rng.IntN(k+1)) / float64(k)
		switch beside {
		case 0:
			p = math.Nextafter(p, 2)
		case 1:
			p = math.Nextafter(p, -1)
		}
	}
	c, err := all.Above(class, p)
	if err != nil {
		t.Fatal(err)
	}
	return c, oracle.Share(in.Y, class, p)
}

// Goal returns the labels that the oracle is to reach; false when the query is there already.
func (in Neighbors) Goal(c classifier.Classifier) (oracle.Goal, bool) {
	from := c.Predict(in.Query)
	if in.Target == nil {
		return oracle.Except(from), true
	}
	return oracle.Exactly(*in.Target), *in.Target != from && *in.Target < c.Classes()
}

// OracleBox is the domain.
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

// KNN is k-NN on the rows of x.
func KNN(t testing.TB, x mat.Matrix, y []int, k int) *classifier.KNN {
	t.Helper()
	c, err := classifier.TrainKNN(t.Context(), x, y, classifier.KNNOptions{K: k})
	if err != nil {
		t.Fatal(err)
	}
	return c
}
