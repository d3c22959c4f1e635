package attack_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestNeighborsOnALattice: data of whole numbers ties at whole and half numbers. None of those
// that lie nearer than Bound, or in any place where there is no answer, has another label.
func TestNeighborsOnALattice(t *testing.T) {
	for _, dim := range []int{2, 3} {
		for _, k := range []int{1, 2, 3, 5} {
			for _, frozen := range []bool{false, true} {
				t.Run(fmt.Sprintf("d=%d/k=%d/frozen=%t", dim, k, frozen), func(t *testing.T) {
					t.Parallel()
					proven, rows := 0, racetest.Scale(800)
					for number := range uint64(rows) {
						if latticeRow(t, number, dim, k, frozen) {
							proven++
						}
					}
					if proven < rows*99/100 {
						t.Errorf("%d of %d proven with an example, or without any", proven, rows)
					}
				})
			}
		}
	}
}

const latticeSide = 9

// latticeRow draws rows of whole numbers and attacks one, and reports whether that is proven.
func latticeRow(t *testing.T, number uint64, dim, k int, frozen bool) (proven bool) {
	rng := rand.New(rand.NewPCG(number, uint64(100*dim+k)))
	const n = 60
	x, y := mat.NewDense(n, dim, nil), make([]int, n)
	for i := range y {
		for j := range dim {
			x.Set(i, j, float64(rng.IntN(latticeSide+1)))
		}
		y[i] = rng.IntN(2)
	}
	c, err := classifier.TrainKNN(t.Context(), x, y, classifier.KNNOptions{K: k})
	if err != nil {
		t.Fatal(err)
	}
	row := make([]float64, dim)
	for j := range row {
		row[j] = float64(rng.IntN(latticeSide + 1))
	}
	options := attack.Options{Norm: polytope.Norm(rng.IntN(3)), Workers: 1}
	if frozen {
		options.Features = make([]attack.Feature, dim)
		options.Features[dim-1].Frozen = true
	}
	a := &attack.RegionBased{Classifier: c, Options: options}
	r, err := a.Perturb(t.Context(), row)
	if err != nil {
		t.Fatalf("row %d: %v", number, err)
	}
	label := c.Predict(row)
	z := make([]float64, dim)
	var visit func(j int)
	visit = func(j int) {
		if j == dim {
			if d := options.Norm.Distance(row, z); d < r.Bound && c.Predict(z) != label {
				t.Fatalf("row %d, %v, norm %v: %v at %v has label %d, bound %v, %v",
					number, row, options.Norm, z, d, c.Predict(z), r.Bound, r.Status)
			}
			return
		}
		if frozen && j == dim-1 {
			z[j] = row[j]
			visit(j + 1)
			return
		}
		for v := -1.0; v <= latticeSide+1; v += 0.5 {
			if math.Abs(v-row[j]) < r.Bound {
				z[j] = v
				visit(j + 1)
			}
		}
	}
	visit(0)
	return r.Optimal()
}

// TestTiesAtTheEndOfADomain: the only input of the domain with another label is one at which rows
// tie, be it at the end of a domain or all of it.
func TestTiesAtTheEndOfADomain(t *testing.T) {
	rows := [][]float64{{2.5, 3.5}, {2.5, .5}, {3.5, .5}, {2, 2}, {1.5, 1}, {0, 3}, {3, 1.5}}
	c, err := classifier.TrainKNN(t.Context(), instance.Dense(rows), []int{1, 0, 0, 0, 0, 0, 1},
		classifier.KNNOptions{K: 2})
	if err != nil {
		t.Fatal(err)
	}
	x, tie := []float64{1.75, 2.25}, []float64{3.75, 2.25}
	if c.Predict(x) != 0 || c.Predict(tie) != 1 {
		t.Fatalf("labels %d and %d, want 0 and 1", c.Predict(x), c.Predict(tie))
	}
	for _, lo := range []float64{-1, 3.75} {
		a := &attack.RegionBased{Classifier: c, Options: attack.Options{
			Domain: polytope.Box{{Lo: lo, Hi: 3.75}, {Lo: 2.25, Hi: 2.25}},
		}}
		r, err := a.Perturb(t.Context(), x)
		if err == nil {
			err = instance.CheckExact(t, c, polytope.LInf, x, r, 2)
		}
		if err != nil || !slices.Equal(r.Example, tie) {
			t.Errorf("from %v on: %+v, %v, want %v", lo, r, err, tie)
		}
		if v, err := verdictAt(t.Context(), a, x, 3); err != nil || v != attack.Refuted {
			t.Errorf("from %v on: RobustAt(3) = %v, %v", lo, v, err)
		}
	}
}
