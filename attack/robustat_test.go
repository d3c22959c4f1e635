package attack_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/oracle"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/polytope/native"
)

// verdictAt asks about one radius.
func verdictAt(
	ctx context.Context, a *attack.RegionBased, x []float64, r float64,
) (attack.Verdict, error) {
	found, err := a.RobustAt(ctx, x, r)
	return found.Verdict(r), err
}

// radiiAround are some radii in no order, on both sides of the distance of the nearest example.
func radiiAround(distance float64) []float64 {
	if math.IsInf(distance, 1) {
		return []float64{1, 0, 1e12}
	}
	return []float64{1.01 * distance, 0, 0.99 * distance, 0.5 * distance, 3 * distance,
		0.99 * distance, 1e6 * distance}
}

// checkRobustAt asks about radii around the distance of the nearest example, which may be +Inf:
// each on its own, and all of them at once. A distance within the tolerance of bounds cannot be
// told from 0.
func checkRobustAt(t *testing.T, a *attack.RegionBased, x []float64, distance float64) (no int) {
	t.Helper()
	if distance > 0 && distance < 1e-7 {
		return 0
	}
	radii := radiiAround(distance)
	result, err := a.RobustAt(t.Context(), x, radii...)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range radii {
		want := attack.Holds
		if r > 0 && r >= distance {
			want = attack.Refuted
			no++
		}
		if got := result.Verdict(r); got != want {
			t.Errorf("at %v of the radii %v: %v, want %v: the radius is %v, the result %+v",
				r, radii, got, want, distance, result)
		}
		if slices.Contains(radii[:i], r) {
			continue
		}
		if got, err := verdictAt(t.Context(), a, x, r); err != nil || got != want {
			t.Errorf("RobustAt(%v, %v) = %v, %v, want %v: the radius is %v",
				x, r, got, err, want, distance)
		}
	}
	tolerance := 1e-8 * max(1, distance)
	if result.Optimal() && math.Abs(result.Distance-distance) > tolerance &&
		!math.IsInf(distance, 1) {
		t.Errorf("%+v is optimal at radii %v, the radius is %v", result, radii, distance)
	}
	if result.Bound > distance+tolerance/10 ||
		result.Distance < distance-tolerance && !math.IsInf(distance, 1) ||
		math.IsInf(distance, 1) && result.Example != nil {
		t.Errorf("%+v at radii %v, the radius is %v", result, radii, distance)
	}
	return no
}

// TestRobustAtAgainstEnumeration asks about ensembles beside the distance of the nearest of all
// their cells.
func TestRobustAtAgainstEnumeration(t *testing.T) {
	asked, no := 0, 0
	for _, norm := range norms {
		for number := range uint64(racetest.Scale(700)) {
			in := instance.DrawEnsemble(t, rand.New(rand.NewPCG(number, 190+uint64(norm))))
			if in.Target != nil && *in.Target == in.Ensemble.Predict(in.Query) {
				continue
			}
			options := attack.Options{
				Norm:    norm,
				Target:  in.Target,
				Domain:  in.Box,
				Workers: int(number % 3),
			}
			cells := &attack.RegionBased{
				Classifier: instance.Listed{Decomposable: in.Ensemble},
				Options:    options,
			}
			truth, err := cells.Perturb(t.Context(), in.Query)
			if err != nil {
				t.Fatal(err)
			}
			a := &attack.RegionBased{Classifier: in.Ensemble, Options: options}
			if number%4 == 0 {
				a.Classifier = cells.Classifier
			}
			asked++
			if no += checkRobustAt(t, a, in.Query, truth.Distance); t.Failed() {
				t.Fatalf("norm %v, instance %d", norm, number)
			}
		}
	}
	if 2*no < asked {
		t.Errorf("%d of %d instances are not robust, want more", no, asked)
	}
}

// TestRobustAtOnPaperSets asks about 1-NN, 3-NN, trees and forests at the radii of the fixtures.
func TestRobustAtOnPaperSets(t *testing.T) {
	t.Parallel()
	fixture.Each(t, func(t *testing.T, c fixture.Case) {
		t.Parallel()
		points, exact := c.Points(t), c.Exact(t)
		for _, name := range []string{"1nn", "3nn", "dt", "rf"} {
			model := instance.PaperModel(t, c, name)
			for _, norm := range norms {
				a := &attack.RegionBased{
					Classifier: model,
					Options:    attack.Options{Norm: norm, Workers: 1},
				}
				radii := exact[name+"_"+norm.String()] // none for 3-NN in ℓ1
				for i, radius := range radii[:min(len(radii), instance.Count(4, 40))] {
					checkRobustAt(t, a, points[name].X[i], radius)
				}
			}
		}
	})
}

// TestRobustAtOfShares asks about shares of neighbours.
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
		truth := oracle.CellsVote(oracle.Norm(norm), in.X, vote, k, in.Query, goal,
			in.OracleBox())
		a := &attack.RegionBased{Classifier: c, Options: attack.Options{
			Norm: norm, Target: in.Target, Domain: in.Box, Workers: 1,
		}}
		if checkRobustAt(t, a, in.Query, truth); t.Failed() {
			t.Fatalf("norm %v, instance %d: %+v", norm, number, in)
		}
	}
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
	for _, radii := range [][]float64{nil, {1, -1}} {
		if _, err := a.RobustAt(t.Context(), in.Query, radii...); !errors.Is(
			err, classifier.ErrOption,
		) {
			t.Errorf("radii %v: %v, want %v", radii, err, classifier.ErrOption)
		}
	}
	if got, err := a.RobustAt(ctx, in.Query, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: RobustAt = %+v, %v", got, err)
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
// nowhere, and cause no panic.
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

// blobForest returns a forest that questions take some nodes of, and its rows.
func blobForest(t *testing.T, seed uint64) (*classifier.Ensemble, *mat.Dense) {
	t.Helper()
	x, y := blobs(rand.New(rand.NewPCG(6, seed)), 300, 6)
	forest, err := classifier.TrainForest(t.Context(), x, y, classifier.ForestOptions{
		Trees:       40,
		TreeOptions: classifier.TreeOptions{MaxDepth: 8},
	})
	if err != nil {
		t.Fatal(err)
	}
	return forest, x
}

// TestRadiiWithLimits: limits that end a search early leave radii undecided and none decided
// wrongly, and an attack that proves no bound finds none robust.
func TestRadiiWithLimits(t *testing.T) {
	forest, x := blobForest(t, 1)
	counts := make(map[attack.Verdict]int)
	for i := range racetest.Count(20, 20) {
		exact, err := (&attack.RegionBased{Classifier: forest}).Perturb(t.Context(),
			x.RawRowView(i))
		if err != nil {
			t.Fatal(err)
		}
		for nodes := range 40 {
			a := attack.RegionBased{
				Classifier: forest,
				Points:     x,
				Options:    attack.Options{MaxNodes: 2 * nodes, Workers: 1},
			}
			if a.MaxNodes == 0 {
				a.Mode = attack.Approx
			}
			radii := radiiAround(exact.Distance)
			result, err := a.RobustAt(t.Context(), x.RawRowView(i), radii...)
			if err != nil {
				t.Fatal(err)
			}
			if a.MaxNodes > 0 && result.Nodes > a.MaxNodes {
				t.Errorf("point %d: %d nodes, limit %d", i, result.Nodes, a.MaxNodes)
			}
			last := attack.Holds
			for _, r := range []float64{
				0, 0.5 * exact.Distance, 0.99 * exact.Distance, 1.01 * exact.Distance,
				3 * exact.Distance,
			} {
				v := result.Verdict(r)
				wrong := v == attack.Holds && r > exact.Distance ||
					v == attack.Refuted && r < exact.Distance
				if wrong || v == attack.Holds && (last != v || r > 0 && a.Mode == attack.Approx) ||
					last == attack.Refuted && v != last {
					t.Errorf("point %d, %d nodes: %v at %v after %v: the radius is %v",
						i, a.MaxNodes, v, r, last, exact.Distance)
				}
				counts[v]++
				last = v
			}
		}
	}
	for _, v := range []attack.Verdict{attack.Undecided, attack.Holds, attack.Refuted} {
		if counts[v] < racetest.Count(100, 100) {
			t.Errorf("%d answers %v, want more", counts[v], v)
		}
	}
}

// TestRadiiSaveWork: the search opens fewer nodes with radii than without, and far fewer where
// all of them lie far from the radius.
func TestRadiiSaveWork(t *testing.T) {
	forest, x := blobForest(t, 2)
	nodes := func(i int, radii ...float64) (int, float64) {
		a := attack.RegionBased{Classifier: forest, Options: attack.Options{Workers: 1}}
		ask := func() (attack.Result, error) {
			return a.RobustAt(t.Context(), x.RawRowView(i), radii...)
		}
		if len(radii) == 0 {
			ask = func() (attack.Result, error) { return a.Perturb(t.Context(), x.RawRowView(i)) }
		}
		r, err := ask()
		if err != nil {
			t.Fatal(err)
		}
		return r.Nodes, r.Distance
	}
	all, some, few := 0, 0, 0
	for i := range 20 {
		exact, distance := nodes(i)
		near, _ := nodes(i, 0.9*distance, 0.95*distance, 1.05*distance)
		far, _ := nodes(i, 0.2*distance, 5*distance)
		if first, _ := nodes(i, 1000*distance); first > far {
			t.Errorf("point %d: %d nodes until an example at any distance, %d for radii far from "+
				"the nearest one's", i, first, far)
		}
		all, some, few = all+exact, some+near, few+far
	}
	if some >= all || 2*few > all {
		t.Errorf("%d nodes for radii near the distance, %d for such that lie far, %d for the "+
			"nearest examples: want fewer, and less than half", some, few, all)
	}
}

// TestRadiiShareNodes: a radius that takes too many nodes leaves half of them to the others.
func TestRadiiShareNodes(t *testing.T) {
	forest, x := blobForest(t, 2)
	shared := 0
	for i := range 20 {
		ask := func(most int, radii ...float64) attack.Result {
			a := attack.RegionBased{
				Classifier: forest, Options: attack.Options{Workers: 1, MaxNodes: most},
			}
			r, err := a.RobustAt(t.Context(), x.RawRowView(i), radii...)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		exact, err := (&attack.RegionBased{Classifier: forest}).Perturb(t.Context(),
			x.RawRowView(i))
		if err != nil {
			t.Fatal(err)
		}
		near, far := 0.99*exact.Distance, 5*exact.Distance
		most := 2 * ask(0, far).Nodes
		if ask(most, near).Verdict(near) != attack.Undecided {
			continue
		}
		shared++
		r := ask(most, near, far)
		if r.Verdict(far) != attack.Refuted {
			t.Errorf("point %d: %v at %v with %d nodes for two radii, half of which refute it",
				i, r.Verdict(far), far, most)
		}
	}
	if shared < 5 {
		t.Errorf("%d points take too many nodes at the smaller radius, want more", shared)
	}
}

// TestRadiiShareTime: a question has half of the time that is left while another radius is open.
func TestRadiiShareTime(t *testing.T) {
	for _, test := range []struct {
		radii       []float64
		least, most time.Duration
	}{
		{[]float64{1.5}, time.Hour, 2 * time.Hour},
		{[]float64{1.5, 2}, 0, time.Hour},
	} {
		asked := false
		solver := instance.Solver(func(
			ctx context.Context, p polytope.Problem,
		) (polytope.Solution, error) {
			asked = true
			end, ok := ctx.Deadline()
			if left := time.Until(end); !ok || left <= test.least || left > test.most {
				t.Errorf("radii %v: %v left, want between %v and %v",
					test.radii, left, test.least, test.most)
			}
			return (&native.Solver{}).Closest(ctx, p)
		})
		a := attack.RegionBased{
			Classifier: oblique([]float64{1}, 1, false),
			Options:    attack.Options{Solver: solver, Workers: 1, Timeout: 2 * time.Hour},
		}
		r, err := a.RobustAt(t.Context(), []float64{0}, test.radii...)
		if err != nil || !asked || r.Verdict(1.5) != attack.Refuted {
			t.Errorf("radii %v: %+v, %v, asked: %t", test.radii, r, err, asked)
		}
	}
}

// TestRadiiAllRobust: that no example lies within the radii is not that there is none.
func TestRadiiAllRobust(t *testing.T) {
	model := neighbors(t, mat.NewDense(2, 1, []float64{0, 4}), []int{0, 1})
	a := attack.RegionBased{Classifier: model}
	r, err := a.RobustAt(t.Context(), []float64{0}, 0.5, 1)
	if err != nil || r.Status != attack.StatusLimit || r.Example != nil ||
		!(r.Bound > 1 && r.Bound < 1.0001) {
		t.Errorf("%+v with status %v, %v, want a limit just beyond 1", r, r.Status, err)
	}
}

// TestZeroResult: a Result that nobody has filled in proves no radius.
func TestZeroResult(t *testing.T) {
	for _, r := range []float64{0, 0.5, math.Inf(1)} {
		if v := (attack.Result{}).Verdict(r); v != attack.Undecided {
			t.Errorf("the zero Result is %v at %v, want undecided", v, r)
		}
	}
}

// TestRadiiAgreeWithRobustAt asks classifiers whose searches bound their answers in ways of their
// own.
func TestRadiiAgreeWithRobustAt(t *testing.T) {
	x, y := blobs(rand.New(rand.NewPCG(6, 3)), 120, 2)
	weighted, err := classifier.TrainWeightedKNN(t.Context(), x, y, classifier.KNNOptions{K: 3})
	if err != nil {
		t.Fatal(err)
	}
	oblique, err := classifier.TrainOblique(t.Context(), x, y, classifier.ObliqueOptions{Trees: 5})
	if err != nil {
		t.Fatal(err)
	}
	radii := []float64{0.02, 0.1, 0.3, 1}
	counts := make(map[attack.Verdict]int)
	for _, model := range []classifier.Classifier{weighted, oblique} {
		for _, norm := range norms {
			for i := range 15 {
				one := &attack.RegionBased{Classifier: model, Options: attack.Options{Norm: norm}}
				result, err := one.RobustAt(t.Context(), x.RawRowView(i), radii...)
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range radii {
					want, err := verdictAt(t.Context(), one, x.RawRowView(i), r)
					if err != nil {
						t.Fatal(err)
					}
					if got := result.Verdict(r); got != want {
						t.Errorf("%T, norm %v, point %d at %v: %v, want %v",
							model, norm, i, r, got, want)
					}
					counts[want]++
				}
			}
		}
	}
	if counts[attack.Holds] < 30 || counts[attack.Refuted] < 30 {
		t.Errorf("verdicts %v, want more of both", counts)
	}
}
