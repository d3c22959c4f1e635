package baseline_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/baseline"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// baselines are the attacks on a classifier that keeps its rows, and Papernot's if it
// is a tree, in some norm.
func baselines(c classifier.Classifier, norm polytope.Norm, target *int) map[string]attack.Attack {
	const step, limit = .1, 3
	all := map[string]attack.Attack{
		"black box": &baseline.BlackBox{Classifier: c, Norm: norm, Target: target},
	}
	if tree, ok := c.(*classifier.Tree); ok {
		all["papernot"] = &baseline.Papernot{Classifier: tree, Norm: norm, Target: target}
		return all
	}
	all["direct"] = &baseline.Direct{Classifier: c, Norm: norm, Target: target, Step: step,
		Limit: limit}
	all["direct to 2"] = &baseline.Direct{
		Classifier: c,
		Norm:       norm,
		Target:     target,
		Step:       step,
		Limit:      limit,
		K:          2,
	}
	if norm != polytope.L1 {
		all["kernel"] = &baseline.Kernel{
			Classifier: c,
			Norm:       norm,
			Target:     target,
			Step:       step,
			Limit:      limit,
			Width:      1,
		}
	}
	return all
}

// checkBaselines holds the results of all baselines at x to their promises, given an exact attack.
func checkBaselines(
	t *testing.T, c classifier.Classifier, norm polytope.Norm, target *int, x []float64,
) (found int) {
	t.Helper()
	exact, err := (&attack.RegionBased{
		Classifier: c,
		Options:    attack.Options{Norm: norm, Target: target, Workers: 1},
	}).Perturb(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	for name, a := range baselines(c, norm, target) {
		r, err := a.Perturb(t.Context(), x)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if again, err := a.Perturb(t.Context(), x); err != nil || !reflect.DeepEqual(r, again) {
			t.Errorf("%s: %+v, the second time %+v, %v", name, r, again, err)
		}
		if r.Example == nil {
			if !instance.IsNothing(r) {
				t.Errorf("%s: %+v without an example", name, r)
			}
			continue
		}
		found++
		if err := checkBaseline(c, norm, target, x, r, exact.Bound); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	return found
}

func checkBaseline(
	c classifier.Classifier, norm polytope.Norm, target *int, x []float64, r attack.Result,
	radius float64,
) error {
	label := c.Predict(r.Example)
	switch {
	case label != r.Label || label == c.Predict(x) || (target != nil && label != *target):
		return fmt.Errorf("%+v, but the example has label %d, x %d", r, label, c.Predict(x))
	case r.Distance != norm.Distance(x, r.Example):
		return fmt.Errorf("%+v, but the example is at %v", r, norm.Distance(x, r.Example))
	case r.Distance < radius-1e-9:
		return fmt.Errorf("%+v below the radius %v", r, radius)
	case r.Bound != 0 || r.Optimal():
		return fmt.Errorf("%+v claims a proof", r)
	}
	return nil
}

func TestBaselinesOnNeighbors(t *testing.T) {
	found := 0
	for number := range uint64(racetest.Scale(600)) {
		rng := rand.New(rand.NewPCG(number, 900))
		in := instance.DrawNeighbors(rng)
		c := in.KNN(t, 1)
		if _, ok := in.Goal(c); !ok {
			continue
		}
		found += checkBaselines(t, c, instance.Norms()[number%3], in.Target, in.Query)
		if t.Failed() {
			t.Fatalf("instance %d", number)
		}
	}
	if least := racetest.Scale(1200); found < least {
		t.Errorf("%d examples, want at least %d", found, least)
	}
}

func TestBaselinesOnTrees(t *testing.T) {
	found := 0
	for number := range uint64(racetest.Scale(600)) {
		in := instance.DrawTree(t, rand.New(rand.NewPCG(number, 901)))
		if in.Target != nil &&
			(*in.Target == in.Tree.Predict(in.Query) || *in.Target >= in.Tree.Classes()) {
			continue
		}
		found += checkBaselines(t, in.Tree, instance.Norms()[number%3], in.Target, in.Query)
		if t.Failed() {
			t.Fatalf("instance %d", number)
		}
	}
	if least := racetest.Scale(300); found < least {
		t.Errorf("%d examples, want at least %d", found, least)
	}
}

// TestBaselinesSideBySide uses one attack from many goroutines, in any order.
func TestBaselinesSideBySide(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 902))
	x, y := dataset.Clusters(rng, 60, 2)
	knn := oneNN(t, x, y)
	for name, a := range baselines(knn, polytope.LInf, nil) {
		want := make([]attack.Result, 20)
		for i := range want {
			want[i], _ = a.Perturb(t.Context(), x.RawRowView(i))
		}
		fresh := baselines(knn, polytope.LInf, nil)[name]
		var group sync.WaitGroup
		for i := len(want) - 1; i >= 0; i-- {
			group.Go(func() {
				if r, err := fresh.Perturb(t.Context(), x.RawRowView(i)); err != nil ||
					!reflect.DeepEqual(r, want[i]) {
					t.Errorf("%s, point %d: %+v, %v, alone %+v", name, i, r, err, want[i])
				}
			})
		}
		group.Wait()
	}
}

func TestBaselineErrors(t *testing.T) {
	knn := instance.Line(t, 0, 1)
	leaf, err := classifier.NewTree(1, classifier.AtMostFloat64,
		[]classifier.TreeNode{{Left: -1, Right: -1, Value: []float64{1, 0}}})
	if err != nil {
		t.Fatal(err)
	}
	x, nan := []float64{0}, math.NaN()
	points := func(v ...float64) mat.Matrix { return mat.NewDense(1, len(v), v) }
	tests := []struct {
		name string
		a    attack.Attack
		x    []float64
		want error
	}{
		{"direct, no classifier", &baseline.Direct{}, x, attack.ErrClassifier},
		{"direct, nil classifier", &baseline.Direct{Classifier: (*classifier.KNN)(nil)}, x,
			attack.ErrClassifier},
		{"direct, norm 3", &baseline.Direct{Classifier: knn, Norm: 3}, x, polytope.ErrNorm},
		{"direct, target 2 of 2", &baseline.Direct{Classifier: knn, Target: new(2)}, x,
			classifier.ErrOption},
		{"direct, target reached", &baseline.Direct{Classifier: knn, Target: new(0)}, x,
			attack.ErrTarget},
		{"direct, x too long", &baseline.Direct{Classifier: knn}, []float64{0, 0},
			polytope.ErrDimension},
		{"direct, x NaN", &baseline.Direct{Classifier: knn}, []float64{nan}, polytope.ErrNotFinite},
		{"direct, K -1", &baseline.Direct{Classifier: knn, K: -1}, x, classifier.ErrOption},
		{"direct, step -1", &baseline.Direct{Classifier: knn, Step: -1},
			x, classifier.ErrOption},
		{"direct, step Inf",
			&baseline.Direct{Classifier: knn, Step: math.Inf(1)}, x,
			classifier.ErrOption},
		{"direct, tiny step",
			&baseline.Direct{Classifier: knn, Step: 1e-300}, x,
			classifier.ErrOption},
		{"direct, limit NaN",
			&baseline.Direct{Classifier: knn, Limit: nan}, x,
			classifier.ErrOption},
		{"direct, no points", &baseline.Direct{Classifier: instance.Opaque{Classifier: knn}}, x,
			classifier.ErrEmpty},
		{"direct, empty points", &baseline.Direct{Classifier: knn, Points: &mat.Dense{}}, x,
			classifier.ErrEmpty},
		{"direct, nil points", &baseline.Direct{Classifier: knn, Points: (*mat.Dense)(nil)}, x,
			classifier.ErrEmpty},
		{"direct, NaN points", &baseline.Direct{Classifier: knn, Points: points(nan)}, x,
			classifier.ErrEmpty},
		{"direct, long points", &baseline.Direct{Classifier: knn, Points: points(1, 2)}, x,
			polytope.ErrDimension},
		{"direct, labels alone", &baseline.Direct{Classifier: knn, Labels: []int{0, 1}}, x,
			classifier.ErrEmpty},
		{"direct, labels too many",
			&baseline.Direct{Classifier: knn, Points: points(1), Labels: []int{0, 1}}, x,
			classifier.ErrEmpty},
		{"direct, label 2 of 2",
			&baseline.Direct{Classifier: knn, Points: points(1), Labels: []int{2}}, x,
			classifier.ErrEmpty},
		{"direct, label -1",
			&baseline.Direct{Classifier: knn, Points: points(1), Labels: []int{-1}}, x,
			classifier.ErrEmpty},
		{"kernel, no classifier", &baseline.Kernel{}, x, attack.ErrClassifier},
		{"kernel, norm 1", &baseline.Kernel{Classifier: knn, Norm: polytope.L1}, x,
			classifier.ErrOption},
		{"kernel, norm -1", &baseline.Kernel{Classifier: knn, Norm: -1}, x, polytope.ErrNorm},
		{"kernel, target reached", &baseline.Kernel{Classifier: knn, Target: new(0)}, x,
			attack.ErrTarget},
		{"kernel, width -1", &baseline.Kernel{Classifier: knn, Width: -1}, x, classifier.ErrOption},
		{"kernel, width NaN", &baseline.Kernel{Classifier: knn, Width: nan}, x,
			classifier.ErrOption},
		{"kernel, rate Inf", &baseline.Kernel{Classifier: knn, Rate: math.Inf(1)}, x,
			classifier.ErrOption},
		{"kernel, iterations -1", &baseline.Kernel{Classifier: knn, Iterations: -1}, x,
			classifier.ErrOption},
		{"kernel, step -1", &baseline.Kernel{Classifier: knn, Step: -1},
			x, classifier.ErrOption},
		{"kernel, no points", &baseline.Kernel{Classifier: instance.Opaque{Classifier: knn}}, x,
			classifier.ErrEmpty},
		{"kernel, x nil", &baseline.Kernel{Classifier: knn}, nil, polytope.ErrDimension},
		{"black box, no classifier", &baseline.BlackBox{}, x, attack.ErrClassifier},
		{"black box, norm 3", &baseline.BlackBox{Classifier: knn, Norm: 3}, x, polytope.ErrNorm},
		{"black box, target -1", &baseline.BlackBox{Classifier: knn, Target: new(-1)}, x,
			classifier.ErrOption},
		{"black box, target reached", &baseline.BlackBox{Classifier: knn, Target: new(0)}, x,
			attack.ErrTarget},
		{"black box, starts -1", &baseline.BlackBox{Classifier: knn, Starts: -1}, x,
			classifier.ErrOption},
		{"black box, queries -1", &baseline.BlackBox{Classifier: knn, MaxQueries: -1}, x,
			classifier.ErrOption},
		{"black box, scale NaN", &baseline.BlackBox{Classifier: knn, Scale: nan}, x,
			classifier.ErrOption},
		{"black box, scale Inf", &baseline.BlackBox{Classifier: knn, Scale: math.Inf(1)}, x,
			classifier.ErrOption},
		{"black box, x Inf", &baseline.BlackBox{Classifier: knn}, []float64{math.Inf(1)},
			polytope.ErrNotFinite},
		{"papernot, no tree", &baseline.Papernot{}, x, attack.ErrClassifier},
		{"papernot, norm 3", &baseline.Papernot{Classifier: leaf, Norm: 3}, x, polytope.ErrNorm},
		{"papernot, target reached", &baseline.Papernot{Classifier: leaf, Target: new(0)}, x,
			attack.ErrTarget},
		{"papernot, margin -1", &baseline.Papernot{Classifier: leaf, Margin: -1}, x,
			classifier.ErrOption},
		{"papernot, margin NaN", &baseline.Papernot{Classifier: leaf, Margin: nan}, x,
			classifier.ErrOption},
		{"papernot, x too long", &baseline.Papernot{Classifier: leaf}, []float64{0, 0},
			polytope.ErrDimension},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			instance.CheckRefused(t, test.a, test.x, test.want)
		})
	}
}

// TestBaselinesWithoutExamples: where no other label exists no example is found, and no bound
// proven.
func TestBaselinesWithoutExamples(t *testing.T) {
	leaf, err := classifier.NewTree(1, classifier.AtMostFloat64,
		[]classifier.TreeNode{{Left: -1, Right: -1, Value: []float64{1, 0}}})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name   string
		c      classifier.Classifier
		target *int
	}{
		{"one class", instance.Line(t, 0, 0, 0), nil},
		{"a target without rows", instance.Line(t, 0, 2), new(1)},
		{"one leaf", leaf, nil},
	}
	for _, test := range tests {
		for name, a := range baselines(test.c, polytope.LInf, test.target) {
			if r, err := a.Perturb(t.Context(), []float64{0.2}); err != nil ||
				!instance.IsNothing(r) {
				t.Errorf("%s, %s: %+v, %v", test.name, name, r, err)
			}
		}
	}
}

// TestBaselinesFarOut: coordinates whose squares, sums and differences overflow.
func TestBaselinesFarOut(t *testing.T) {
	in := instance.Neighbors{
		X:     [][]float64{{-1.5e308}, {1.5e308}, {1.6e308}},
		Y:     []int{0, 1, 1},
		Query: []float64{-1.7e308},
	}
	knn := in.KNN(t, 1)
	for name, a := range baselines(knn, polytope.LInf, nil) {
		if r, err := a.Perturb(t.Context(), in.Query); err != nil ||
			(!instance.IsNothing(r) && knn.Predict(r.Example) == knn.Predict(in.Query)) {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}

// picky gives no label to inputs that it cannot place.
type picky struct{ faults []float64 }

func (*picky) Dim() int     { return 1 }
func (*picky) Classes() int { return 2 }
func (p *picky) Predict(x []float64) int {
	if math.IsNaN(x[0]) || math.IsInf(x[0], 0) {
		p.faults = append(p.faults, x[0])
	}
	if x[0] < -1 {
		return -1
	}
	return 2 * int(max(0, min(1, x[0]))) // 0, and 2 of two classes
}

// TestBaselinesWithoutLabels: an input without a label of a class is no example, and points alone
// are predicted.
func TestBaselinesWithoutLabels(t *testing.T) {
	for name, a := range map[string]func(*picky) attack.Attack{
		"black box": func(c *picky) attack.Attack {
			return &baseline.BlackBox{Classifier: c, Scale: 5}
		},
		"black box, far": func(c *picky) attack.Attack {
			return &baseline.BlackBox{Classifier: c, Scale: 1e308}
		},
		"direct": func(c *picky) attack.Attack {
			return &baseline.Direct{
				Classifier: c,
				Points:     mat.NewDense(2, 1, []float64{0, 5}),
				Labels:     []int{0, 1},
				Step:       1, Limit: 9,
			}
		},
		"kernel": func(c *picky) attack.Attack {
			return &baseline.Kernel{
				Classifier: c,
				Points:     mat.NewDense(2, 1, []float64{.5, -5}),
				Labels:     []int{0, 1},
				Step:       1, Limit: 9,
				Rate: 1,
			}
		},
	} {
		c := &picky{}
		if r, err := a(c).Perturb(t.Context(), []float64{.25}); err != nil ||
			!instance.IsNothing(r) || c.faults != nil {
			t.Errorf("%s: %+v, %v, asked about %v", name, r, err, c.faults)
		}
	}
}

func TestBaselinesAndContexts(t *testing.T) {
	stump, err := classifier.NewTree(1, classifier.AtMostFloat64, []classifier.TreeNode{
		{Threshold: .5, Left: 1, Right: 2, Value: []float64{1, 1}},
		{Left: -1, Right: -1, Value: []float64{1, 0}},
		{Left: -1, Right: -1, Value: []float64{0, 1}},
	})
	if err != nil {
		t.Fatal(err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	late, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	for _, c := range []classifier.Classifier{instance.Line(t, 0, 1), stump} {
		for name, a := range baselines(c, polytope.LInf, nil) {
			if _, err := a.Perturb(stopped, []float64{0}); !errors.Is(err, context.Canceled) {
				t.Errorf("%s, cancelled: %v", name, err)
			}
			if _, err := a.Perturb(late, []float64{0}); err != nil {
				t.Errorf("%s, too late: %v", name, err)
			}
			if name == "papernot as printed" {
				continue // it never moves the only feature
			}
			if r, err := a.Perturb(t.Context(), []float64{0}); err != nil || r.Label != 1 {
				t.Errorf("%s, in time: %+v, %v", name, r, err)
			}
		}
	}
}

// TestBaselinesInOtherUnits scales the data by a power of two, and all lengths with
// them: every result scales exactly.
func TestBaselinesInOtherUnits(t *testing.T) {
	const unit = 1 << 10
	rng := rand.New(rand.NewPCG(5, 903))
	x, y := dataset.Clusters(rng, 60, 3)
	big := mat.DenseCopyOf(x)
	big.Scale(unit, big)
	small, large := oneNN(t, x, y), oneNN(t, big, y)
	step, limit := 0.01*unit, 0.8*unit
	pairs := map[string][2]attack.Attack{
		"direct": {&baseline.Direct{Classifier: small}, &baseline.Direct{
			Classifier: large,
			Step:       step,
			Limit:      limit,
		}},
		"kernel": {&baseline.Kernel{Classifier: small}, &baseline.Kernel{
			Classifier: large, Step: step, Limit: limit, Width: 0.1 * unit * unit, Rate: 0.1 * unit,
		}},
		"black box": {&baseline.BlackBox{Classifier: small}, &baseline.BlackBox{
			Classifier: large,
			Scale:      unit,
		}},
	}
	for name, pair := range pairs {
		for i := range 20 {
			r, err := pair[0].Perturb(t.Context(), x.RawRowView(i))
			if err != nil {
				t.Fatal(err)
			}
			s, err := pair[1].Perturb(t.Context(), big.RawRowView(i))
			if err != nil || s.Distance != unit*r.Distance || s.Label != r.Label {
				t.Errorf("%s, point %d: %+v, %v, want %v times %+v", name, i, s, err, unit, r)
			}
		}
	}
}
