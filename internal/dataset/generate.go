package dataset

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

// Moons returns n points of two interleaving half circles with normal noise of
// the given standard deviation: ⌊n/2⌋ points of label 0 on the upper arc, the
// others of label 1 on the lower one, shuffled. They are the points of
// scikit-learn's make_moons(n, noise=noise, random_state=rng), up to the last bit
// of the cosines and logarithms; the paper's halfmoon set is
// Moons(2200, 0.25, numpyrand.New(0)).
//
// The generator shuffles the points first and then draws two normal numbers a
// point, also when the noise is 0.
func Moons(n int, noise float64, rng *numpyrand.Rand) (*Set, error) {
	const dim = 2
	if err := (Limits{}).Check(n, dim); err != nil {
		return nil, fmt.Errorf("generating %d moon points: %w", n, err)
	}
	if !precise.Finite(noise) || noise < 0 {
		return nil, fmt.Errorf("generating moon points: the noise is %v where a standard "+
			"deviation from 0 is expected", noise)
	}
	s := arcs(n).Select(rng.Perm(n))
	for k := range s.Data {
		s.Data[k] += rng.Normal(0, noise)
		if !precise.Finite(s.Data[k]) {
			return nil, fmt.Errorf("generating moon points: the noise %v is too large", noise)
		}
	}
	return s, nil
}

// arcs returns the points without noise, the upper arc first.
func arcs(n int) *Set {
	s := &Set{Rows: n, Dim: 2}
	for _, t := range angles(n / 2) {
		s.Data = append(s.Data, math.Cos(t), math.Sin(t))
		s.Labels = append(s.Labels, 0)
	}
	for _, t := range angles(n - n/2) {
		s.Data = append(s.Data, 1-math.Cos(t), 1-math.Sin(t)-0.5)
		s.Labels = append(s.Labels, 1)
	}
	return s
}

// angles returns n angles from 0 to π as numpy's linspace computes them. A single
// angle is 0.
func angles(n int) []float64 {
	if n < 2 {
		return make([]float64, n)
	}
	return floats.Span(make([]float64, n), 0, math.Pi)
}

// shift is the distance between the two normals of Overlapping, in standard
// deviations: the best possible rule is wrong on 16 % of the points.
const shift = 2

// Overlapping draws n points of two normals of variance 1 in each of dim coordinates. That
// of class 1 is shifted by 2 in the first coordinate. The points follow each other in one
// stream: a larger draw with the same seed begins with those of a smaller one.
func Overlapping(rng *rand.Rand, n, dim int) (*mat.Dense, []int) {
	x, y := mat.NewDense(n, dim, nil), make([]int, n)
	for i := range n {
		y[i] = rng.IntN(2)
		row := x.RawRowView(i)
		for j := range row {
			row[j] = rng.NormFloat64()
		}
		row[0] += shift * float64(y[i])
	}
	return x, y
}

const (
	centres   = 16
	deviation = 0.5
)

// Clusters draws n points of two classes, each a mixture of eight normals of
// standard deviation 0.5 around centres of their own, which are drawn from a normal of
// variance 1 in each of dim coordinates. In few dimensions classes overlap; in many the
// clusters are far apart. A larger draw begins with the points of a smaller one.
func Clusters(rng *rand.Rand, n, dim int) (*mat.Dense, []int) {
	middles := mat.NewDense(centres, dim, nil)
	for i := range middles.RawMatrix().Data {
		middles.RawMatrix().Data[i] = rng.NormFloat64()
	}
	x, y := mat.NewDense(n, dim, nil), make([]int, n)
	for i := range n {
		centre := rng.IntN(centres)
		y[i] = centre % 2
		for j := range dim {
			x.Set(i, j, middles.At(centre, j)+deviation*rng.NormFloat64())
		}
	}
	return x, y
}
