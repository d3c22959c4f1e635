package attack_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
)

// TestPaperRadii compares the exact radius of every attacked point of the paper
// with answers computed independently.
func TestPaperRadii(t *testing.T) {
	fixture.Each(t, func(t *testing.T, c fixture.Case) {
		points, exact := c.Points(t), c.Exact(t)
		models := map[string]classifier.Classifier{
			"1nn":         neighbors(t, c.Set.Train, c.Set.TrainY),
			"dt":          instance.ReadTree(t, c, "dt"),
			"dt_pruned30": instance.ReadTree(t, c, "dt.pruned30"),
		}
		for name, model := range models {
			for _, norm := range norms {
				tol := 1e-8
				if name != "1nn" {
					tol = 1e-12
				}
				a := &attack.RegionBased{
					Classifier: model,
					Options:    attack.Options{Norm: norm, Workers: 1},
				}
				want := exact[name+"_"+norm.String()]
				if len(want) != 100 || len(points[name].X) != 100 {
					t.Fatalf("%s: %d radii and %d points in the fixtures, want 100",
						name, len(want), len(points[name].X))
				}
				solves := 0
				for i, x := range points[name].X {
					if got := model.Predict(x); got != points[name].Predicted[i] {
						t.Fatalf("%s: Predict(point %d) = %d, want %d",
							name, i, got, points[name].Predicted[i])
					}
					r, err := a.Perturb(t.Context(), x)
					if err != nil {
						t.Fatal(err)
					}
					if !r.Optimal() || math.Abs(r.Distance-want[i]) > tol ||
						math.Abs(r.Bound-want[i]) > tol {
						t.Errorf(
							"%s, norm %v, point %d: distance %v, bound %v, optimal %v, want %v",
							name, norm, i, r.Distance, r.Bound, r.Optimal(), want[i],
						)
					}
					if model.Predict(r.Example) == model.Predict(x) {
						t.Errorf("%s, norm %v, point %d: the example is not adversarial",
							name, norm, i)
					}
					solves += r.Solves
				}
				t.Logf("%s, norm %v: %.2f programs a point", name, norm, float64(solves)/100)
				if limit := 800; name == "1nn" && solves > limit {
					t.Errorf("1nn, norm %v: %d programs for 100 points, want at most %d",
						norm, solves, limit)
				}
			}
		}
	})
}

func neighbors(t testing.TB, x *mat.Dense, y []int) *classifier.KNN {
	t.Helper()
	c, err := classifier.TrainKNN(t.Context(), x, y, classifier.KNNOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}
