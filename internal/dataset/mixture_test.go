package dataset

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestMixturePrefix(t *testing.T) {
	for name, draw := range map[string]func(*rand.Rand, int, int) (*mat.Dense, []int){
		"overlapping": Overlapping, "clusters": Clusters,
	} {
		few, fewY := draw(rand.New(rand.NewPCG(1, 2)), 50, 3)
		many, manyY := draw(rand.New(rand.NewPCG(1, 2)), 80, 3)
		if !mat.Equal(few, many.Slice(0, 50, 0, 3)) || !slices.Equal(fewY, manyY[:50]) {
			t.Errorf("%s: 80 points do not begin with the 50", name)
		}
		if !slices.Contains(manyY, 0) || !slices.Contains(manyY, 1) || slices.Max(manyY) > 1 {
			t.Errorf("%s: labels %v, want both 0 and 1", name, manyY)
		}
	}
}

// TestMixtureMoments: means and variances of the classes lie within five standard errors.
func TestMixtureMoments(t *testing.T) {
	const n, dim = 20_000, 4
	x, y := Overlapping(rand.New(rand.NewPCG(3, 4)), n, dim)
	for label := range 2 {
		for j := range dim {
			sum, squares, count := 0.0, 0.0, 0.0
			for i := range n {
				if y[i] == label {
					sum += x.At(i, j)
					squares += x.At(i, j) * x.At(i, j)
					count++
				}
			}
			want := 0.0
			if j == 0 {
				want = 2 * float64(label)
			}
			mean, slack := sum/count, 5*math.Sqrt(2/count)
			if variance := squares/count - mean*mean; math.Abs(mean-want) > slack || math.Abs(variance-1) > slack {
				t.Errorf("label %d, coordinate %d: mean %v and variance %v, want %v and 1", label, j, mean, variance, want)
			}
		}
	}
}
