package attack_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestRowsNextToZero: coordinates whose squares and products underflow make no bound too high, and
// keep no search from ending.
func TestRowsNextToZero(t *testing.T) {
	one := 1
	for _, test := range []struct {
		name    string
		rows    [][]float64
		labels  []int
		k       int
		x       []float64
		options attack.Options
		most    float64 // of the bound
	}{
		{
			"a bisector all but parallel to a side of the domain",
			[][]float64{{0, 0}, {0, -50}, {3e-300, 0.1}}, []int{1, 0, 1}, 2, []float64{100, 0},
			attack.Options{
				Norm:   polytope.L2,
				Domain: polytope.Box{polytope.Line(), {Lo: -1e-300, Hi: math.Inf(1)}},
			},
			4.16665e302,
		},
		{
			"the same in ℓ∞, beyond float64",
			[][]float64{{0, 0}, {1e-316, 1}}, []int{1, 2}, 1, []float64{100, 0},
			attack.Options{Domain: polytope.Box{polytope.Line(), {Lo: math.Inf(-1)}}},
			math.MaxFloat64,
		},
		{
			"half the least number there is",
			[][]float64{{1}, {0}, {1}, {-5e-324}}, []int{1, 0, 1, 0}, 3, []float64{0.5},
			attack.Options{}, 0,
		},
		{
			"rows that a point violates and that leave it there",
			[][]float64{
				{1e-300, 1e-300}, {1e-300, -1e-300}, {0, -1e-300}, {-1e-300, -0.7150723972409521},
				{0.8017629827223711, 100}, {3e-300, 1e-300}, {1e-300, 1}, {1, 100},
			},
			[]int{1, 2, 2, 2, 1, 3, 2, 0}, 3, []float64{-1e-300, 1e-300},
			attack.Options{Norm: polytope.L1, Target: &one}, 51,
		},
		{
			"a way to a row that overflows",
			[][]float64{{-1.797690000000001e308, 0}, {0, -0.5}, {-3.393938654495288e-201, 0}},
			[]int{1, 1, 0}, 2, []float64{-1.797690000000001e308, -6e99}, attack.Options{},
			math.MaxFloat64,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			rows := mat.NewDense(len(test.rows), len(test.x), nil)
			for i, p := range test.rows {
				rows.SetRow(i, p)
			}
			c, err := classifier.TrainKNN(t.Context(), rows, test.labels,
				classifier.KNNOptions{K: test.k})
			if err != nil {
				t.Fatal(err)
			}
			a := &attack.RegionBased{Classifier: c, Options: test.options}
			r, err := a.Perturb(t.Context(), test.x)
			if err != nil || r.Bound > test.most {
				t.Errorf("%+v, %v, want a bound of at most %v", r, err, test.most)
			}
			if beyond := 2 * test.most; !math.IsInf(beyond, 1) && beyond > 0 {
				if v, err := verdictAt(t.Context(), a, test.x, beyond); err != nil ||
					v == attack.Holds {
					t.Errorf("RobustAt(%v) = %v, %v", beyond, v, err)
				}
			}
		})
	}
}
