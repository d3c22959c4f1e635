package attack_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// radiiAround are some radii in no order, on both sides of the distance of the nearest example.
func radiiAround(distance float64) []float64 {
	if math.IsInf(distance, 1) {
		return []float64{1, 0, 1e12}
	}
	return []float64{1.01 * distance, 0, 0.99 * distance, 0.5 * distance, 3 * distance,
		0.99 * distance}
}

// checkRadii asks about several radii at once; one that is within the tolerance of bounds
// cannot be told from 0.
func checkRadii(t *testing.T, a *attack.RegionBased, x []float64, distance float64) (no int) {
	t.Helper()
	if distance > 0 && distance < 1e-7 {
		return 0
	}
	radii := radiiAround(distance)
	result, err := a.RobustAt(t.Context(), x, radii...)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range radii {
		want := attack.Holds
		if r > 0 && r >= distance {
			want = attack.Refuted
			no++
		}
		if got := result.Verdict(r); got != want {
			t.Errorf("at %v of the radii %v: %v, want %v: the radius is %v, the result %+v",
				r, radii, got, want, distance, result)
		}
	}
	tolerance := 1e-8 * max(1, distance)
	if result.Optimal() && math.Abs(result.Distance-distance) > tolerance &&
		!math.IsInf(distance, 1) {
		t.Errorf("%+v is optimal at radii %v, the radius is %v", result, radii, distance)
	}
	if result.Bound > distance ||
		result.Distance < distance-tolerance && !math.IsInf(distance, 1) ||
		math.IsInf(distance, 1) && result.Example != nil {
		t.Errorf("%+v at radii %v, the radius is %v", result, radii, distance)
	}
	return no
}

// TestRadiiAgainstEnumeration asks about several radii at once beside the distance of the
// nearest of all cells of ensembles.
func TestRadiiAgainstEnumeration(t *testing.T) {
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
			if no += checkRadii(t, a, in.Query, truth.Distance); t.Failed() {
				t.Fatalf("norm %v, instance %d", norm, number)
			}
		}
	}
	if 2*no < asked {
		t.Errorf("%d of %d instances are not robust, want more", no, asked)
	}
}

// TestRadiiOnPaperSets asks 1-NN, 3-NN, trees and forests about several radii beside those
// of the fixtures.
func TestRadiiOnPaperSets(t *testing.T) {
	t.Parallel()
	onPaperSets(t, func(t *testing.T, a *attack.RegionBased, x []float64, radius float64) {
		t.Helper()
		checkRadii(t, a, x, radius)
	})
}

// onPaperSets checks what 1-NN, 3-NN, trees and forests answer about points whose radii the
// fixtures know.
func onPaperSets(
	t *testing.T, check func(t *testing.T, a *attack.RegionBased, x []float64, radius float64),
) {
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
					check(t, a, points[name].X[i], radius)
				}
			}
		}
	})
}

// TestRadiiWithLimits: what ends a search early leaves radii undecided and none decided wrongly,
// and an attack that proves nothing finds none robust.
func TestRadiiWithLimits(t *testing.T) {
	x, y := blobs(rand.New(rand.NewPCG(6, 1)), 300, 6)
	forest, err := classifier.TrainForest(t.Context(), x, y, classifier.ForestOptions{
		Trees:       40,
		TreeOptions: classifier.TreeOptions{MaxDepth: 8},
	})
	if err != nil {
		t.Fatal(err)
	}
	counts := make(map[attack.Verdict]int)
	for i := range 20 {
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
		if counts[v] < 100 {
			t.Errorf("%d answers %v, want more", counts[v], v)
		}
	}
}

// TestRadiiSaveWork: the search opens fewer nodes with radii than without, and far fewer where
// all of them lie far from the radius.
func TestRadiiSaveWork(t *testing.T) {
	x, y := blobs(rand.New(rand.NewPCG(6, 2)), 300, 6)
	forest, err := classifier.TrainForest(t.Context(), x, y, classifier.ForestOptions{
		Trees:       40,
		TreeOptions: classifier.TreeOptions{MaxDepth: 8},
	})
	if err != nil {
		t.Fatal(err)
	}
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

func TestRadiiOutOfRange(t *testing.T) {
	in := instance.DrawEnsemble(t, rand.New(rand.NewPCG(1, 91)))
	for _, r := range []float64{-1, math.NaN(), math.Inf(1)} {
		a := attack.RegionBased{Classifier: in.Ensemble}
		_, err := a.RobustAt(t.Context(), in.Query, 1, r)
		if !errors.Is(err, classifier.ErrOption) {
			t.Errorf("radius %v: %v, want %v", r, err, classifier.ErrOption)
		}
	}
	a := attack.RegionBased{Classifier: in.Ensemble}
	if _, err := a.RobustAt(t.Context(), in.Query); !errors.Is(err, classifier.ErrOption) {
		t.Errorf("no radii: %v, want %v", err, classifier.ErrOption)
	}
}

// TestZeroResult: a Result that nobody has filled in proves nothing, at no radius.
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
