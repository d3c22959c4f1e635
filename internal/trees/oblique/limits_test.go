package oblique_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// bagged is a vote of trained oblique trees, and a point that takes some searching.
func bagged(t testing.TB, dim, trees int) (*classifier.ObliqueEnsemble, [][]float64) {
	t.Helper()
	x, y := dataset.Clusters(rand.New(rand.NewPCG(2, uint64(dim))), 600, dim)
	o := classifier.ObliqueOptions{Trees: trees, MaxDepth: 4, Seed: 1, Restarts: 2, Jumps: 2}
	e, err := classifier.TrainOblique(t.Context(), x, y, o)
	if err != nil {
		t.Fatal(err)
	}
	var points [][]float64
	for i := range 50 {
		points = append(points, x.RawRowView(i))
	}
	return e, points
}

// TestWork keeps the search as small as it is: of the 16¹⁰ tuples of leaves it opens a
// few nodes. Points drawn within the bound keep their label.
func TestWork(t *testing.T) {
	e, points := bagged(t, 8, 10)
	for _, norm := range instance.Norms() {
		var nodes, solves int
		for i, x := range points {
			r, err := (&attack.RegionBased{
				Classifier: e,
				Options:    attack.Options{Norm: norm, Workers: 1},
			}).Perturb(t.Context(), x)
			if err != nil || !r.Optimal() {
				t.Fatalf("point %d: %+v, %v", i, r, err)
			}
			nodes += r.Nodes
			solves += r.Solves
			rng := rand.New(rand.NewPCG(uint64(i), 1600))
			for range racetest.Scale(500) {
				step := normals(rng, len(x))
				length := geometry.Length(norm, step)
				length /= r.Bound * math.Sqrt(rng.Float64()) * (1 - 1e-9)
				z := make([]float64, len(x))
				for j, v := range x {
					z[j] = v + step[j]/length
				}
				if e.Predict(z) != e.Predict(x) {
					t.Fatalf("norm %v, point %d: %v flips at %v, the bound is %v",
						norm, i, z, norm.Distance(x, z), r.Bound)
				}
			}
		}
		if nodes > 30*len(points) || solves > 165*len(points) {
			t.Errorf(
				"norm %v: %d nodes and %d programs for %d points, want at most 30 and 165 a point",
				norm, nodes, solves, len(points),
			)
		}
	}
}

func TestLimitsGiveValidIntervals(t *testing.T) {
	t.Parallel()
	e, points := bagged(t, 8, 10)
	x := points[0]
	for _, p := range points { // the one that takes most
		r, err := (&attack.RegionBased{
			Classifier: e,
			Options:    attack.Options{Workers: 1, MaxNodes: 60},
		}).Perturb(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		if r.Nodes == 60 {
			x = p
			break
		}
	}
	truth := instance.Radius(t, e, x)
	for _, workers := range []int{1, 4} {
		perturb := func(o attack.Options) attack.Result {
			t.Helper()
			o.Workers = workers
			r, err := (&attack.RegionBased{Classifier: e, Options: o}).Perturb(t.Context(), x)
			if err != nil {
				t.Fatal(err)
			}
			instance.CheckInterval(t, e, x, r, truth)
			return r
		}
		early, last := 0, attack.Result{Distance: math.Inf(1)}
		for nodes := 1; !last.Optimal(); nodes += 1 + nodes/8 {
			r := perturb(attack.Options{MaxNodes: nodes})
			if workers == 1 && (r.Bound < last.Bound || r.Distance > last.Distance) {
				t.Errorf("%d nodes: %v ≤ radius ≤ %v, worse than %v, %v",
					nodes, r.Bound, r.Distance, last.Bound, last.Distance)
			}
			if r.Example == nil {
				t.Errorf("%d nodes: no example, though a first one comes with the root", nodes)
			}
			if !r.Optimal() {
				early++
			}
			last = r
		}
		if early < 3 {
			t.Errorf("%d workers: only %d limits ended the search early", workers, early)
		}
		for _, timeout := range []time.Duration{
			1, 100 * time.Microsecond, time.Millisecond, time.Hour,
		} {
			if r := perturb(attack.Options{Timeout: timeout}); r.Optimal() !=
				(timeout == time.Hour) && timeout < 1000 {
				t.Errorf("timeout %v: %+v", timeout, r)
			}
		}
		for gap := truth * 2; gap > truth/100; gap /= 2 {
			if r := perturb(attack.Options{Gap: gap}); r.Distance-r.Bound > gap*(1+1e-9) {
				t.Errorf("gap %v: %v ≤ radius ≤ %v", gap, r.Bound, r.Distance)
			}
		}
	}
}

// TestTooLarge: an ensemble refuses sums that overflow, and a chain of tests
// whose leaves have more sides than a search can hold; reading those takes no
// longer than counting them.
func TestTooLarge(t *testing.T) {
	chain := func(tests int, value float64) *classifier.ObliqueEnsemble {
		var nodes []classifier.ObliqueNode
		for i := range tests {
			nodes = append(nodes,
				classifier.ObliqueNode{
					Weights:   []float64{1, float64(i + 2)},
					Threshold: float64(i),
					Left:      2*i + 1,
					Right:     2*i + 2,
					Value:     []float64{0, 0},
				},
				classifier.ObliqueNode{Left: -1, Right: -1, Value: []float64{value, 1}})
		}
		nodes = append(nodes, classifier.ObliqueNode{Left: -1, Right: -1, Value: []float64{1, 0}})
		tree := instance.ObliqueTree(t, 2, nodes...)
		return tree
	}
	for _, test := range []struct {
		name  string
		tree  *classifier.ObliqueEnsemble
		opts  classifier.EnsembleOptions
		fault string // empty if it is to be taken
	}{
		{"large values", chain(1, 1e300), classifier.EnsembleOptions{Vote: classifier.SumVote}, ""},
		{"values that overflow float64", chain(1, 1e308),
			classifier.EnsembleOptions{Vote: classifier.SumVote}, "class 0 can overflow"},
		{"values that overflow float32", chain(1, 1e300),
			classifier.EnsembleOptions{Vote: classifier.SumVote, Single: true},
			"class 0 can overflow"},
		{"a deep tree", chain(500, 1), classifier.EnsembleOptions{}, ""},
		{"too deep a tree", chain(5000, 1), classifier.EnsembleOptions{}, "sides"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := classifier.NewObliqueEnsemble(2,
				[][]classifier.ObliqueNode{test.tree.Tree(0)}, test.opts)
			if test.fault == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if !errors.Is(err, classifier.ErrModel) || !strings.Contains(err.Error(), test.fault) {
				t.Fatalf("error %v, want ErrModel and %q", err, test.fault)
			}
		})
	}
}
