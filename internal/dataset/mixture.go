package dataset

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

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
