package boxtree_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestPaperForests compares the exact radius of every attacked point with answers
// computed independently: forests of 100 trees of depth 5. In ℓ1 and ℓ2, which take up to
// 16 times as long, it is every twentieth point without -full.
func TestPaperForests(t *testing.T) {
	t.Parallel()
	fixture.Each(t, func(t *testing.T, c fixture.Case) {
		t.Parallel()
		points, exact := c.Points(t), c.Exact(t)
		for name, file := range map[string]string{"rf": "rf", "rf_pruned30": "rf.pruned30"} {
			forest := instance.ReadForest(t, c, file)
			for _, norm := range instance.Norms() {
				a := &attack.RegionBased{
					Classifier: forest,
					Options:    attack.Options{Norm: norm, Workers: 1},
				}
				want := exact[name+"_"+norm.String()]
				if len(want) != 100 || len(points[name].X) != 100 {
					t.Fatalf("%s: %d radii and %d points in the fixtures, want 100",
						name, len(want), len(points[name].X))
				}
				step := 100 / instance.Count(25, 100)
				if norm != polytope.LInf {
					step = 100 / instance.Count(5, 100)
				}
				for i := 0; i < 100; i += step {
					x := points[name].X[i]
					if got := forest.Predict(x); got != points[name].Predicted[i] {
						t.Fatalf("%s: Predict(point %d) = %d, want %d",
							name, i, got, points[name].Predicted[i])
					}
					r, err := a.Perturb(t.Context(), x)
					if err != nil {
						t.Fatal(err)
					}
					if !r.Optimal() || math.Abs(r.Distance-want[i]) > 1e-12 ||
						math.Abs(r.Bound-want[i]) > 1e-12 {
						t.Errorf(
							"%s, norm %v, point %d: distance %v, bound %v, optimal %v, want %v",
							name, norm, i, r.Distance, r.Bound, r.Optimal(), want[i],
						)
					}
				}
			}
		}
	})
}

// TestForestNodes holds the worth of the bounds, the splits and the first answers: the nodes that
// the 100 points of each set take, which do not depend on the machine.
func TestForestNodes(t *testing.T) {
	t.Parallel()
	most := map[string]int{
		"halfmoon":   1300,
		"australian": 8200,
		"cancer":     1400,
		"diabetes":   6300,
		"fourclass":  470,
	}
	fixture.Each(t, func(t *testing.T, c fixture.Case) {
		a := &attack.RegionBased{
			Classifier: instance.ReadForest(t, c, "rf"),
			Options:    attack.Options{Workers: 1},
		}
		nodes := 0
		for _, x := range c.Points(t)["rf"].X[:racetest.Count(100, 100)] {
			r, err := a.Perturb(t.Context(), x)
			if err != nil {
				t.Fatal(err)
			}
			nodes += r.Nodes
		}
		if nodes > most[c.Set.Name] {
			t.Errorf("%d nodes, want at most %d", nodes, most[c.Set.Name])
		}
	})
}

// TestTargetedForestNodes does the same for a target that must beat three labels.
func TestTargetedForestNodes(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	x, y := dataset.Clusters(rng, 400, 4)
	for i := range y {
		y[i] = rng.IntN(2)*2 + y[i]
	}
	forest, err := classifier.TrainForest(t.Context(), x, y, classifier.ForestOptions{
		Trees:       30,
		TreeOptions: classifier.TreeOptions{MaxDepth: 6},
	})
	if err != nil {
		t.Fatal(err)
	}
	nodes := 0
	for i := range 40 {
		target := i % 4
		if forest.Predict(x.RawRowView(i)) == target {
			continue
		}
		a := &attack.RegionBased{
			Classifier: forest,
			Options:    attack.Options{Norm: polytope.L2, Target: &target, Workers: 1},
		}
		r, err := a.Perturb(t.Context(), x.RawRowView(i))
		if err != nil || !r.Optimal() {
			t.Fatalf("point %d: %+v, %v", i, r, err)
		}
		nodes += r.Nodes
	}
	if nodes > 1400 {
		t.Errorf("%d nodes, want at most 1400", nodes)
	}
}
