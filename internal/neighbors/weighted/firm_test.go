package weighted_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestFirm: an example keeps its label when rows that are equally far are taken in the opposite
// order and weights are added farthest first, as another implementation may.
func TestFirm(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for range instance.Count(60, 2000) {
		n, dim, k := 20+rng.IntN(40), 1+rng.IntN(4), 2+rng.IntN(4)
		x, y := mat.NewDense(n, dim, nil), make([]int, n)
		for i := range n {
			for j := range dim {
				x.Set(i, j, rng.NormFloat64())
			}
			y[i] = rng.IntN(3)
		}
		c, err := classifier.TrainWeightedKNN(t.Context(), x, y, classifier.KNNOptions{K: k})
		if err != nil {
			t.Fatal(err)
		}
		q := make([]float64, dim)
		for j := range q {
			q[j] = rng.NormFloat64()
		}
		norm := instance.Norms()[rng.IntN(3)]
		rba := &attack.RegionBased{
			Classifier: c,
			Options:    attack.Options{Norm: norm, MaxNodes: 2000},
		}
		r, err := rba.Perturb(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if r.Example == nil {
			continue
		}
		if got := backwards(x, y, k, r.Example); got != r.Label {
			t.Errorf("k = %d, %v: example %v has label %d, and %d with ties the other way",
				k, norm, r.Example, r.Label, got)
		}
		if r.Optimal() && r.Distance > r.Bound*(1+1e-8)+1e-8 {
			t.Errorf("k = %d, %v: distance %v, bound %v", k, norm, r.Distance, r.Bound)
		}
	}
}

// backwards predicts with rows that are equally far but for rounding in the opposite order, and
// with weights added farthest first.
func backwards(x *mat.Dense, y []int, k int, z []float64) int {
	type row struct {
		squared float64
		at      int
	}
	var rows []row
	for i := range y {
		distance := polytope.L2.Distance(z, x.RawRowView(i))
		rows = append(rows, row{distance * distance, i})
	}
	slices.SortFunc(rows, func(a, b row) int {
		if math.Abs(a.squared-b.squared) <= 1e-14*a.squared {
			return b.at - a.at
		}
		if a.squared < b.squared {
			return -1
		}
		return 1
	})
	sums := make([]float64, slices.Max(y)+1)
	for _, r := range slices.Backward(rows[:k]) {
		sums[y[r.at]] += 1 / math.Sqrt(r.squared)
	}
	return slices.Index(sums, slices.Max(sums))
}
