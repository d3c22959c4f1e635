package boxtree_test

import (
	"context"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// large is an ensemble whose searches use potentials from a depth on, however small they are.
type large struct {
	*classifier.Ensemble
	depth int
}

func (e large) Search(ctx context.Context, q search.Query) (search.Search, error) {
	s, err := instance.SearchOf(ctx, e.Ensemble, q)
	return boxtree.Large(s, e.depth), err
}

func (e large) Follows() search.Rules { return search.AllRules }

// TestPotentialsAgainstEnumeration: with potentials the nearest answer is that of all intervals,
// and no worker changes it.
func TestPotentialsAgainstEnumeration(t *testing.T) {
	t.Parallel()
	want := uint64(instance.Count(3000, 30000))
	for number, compared := uint64(0), uint64(0); compared < want; number++ {
		rng := rand.New(rand.NewPCG(number, 820))
		in := instance.DrawEnsemble(t, rng)
		if in.Target != nil && *in.Target == in.Ensemble.Predict(in.Query) {
			continue
		}
		compared++
		norm := instance.Norms()[number%3]
		truth := in.Radius(norm)
		a := &attack.RegionBased{
			Classifier: large{in.Ensemble, int(number/3) % 4},
			Options:    attack.Options{Norm: norm, Target: in.Target, Domain: in.Box, Workers: 1},
		}
		var first attack.Result
		for i, workers := range []int{1, 2, 4} {
			a.Workers = workers
			r, err := a.Perturb(t.Context(), in.Query)
			if err != nil {
				t.Fatalf("instance %d: %v", number, err)
			}
			if i == 0 {
				first = r
			}
			if !slices.Equal(r.Example, first.Example) || r.Bound != first.Bound ||
				r.Label != first.Label {
				t.Fatalf("instance %d, %d workers: %+v, with one %+v", number, workers, r, first)
			}
		}
		if err := instance.CheckExact(t, in.Ensemble, a.Norm, in.Query, first, truth); err != nil {
			t.Fatalf("instance %d: %v", number, err)
		}
		if !alike(first.Distance, truth) {
			t.Fatalf("instance %d: distance %v, want %v", number, first.Distance, truth)
		}
	}
}

// TestPotentialsOnPlateaus: ensembles over small integers, whose distances tie and whose votes
// come close, have the same bounds and labels with potentials and without, and the same
// examples with any number of workers.
func TestPotentialsOnPlateaus(t *testing.T) {
	t.Parallel()
	for number := range uint64(racetest.Scale(instance.Count(2000, 20000))) {
		rng := rand.New(rand.NewPCG(number, 821))
		in := drawForest(t, rng)
		perturb := func(c classifier.Classifier, workers int) attack.Result {
			a := &attack.RegionBased{
				Classifier: c,
				Options: attack.Options{
					Norm:    instance.Norms()[number%3],
					Target:  in.Target,
					Domain:  in.Box,
					Workers: workers,
				},
			}
			r, err := a.Perturb(t.Context(), in.Query)
			if err != nil {
				t.Fatalf("instance %d: %v", number, err)
			}
			return r
		}
		plain, first := perturb(in.Ensemble, 1), perturb(large{in.Ensemble, int(number/3) % 3}, 1)
		if !alike(first.Bound, plain.Bound) || !alike(first.Distance, plain.Distance) ||
			first.Optimal() != plain.Optimal() {
			t.Fatalf("instance %d: %+v with potentials, without %+v", number, first, plain)
		}
		for _, workers := range []int{2, 4} {
			if r := perturb(
				large{in.Ensemble, int(number/3) % 3}, workers,
			); r.Bound != first.Bound || !slices.Equal(r.Example, first.Example) {
				t.Fatalf("instance %d, %d workers: %+v, with one %+v", number, workers, r, first)
			}
		}
	}
}

// TestPricesSaveNodes: in ℓ1 and ℓ2 searches with prices open less than a third of the nodes that
// those for proofs do, which have none; half of them if they begin where bounds are far below the
// first answer.
func TestPricesSaveNodes(t *testing.T) {
	t.Parallel()
	c := fixture.Open(t, "australian")
	forest, points := instance.ReadForest(t, c, "rf"), c.Points(t)["rf"].X[:racetest.Count(10, 10)]
	for _, norm := range []polytope.Norm{polytope.L1, polytope.L2} {
		count := func(of classifier.Classifier, plain bool) (nodes int) {
			for _, x := range points {
				a := &attack.RegionBased{
					Classifier: of,
					Options:    attack.Options{Norm: norm, Workers: 1},
				}
				r, err := a.Perturb(t.Context(), x)
				if plain {
					r, err = instance.Prove(t.Context(), a, x, io.Discard)
				}
				if err != nil || !r.Optimal() {
					t.Fatalf("%+v, %v", r, err)
				}
				nodes += r.Nodes
			}
			return nodes
		}
		plain, far, priced := count(forest, true), count(forest, false), count(large{forest, 0},
			false)
		if 3*priced > plain || 2*far > plain {
			t.Errorf("norm %v: %d nodes with prices, %d where bounds are far below, %d without",
				norm, priced, far, plain)
		}
	}
}

// TestLooseBoundsJoinGroups: the price of several leaves together proves bounds for which trees on
// their own take twice the nodes.
func TestLooseBoundsJoinGroups(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(12, 4))
	const rows, dim = 2000, 12
	x, y := mat.NewDense(rows, dim, nil), make([]int, rows)
	var middles [8][dim]float64
	for c := range middles {
		for f := range middles[c] {
			middles[c][f] = 2 * float64(2*rng.IntN(2)-1)
		}
	}
	for i := range rows {
		for f := range dim {
			x.Set(i, f, middles[i%8][f]+1.5*rng.NormFloat64())
		}
		y[i] = i % 2
	}
	forest, err := classifier.TrainForest(t.Context(), x, y, classifier.ForestOptions{
		Trees: 200, TreeOptions: classifier.TreeOptions{MaxDepth: 7},
	})
	if err != nil {
		t.Fatal(err)
	}
	nodes := 0
	for i := range racetest.Count(6, 6) {
		a := &attack.RegionBased{
			Classifier: forest,
			Options:    attack.Options{Norm: polytope.L2, Workers: 1, MaxNodes: 3000},
		}
		r, err := a.Perturb(t.Context(), x.RawRowView(i))
		if err != nil {
			t.Fatal(err)
		}
		nodes += r.Nodes
	}
	if nodes > 900 {
		t.Errorf("%d nodes, want at most 900", nodes)
	}
}

// TestSlowSearchesGetPotentials: bounds of a forest that was trained on rows with noise grow
// slowly. Potentials begin on the way, and few nodes prove its answers: without, one takes 20,000,
// and one of a smaller forest 10,000.
func TestSlowSearchesGetPotentials(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(11, 4))
	const rows, copies, dim = 300, 4, 60
	x, y := mat.NewDense(rows*copies, dim, nil), make([]int, rows*copies)
	for i := range rows {
		for c := range copies {
			y[i*copies+c] = i % 2
		}
		for f := range dim {
			v := 0.0
			if rng.IntN(8) == 0 || (f%8 < 2 && f%2 == i%2 && rng.IntN(2) == 0) {
				v = rng.Float64()
			}
			for c := range copies {
				x.Set(i*copies+c, f, v+0.2*(rng.Float64()-0.5))
			}
		}
	}
	for _, size := range []struct{ trees, depth, nodes int }{{100, 8, 6000}, {60, 6, 2000}} {
		forest, err := classifier.TrainForest(t.Context(), x, y, classifier.ForestOptions{
			Trees: size.trees, TreeOptions: classifier.TreeOptions{MaxDepth: size.depth},
		})
		if err != nil {
			t.Fatal(err)
		}
		for i := range racetest.Count(5, 5) {
			a := &attack.RegionBased{
				Classifier: forest,
				Options:    attack.Options{Norm: polytope.L2, Workers: 1, MaxNodes: size.nodes},
			}
			r, err := a.Perturb(t.Context(), x.RawRowView(i*copies))
			if err != nil || !r.Optimal() {
				t.Errorf("%d trees, row %d: %+v, %v, want a proven answer", size.trees, i, r, err)
			}
		}
	}
}

// TestWorkersShareThePrices: where potentials begin in the middle of a search, workers find the
// same as one.
func TestWorkersShareThePrices(t *testing.T) {
	t.Parallel()
	c := fixture.Open(t, "australian")
	forest, points := instance.ReadForest(t, c, "rf"), c.Points(t)["rf"].X[:racetest.Count(6, 100)]
	for i, x := range points {
		var first attack.Result
		for _, workers := range []int{1, 2, 4} {
			a := &attack.RegionBased{
				Classifier: forest,
				Options: attack.Options{
					Norm:    []polytope.Norm{polytope.L1, polytope.L2}[i%2],
					Workers: workers,
				},
			}
			r, err := a.Perturb(t.Context(), x)
			if err != nil {
				t.Fatal(err)
			}
			if workers == 1 {
				first = r
			}
			if !slices.Equal(r.Example, first.Example) || r.Bound != first.Bound ||
				r.Label != first.Label {
				t.Errorf("point %d, %d workers: %+v, with one %+v", i, workers, r, first)
			}
		}
	}
}

// TestPotentialsOnScales: the nearest answer is that of all intervals where trees have a single
// leaf left in a part. The first four instances were once given a bound beyond an answer.
func TestPotentialsOnScales(t *testing.T) {
	t.Parallel()
	numbers := []uint64{14781, 47663, 92529, 95525}
	for number := range uint64(instance.Count(3000, 200000)) {
		numbers = append(numbers, number)
	}
	for _, number := range numbers {
		in := drawScales(t, rand.New(rand.NewPCG(number, 999)))
		a := &attack.RegionBased{
			Classifier: large{in.Ensemble, int(number % 2)},
			Options:    attack.Options{Workers: 1},
		}
		r, err := a.Perturb(t.Context(), in.Query)
		if err != nil {
			t.Fatalf("instance %d: %v", number, err)
		}
		if err := instance.CheckExact(
			t, in.Ensemble, a.Norm, in.Query, r, in.Radius(a.Norm),
		); err != nil {
			t.Fatalf("instance %d: %v", number, err)
		}
	}
}

// TestPricesOfShortDistances: radii so short that no rate is a number prove no bound. These trees
// have an answer as near as one likes, and were once called robust.
func TestPricesOfShortDistances(t *testing.T) {
	t.Parallel()
	stump := func(feature int, threshold float64, left, right []float64) []classifier.TreeNode {
		return []classifier.TreeNode{
			{Feature: feature, Threshold: threshold, Left: 1, Right: 2, Value: []float64{0, 0, 0}},
			{Left: -1, Right: -1, Value: left}, {Left: -1, Right: -1, Value: right},
		}
	}
	a, b, c := []float64{1, 0, 0}, []float64{0, 1, 0}, []float64{0, 0, 1}
	var trees []*classifier.Tree
	for _, nodes := range [][]classifier.TreeNode{
		stump(2, -math.MaxFloat32, a, a), stump(2, 0, c, c), stump(2, 0, c, c),
		stump(2, -math.MaxFloat32, b, c), stump(0, 0x1p-563, a, c),
	} {
		tree, err := classifier.NewTree(3, classifier.AtMostFloat64, nodes)
		if err != nil {
			t.Fatal(err)
		}
		trees = append(trees, tree)
	}
	e, err := classifier.NewEnsemble(trees, classifier.EnsembleOptions{Vote: classifier.HardVote})
	if err != nil {
		t.Fatal(err)
	}
	attacked := &attack.RegionBased{
		Classifier: large{e, 0},
		Options:    attack.Options{Norm: polytope.L2},
	}
	const radius = 1e-323
	if r, err := attacked.RobustAt(
		t.Context(), []float64{0, 0, -math.MaxFloat32}, radius,
	); r.Verdict(radius) == attack.Holds {
		t.Errorf("robust, %v", err)
	}
}

// drawScales makes an ensemble whose thresholds and values differ by orders of magnitude.
func drawScales(t *testing.T, rng *rand.Rand) instance.Ensemble {
	t.Helper()
	scaled := func(scales ...float64) func() float64 {
		return func() float64 { return scales[rng.IntN(len(scales))] * (2*rng.Float64() - 1) }
	}
	threshold, value := scaled(1e12, 1, 1e-3), scaled(1e8, 1, 0)
	dim, comparison := 2+rng.IntN(2), classifier.Comparison(rng.IntN(4))
	var trees []*classifier.Tree
	for range 2 + rng.IntN(3) {
		trees = append(trees,
			instance.GrowTree(t, rng, comparison, dim, 2, 1+rng.IntN(2), threshold, value))
	}
	e, err := classifier.NewEnsemble(trees, classifier.EnsembleOptions{
		Vote:   classifier.SumVote,
		Single: rng.IntN(2) == 0,
	})
	if err != nil {
		t.Fatal(err)
	}
	in := instance.Ensemble{Ensemble: e}
	for range dim {
		in.Query = append(in.Query, threshold())
	}
	return in
}

// alike reports whether two distances are the same but for rounding.
func alike(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-12*max(1, a) }

// drawForest makes an ensemble of more and deeper trees than can be enumerated.
func drawForest(t *testing.T, rng *rand.Rand) instance.Ensemble {
	t.Helper()
	dim, classes := 2+rng.IntN(5), 2+rng.IntN(3)
	draw := func() float64 { return float64(rng.IntN(31) - 15) }
	values := []func() float64{
		func() float64 { return float64(rng.IntN(3)) },
		rng.Float64,
		func() float64 { return math.Ldexp(rng.Float64(), -rng.IntN(40)) },
	}
	opts := instance.DrawVote(rng, classes)
	var trees []*classifier.Tree
	comparison := classifier.Comparison(rng.IntN(4))
	value := values[rng.IntN(len(values))]
	for range 5 + rng.IntN(25) {
		trees = append(trees,
			instance.GrowTree(t, rng, comparison, dim, classes, 2+rng.IntN(3), draw, value))
	}
	in := instance.Ensemble{}
	e, err := classifier.NewEnsemble(trees, opts)
	if err != nil {
		t.Fatal(err)
	}
	in.Ensemble = e
	for range dim {
		in.Query = append(in.Query, draw())
	}
	if target := rng.IntN(classes); rng.IntN(3) == 0 && target != in.Ensemble.Predict(in.Query) {
		in.Target = &target
	}
	if rng.IntN(3) == 0 {
		in.Box = drawSides(rng, dim, draw)
	}
	return in
}
