//go:build lpsolve

package milp

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

var norms = []polytope.Norm{polytope.LInf, polytope.L1}

// compare checks a finished attack against attack.RegionBased.
func compare(t *testing.T, in subject, r, want attack.Result) {
	t.Helper()
	a := in.attack
	if !r.Optimal() {
		t.Fatalf("%+v was not finished", r)
	}
	if math.IsInf(want.Distance, 1) {
		if r.Example != nil || r.Label != -1 || !math.IsInf(r.Distance, 1) ||
			!math.IsInf(r.Bound, 1) {
			t.Fatalf("%+v, but there is no answer", r)
		}
		return
	}
	if math.Abs(r.Distance-want.Distance) > 1e-7 {
		t.Fatalf("distance %v, RegionBased has %v", r.Distance, want.Distance)
	}
	if low := want.Bound * (1 - 1e-8); r.Bound < low || r.Bound > r.Distance ||
		r.Bound > want.Distance {
		t.Fatalf("bound %v, RegionBased has %v ≤ %v", r.Bound, want.Bound, want.Distance)
	}
	if r.Distance != a.Norm.Distance(in.x, r.Example) {
		t.Fatalf("distance %v of an example %v away", r.Distance, a.Norm.Distance(in.x, r.Example))
	}
	from, label := a.Ensemble.Predict(in.x), a.Ensemble.Predict(r.Example)
	if label != r.Label || label == from || (a.Target != nil && label != *a.Target) {
		t.Fatalf("example of label %d, reported as %d, from label %d", label, r.Label, from)
	}
	if a.Domain != nil && !a.Domain.Contains(r.Example) {
		t.Fatalf("example %v outside the domain", r.Example)
	}
}

func TestAgreesWithRegionBased(t *testing.T) {
	for _, norm := range norms {
		t.Run("norm="+norm.String(), func(t *testing.T) {
			t.Parallel()
			targeted, bounded, without := 0, 0, 0
			n := racetest.Scale(3000)
			for number := range uint64(n) {
				in := draw(t, number, 90+uint64(norm), norm)
				r, err := in.attack.Perturb(t.Context(), in.x)
				if err != nil {
					t.Fatalf("instance %d: %v", number, err)
				}
				compare(t, in, r, in.truth(t))
				if in.attack.Target != nil {
					targeted++
				}
				if in.attack.Domain != nil {
					bounded++
				}
				if r.Example == nil {
					without++
				}
			}
			t.Logf("%d instances: %d with a target, %d with a domain, %d without an answer",
				n, targeted, bounded, without)
		})
	}
}

// blobs are points around one centre a class.
func blobs(n, dim, classes int) (*mat.Dense, []int) {
	rng := rand.New(rand.NewPCG(1, 5))
	x, y := mat.NewDense(n, dim, nil), make([]int, n)
	for i := range n {
		y[i] = i % classes
		for j := range dim {
			x.Set(i, j, 0.5*float64((y[i]*(j+1))%classes)+0.5*rng.NormFloat64())
		}
	}
	return x, y
}

// forestOf trains trees of a depth on blobs.
func forestOf(t testing.TB, trees, depth, classes int) (*classifier.Ensemble, *mat.Dense) {
	t.Helper()
	x, y := blobs(300, 4, classes)
	e, err := classifier.TrainForest(t.Context(), x, y, classifier.ForestOptions{
		Trees: trees, TreeOptions: classifier.TreeOptions{MaxDepth: depth},
	})
	if err != nil {
		t.Fatal(err)
	}
	return e, x
}

func TestForests(t *testing.T) {
	for _, classes := range []int{2, 3} {
		soft, x := forestOf(t, 10, 4, classes)
		var trees []*classifier.Tree
		for i := range soft.Len() {
			trees = append(trees, soft.Tree(i))
		}
		hard, err := classifier.NewEnsemble(trees, classifier.EnsembleOptions{
			Vote: classifier.HardVote,
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, norm := range norms {
			for i := range racetest.Scale(20) {
				for _, e := range []*classifier.Ensemble{soft, hard} {
					in := subject{Attack{Ensemble: e, Norm: norm}, mat.Row(nil, i, x)}
					r, err := in.attack.Perturb(t.Context(), in.x)
					if err != nil {
						t.Fatal(err)
					}
					compare(t, in, r, in.truth(t))
				}
			}
		}
	}
}

// stump is a tree that gives label 1 to inputs beyond a threshold.
func stump(t *testing.T, dim int, threshold float64, values [2][]float64) *classifier.Tree {
	t.Helper()
	tree, err := classifier.NewTree(dim, classifier.AtMostFloat64, []classifier.TreeNode{
		{Feature: 0, Threshold: threshold, Left: 1, Right: 2, Value: values[0]},
		{Left: -1, Right: -1, Value: values[0]},
		{Left: -1, Right: -1, Value: values[1]},
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// ensemble is the sum of stumps.
func ensemble(t *testing.T, trees ...*classifier.Tree) *classifier.Ensemble {
	t.Helper()
	e, err := classifier.NewEnsemble(trees, classifier.EnsembleOptions{Vote: classifier.SumVote})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// twoLabels flips from 0 to 1 beyond 1; label 2 is never predicted.
func twoLabels(t *testing.T) *classifier.Ensemble {
	t.Helper()
	return ensemble(t, stump(t, 2, 1, [2][]float64{{1, 0, 0}, {0, 1, 0}}))
}

func TestUnreachable(t *testing.T) {
	e := twoLabels(t)
	tests := []struct {
		name   string
		attack Attack
	}{
		{"target", Attack{Ensemble: e, Target: new(2)}},
		{"domain", Attack{Ensemble: e, Domain: polytope.Cube(2, -1, 1)}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			in := subject{test.attack, []float64{0, 0}}
			r, err := in.attack.Perturb(t.Context(), in.x)
			if err != nil || r.Example != nil || r.Label != -1 || !r.Optimal() ||
				!math.IsInf(r.Bound, 1) || !math.IsInf(r.Distance, 1) {
				t.Errorf("%+v, error %v, want a proof that there is none", r, err)
			}
			if want := in.truth(t); want.Optimal() != r.Optimal() || want.Bound != r.Bound {
				t.Errorf("RegionBased says %+v", want)
			}
		})
	}
}

// TestTies: the label that a tie goes to needs no lead, the other one does.
func TestTies(t *testing.T) {
	half := [2][]float64{{1, 0}, {0.5, 0.5}}
	whole := [2][]float64{{1, 0}, {0, 1}}
	third := [2][]float64{{1. / 3, 0}, {0, 1. / 3}}
	tests := []struct {
		name  string
		trees []*classifier.Tree
		x     float64
		want  float64
	}{
		{"a tie is no answer", []*classifier.Tree{stump(t, 1, 1, half), stump(t, 1, 3, whole)}, 0,
			3},
		{"a tie is an answer", []*classifier.Tree{stump(t, 1, 1, whole), stump(t, 1, 3, whole)}, 4,
			1},
		{
			"thirds", []*classifier.Tree{stump(t, 1, 1, third), stump(t, 1, 2, third),
				stump(t, 1, 3, third), stump(t, 1, 4, third)}, 0, 3,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			in := subject{Attack{Ensemble: ensemble(t, test.trees...)}, []float64{test.x}}
			r, err := in.attack.Perturb(t.Context(), in.x)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(r.Distance-test.want) > 1e-9 {
				t.Errorf("distance %v, want %v", r.Distance, test.want)
			}
			compare(t, in, r, in.truth(t))
		})
	}
}

func TestErrors(t *testing.T) {
	e := twoLabels(t)
	far := ensemble(t, stump(t, 2, math.MaxFloat64/2, [2][]float64{{1, 0}, {0, 1}}))
	tests := []struct {
		name   string
		attack Attack
		x      []float64
		want   error
	}{
		{"no ensemble", Attack{}, []float64{0, 0}, attack.ErrClassifier},
		{"unknown norm", Attack{Ensemble: e, Norm: 7}, []float64{0, 0}, polytope.ErrNorm},
		{"ℓ2", Attack{Ensemble: e, Norm: polytope.L2}, []float64{0, 0}, errors.ErrUnsupported},
		{"timeout", Attack{Ensemble: e, Timeout: -1}, []float64{0, 0}, classifier.ErrOption},
		{"nodes", Attack{Ensemble: e, MaxNodes: -1}, []float64{0, 0}, classifier.ErrOption},
		{"dimension", Attack{Ensemble: e}, []float64{0}, polytope.ErrDimension},
		{"NaN", Attack{Ensemble: e}, []float64{0, math.NaN()}, polytope.ErrNotFinite},
		{"target label", Attack{Ensemble: e, Target: new(3)}, []float64{0, 0},
			classifier.ErrOption},
		{"negative target", Attack{Ensemble: e, Target: new(-1)}, []float64{0, 0},
			classifier.ErrOption},
		{"target is there", Attack{Ensemble: e, Target: new(0)}, []float64{0, 0}, attack.ErrTarget},
		{"domain dimension", Attack{Ensemble: e, Domain: polytope.Cube(3, 0, 1)}, []float64{0, 0},
			polytope.ErrDimension},
		{"domain NaN", Attack{Ensemble: e, Domain: polytope.Cube(2, 0, math.NaN())},
			[]float64{0, 0}, polytope.ErrNotFinite},
		{"empty domain", Attack{Ensemble: e, Domain: polytope.Cube(2, 1, 0)}, []float64{0, 0},
			classifier.ErrOption},
		{"distances overflow", Attack{Ensemble: far}, []float64{-math.MaxFloat64, 0},
			polytope.ErrNumerical},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r, err := test.attack.Perturb(t.Context(), test.x)
			if !errors.Is(err, test.want) {
				t.Errorf("error %v, want %v", err, test.want)
			}
			if r.Example != nil || r.Label != -1 || r.Bound != 0 || r.Optimal() ||
				!math.IsInf(r.Distance, 1) {
				t.Errorf("with the error came %+v", r)
			}
		})
	}
}

// TestLimits: the bounds of a search that ends early hold.
func TestLimits(t *testing.T) {
	e, x := forestOf(t, 10, 4, 2)
	q := mat.Row(nil, 1, x)
	for _, norm := range norms {
		in := subject{Attack{Ensemble: e, Norm: norm}, q}
		want := in.truth(t)
		stopped, found := false, false
		for nodes := 1; !found; nodes++ {
			in.attack.MaxNodes = nodes
			r, err := in.attack.Perturb(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			if r.Nodes > nodes || r.Bound > want.Distance || r.Distance < want.Bound {
				t.Fatalf("%d nodes, norm %v: %+v, want %+v", nodes, norm, r, want)
			}
			stopped, found = stopped || !r.Optimal(), r.Optimal()
		}
		if !stopped {
			t.Errorf("norm %v: one node was enough", norm)
		}
	}
}

func TestContext(t *testing.T) {
	a := Attack{Ensemble: twoLabels(t)}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if r, err := a.Perturb(cancelled, []float64{0, 0}); !errors.Is(err, context.Canceled) ||
		r.Bound != 0 || r.Optimal() {
		t.Errorf("cancelled: %+v, error %v", r, err)
	}
	late, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	if r, err := a.Perturb(late, []float64{0, 0}); err != nil || r.Example != nil || r.Optimal() ||
		r.Bound != 0 {
		t.Errorf("after the deadline: %+v, error %v", r, err)
	}
	a.Timeout = time.Nanosecond
	if r, err := a.Perturb(t.Context(), []float64{0, 0}); err != nil || r.Optimal() {
		t.Errorf("after the timeout: %+v, error %v", r, err)
	}
}

// TestConcurrent attacks the same ensemble from several goroutines.
func TestConcurrent(t *testing.T) {
	e, x := forestOf(t, 5, 3, 3)
	a := Attack{Ensemble: e}
	want := make([]attack.Result, 4)
	for i := range want {
		r, err := a.Perturb(t.Context(), mat.Row(nil, i, x))
		if err != nil {
			t.Fatal(err)
		}
		want[i] = r
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for i, w := range want {
				r, err := a.Perturb(t.Context(), mat.Row(nil, i, x))
				if err != nil || r.Distance != w.Distance || r.Bound != w.Bound ||
					!slices.Equal(r.Example, w.Example) {
					t.Errorf("point %d: %+v, error %v, want %+v", i, r, err, w)
				}
			}
		})
	}
	group.Wait()
}
