package attack_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/oracle"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// verdictAt asks about one radius.
func verdictAt(
	ctx context.Context, a *attack.RegionBased, x []float64, r float64,
) (attack.Verdict, error) {
	found, err := a.RobustAt(ctx, x, r)
	return found.Verdict(r), err
}

// checkRobustAt asks around the radius of x, which may be +Inf. One that is within the
// tolerance of bounds cannot be told from 0.
func checkRobustAt(t *testing.T, a *attack.RegionBased, x []float64, radius float64) {
	t.Helper()
	want := map[float64]attack.Verdict{0: attack.Holds}
	switch {
	case math.IsInf(radius, 1):
		want[1e12] = attack.Holds
	case radius > 1e-8:
		want[0.99*radius] = attack.Holds
		want[1.01*radius], want[1e6*radius] = attack.Refuted, attack.Refuted
	}
	for r, want := range want {
		if got, err := verdictAt(t.Context(), a, x, r); err != nil || got != want {
			t.Errorf("RobustAt(%v, %v) = %v, %v, want %v: the radius is %v",
				x, r, got, err, want, radius)
		}
	}
}

// TestRobustAtAgainstEnumeration asks about ensembles at and beside the distance of the
// nearest of all their cells.
func TestRobustAtAgainstEnumeration(t *testing.T) {
	for _, norm := range norms {
		for number := range uint64(racetest.Scale(700)) {
			in := instance.DrawEnsemble(t, rand.New(rand.NewPCG(number, 90+uint64(norm))))
			if in.Target != nil && *in.Target == in.Ensemble.Predict(in.Query) {
				continue
			}
			a := &attack.RegionBased{
				Classifier: in.Ensemble,
				Options: attack.Options{
					Norm:    norm,
					Target:  in.Target,
					Domain:  in.Box,
					Workers: int(number % 3),
				},
			}
			if number%4 == 0 {
				a.Classifier = instance.Listed{Decomposable: in.Ensemble}
			}
			cells := &attack.RegionBased{
				Classifier: instance.Listed{Decomposable: in.Ensemble},
				Options:    a.Options,
			}
			truth, err := cells.Perturb(t.Context(), in.Query)
			if err != nil {
				t.Fatal(err)
			}
			if checkRobustAt(t, a, in.Query, truth.Distance); t.Failed() {
				t.Fatalf("norm %v, instance %d", norm, number)
			}
		}
	}
}

// TestRobustAtOfShares does the same for shares of neighbours.
func TestRobustAtOfShares(t *testing.T) {
	for number := range uint64(racetest.Scale(600)) {
		rng := rand.New(rand.NewPCG(number, 93))
		in, norm := instance.DrawFew(rng), norms[number%3]
		k := min(1+rng.IntN(5), len(in.X))
		c, vote := in.Above(t, rng, k)
		goal, ok := in.Goal(c)
		if !ok || in.Box != nil && !in.Box.Contains(in.Query) {
			continue
		}
		truth, _ := oracle.CellsVote(oracle.Norm(norm), in.X, vote, k, in.Query, goal,
			in.OracleBox())
		a := &attack.RegionBased{Classifier: c, Options: attack.Options{
			Norm: norm, Target: in.Target, Domain: in.Box, Workers: 1,
		}}
		if checkRobustAt(t, a, in.Query, truth); t.Failed() {
			t.Fatalf("norm %v, instance %d: %+v", norm, number, in)
		}
	}
}

// TestRobustAtOnPaperSets asks about 1-NN, 3-NN, trees and forests at the radii of the fixtures.
func TestRobustAtOnPaperSets(t *testing.T) {
	t.Parallel()
	onPaperSets(t, checkRobustAt)
}

func TestRobustAtErrors(t *testing.T) {
	in := instance.DrawEnsemble(t, rand.New(rand.NewPCG(1, 91)))
	from := in.Ensemble.Predict(in.Query)
	tests := []struct {
		name string
		o    attack.Options
		x    []float64
		r    float64
		want error
	}{
		{"negative radius", attack.Options{}, in.Query, -1, classifier.ErrOption},
		{"radius NaN", attack.Options{}, in.Query, math.NaN(), classifier.ErrOption},
		{"infinite radius", attack.Options{}, in.Query, math.Inf(1), classifier.ErrOption},
		{"approximate", attack.Options{Mode: attack.Approx}, in.Query, 1, classifier.ErrEmpty},
		{"dimension", attack.Options{}, append([]float64{0}, in.Query...), 1,
			polytope.ErrDimension},
		{"target", attack.Options{Target: &from}, in.Query, 1, attack.ErrTarget},
	}
	for _, test := range tests {
		a := &attack.RegionBased{Classifier: in.Ensemble, Options: test.o}
		if got, err := a.RobustAt(t.Context(), test.x, test.r); got.Example != nil ||
			got.Bound != 0 || !errors.Is(err, test.want) {
			t.Errorf("%s: RobustAt = %+v, %v, want %v", test.name, got, err, test.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a := &attack.RegionBased{Classifier: in.Ensemble}
	if got, err := a.RobustAt(ctx, in.Query, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: RobustAt = %+v, %v", got, err)
	}
}

func TestRobustAtUndecided(t *testing.T) {
	x, y := blobs(rand.New(rand.NewPCG(6, 1)), 300, 6)
	forest, err := classifier.TrainForest(t.Context(), x, y, classifier.ForestOptions{
		Trees:       40,
		TreeOptions: classifier.TreeOptions{MaxDepth: 8},
	})
	if err != nil {
		t.Fatal(err)
	}
	undecided := 0
	for i := range 20 {
		exact := &attack.RegionBased{Classifier: forest, Options: attack.Options{Norm: polytope.L1}}
		r, err := exact.Perturb(t.Context(), x.RawRowView(i))
		if err != nil {
			t.Fatal(err)
		}
		limited := &attack.RegionBased{
			Classifier: forest,
			Options:    attack.Options{Norm: polytope.L1, MaxNodes: 2},
		}
		robust, err := verdictAt(t.Context(), limited, x.RawRowView(i), 0.95*r.Distance)
		switch {
		case err == nil && robust == attack.Undecided:
			undecided++
		case err != nil || robust != attack.Holds:
			t.Errorf("point %d: RobustAt = %v, %v below the radius", i, robust, err)
		}
	}
	if undecided == 0 {
		t.Error("two nodes decided every point")
	}
}

// TestRobustAtBeyondTheBall: a box that holds real numbers and no float64 answers within the
// radius, and would not at the corner of it that lies beyond.
func TestRobustAtBeyondTheBall(t *testing.T) {
	last := math.Nextafter(0.5, 1)
	leaf := func(v ...float64) classifier.TreeNode {
		return classifier.TreeNode{Left: -1, Right: -1, Value: v}
	}
	test := func(f int, threshold float64) classifier.TreeNode {
		return classifier.TreeNode{
			Feature:   f,
			Threshold: threshold,
			Left:      1,
			Right:     2,
			Value:     []float64{0, 0},
		}
	}
	var members []*classifier.Tree
	for _, nodes := range [][]classifier.TreeNode{
		{test(0, last), leaf(0, 1), leaf(1, 0)}, // x0 < last: label 1
		{test(1, 0), leaf(2, 0), leaf(0, 0)},    // but for x1 < 0
	} {
		tree, err := classifier.NewTree(3, classifier.BelowFloat64, nodes)
		if err != nil {
			t.Fatal(err)
		}
		members = append(members, tree)
	}
	e, err := classifier.NewEnsemble(members, classifier.EnsembleOptions{Vote: classifier.SumVote})
	if err != nil {
		t.Fatal(err)
	}
	domain := polytope.Box{{Lo: 0.5, Hi: 1, LoOpen: true}, {Lo: -1, Hi: 1}, {Lo: 0.1, Hi: 1}}
	for _, norm := range []polytope.Norm{polytope.L1, polytope.L2} {
		a := &attack.RegionBased{Classifier: e, Options: attack.Options{Norm: norm, Domain: domain}}
		if robust, err := verdictAt(t.Context(), a, []float64{last, 0.1, 0}, 0.12); err != nil ||
			robust != attack.Undecided {
			t.Errorf("norm %v: RobustAt() = %v, %v, want that float64 has no example",
				norm, robust, err)
		}
	}
}

// TestRobustAtWhereSquaresOverflow: rows so far away that squares of distances are +Inf are pushed
// nowhere, and make nothing panic.
func TestRobustAtWhereSquaresOverflow(t *testing.T) {
	for _, test := range []struct {
		rows   []float64
		labels []int
		k      int
		x, r   float64
	}{
		{[]float64{-1.797690000000001e308, -2e100}, []int{2, 0}, 1, -1.797690000000001e308,
			8.988449910115505e307},
		{[]float64{0, -2, 0, 5e199}, []int{2, 3, 3, 1}, 3, 8.988465674311579e307, 18.1},
	} {
		rows := mat.NewDense(len(test.rows), 1, test.rows)
		c, err := classifier.TrainKNN(t.Context(), rows, test.labels,
			classifier.KNNOptions{K: test.k})
		if err != nil {
			t.Fatal(err)
		}
		a := &attack.RegionBased{Classifier: c}
		got, err := verdictAt(t.Context(), a, []float64{test.x}, test.r)
		if err != nil || got == attack.Refuted && test.k == 3 {
			t.Errorf("k = %d: %v, %v", test.k, got, err)
		}
	}
}
