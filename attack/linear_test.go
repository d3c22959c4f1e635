package attack_test

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestLinearOfTrees compares trees and ensembles under linear rules with exact arithmetic over all
// cells.
func TestLinearOfTrees(t *testing.T) {
	t.Parallel()
	for _, norm := range instance.Norms() {
		t.Run("norm="+norm.String(), func(t *testing.T) {
			t.Parallel()
			open := 0
			count := instance.Count(100, 3000)
			for i := range uint64(count) {
				rng := rand.New(rand.NewPCG(i, uint64(100+norm)))
				left, err := linearOfTrees(t, rng, norm)
				if err != nil {
					t.Fatalf("instance %d: %v", i, err)
				}
				open += left
			}
			if open > count/4 {
				t.Errorf("%d of %d were left open", open, count)
			}
		})
	}
}

// linearOfTrees returns 1 if the nearest input is not known, in float64, and need not be.
func linearOfTrees(t *testing.T, rng *rand.Rand, norm polytope.Norm) (open int, err error) {
	c, trees, x, target, box := drawTied(t, rng)
	features := instance.DrawRealRules(rng, "all", norm, len(x))
	if norm == polytope.L2 && rng.IntN(3) == 0 {
		features[0].Up, features[0].Down = 1, 3
	}
	steps := drawSteps(rng, features, &box)
	linear, thin := instance.DrawLinear(rng, len(x))
	from := c.Predict(x)
	reaches := func(label int) bool { return label != from && (target == nil || label == *target) }
	if target != nil && *target == from {
		return 0, nil
	}
	q := instance.Priced(norm, x, features, box)
	q.Linear = instance.Halves(linear)
	truth := instance.Cost(norm, instance.NearestLinear(q, features, trees,
		func(z []float64) bool { return reaches(c.Predict(z)) }))
	a := &attack.RegionBased{Classifier: c, Options: attack.Options{
		Norm: norm, Target: target, Domain: box, Features: features, Linear: linear,
		Workers: 1 + rng.IntN(2),
	}}
	r, err := a.Perturb(t.Context(), x)
	if err == nil {
		open, err = instance.CheckLinear(t, c, q, linear, thin || steps, r, truth)
	}
	if err != nil {
		return 0, fmt.Errorf("%w\n%T, x %v, domain %v\nfeatures %+v\nlinear %+v\n%+v, truth %v",
			err, c, x, box, features, linear, r, truth)
	}
	if rng.IntN(4) == 0 && r.Optimal() && r.Distance > 0 {
		decided(t, a.Options, c, x, r)
	}
	return open, nil
}

func drawTied(t *testing.T, rng *rand.Rand) (
	c classifier.Classifier, trees []*classifier.Tree, x []float64, target *int, box polytope.Box,
) {
	if rng.IntN(4) == 0 {
		in := instance.DrawTree(t, rng)
		return in.Tree, []*classifier.Tree{in.Tree}, in.Query, in.Target, closedBox(in.Box)
	}
	in := instance.DrawEnsemble(t, rng)
	for i := range in.Ensemble.Len() {
		trees = append(trees, in.Ensemble.Tree(i))
	}
	return in.Ensemble, trees, in.Query, in.Target, in.Box
}

// closedBox closes a box, as the oracle's are.
func closedBox(box polytope.Box) polytope.Box {
	for j := range box {
		box[j].LoOpen, box[j].HiOpen = false, false
	}
	return box
}

// TestLinearOfNeighbors compares k-NN under linear rules with exact arithmetic over all cells, by
// its own search and as a list of cells.
func TestLinearOfNeighbors(t *testing.T) {
	t.Parallel()
	for _, norm := range instance.Norms() {
		t.Run("norm="+norm.String(), func(t *testing.T) {
			t.Parallel()
			open, count := 0, instance.Count(80, 20000)
			for i := range uint64(count) {
				rng := rand.New(rand.NewPCG(i, uint64(200+norm)))
				left, err := linearOfNeighbors(t, rng, norm, 1+2*int(i%2))
				if err != nil {
					t.Fatalf("instance %d: %v", i, err)
				}
				open += left
			}
			if open > count/4 {
				t.Errorf("%d of %d were left open", open, count)
			}
		})
	}
}

func linearOfNeighbors(
	t *testing.T, rng *rand.Rand, norm polytope.Norm, k int,
) (open int, err error) {
	in := instance.DrawNeighbors(rng)
	for len(in.X) < k || len(in.X) > 9-k { // the oracle takes long
		in = instance.DrawNeighbors(rng)
	}
	c := in.KNN(t, k)
	goal, ok := in.Goal(c)
	if !ok {
		return 0, nil
	}
	features := instance.DrawRealRules(rng, "all", norm, len(in.Query))
	linear, thin := instance.DrawLinear(rng, len(in.Query))
	q := instance.Priced(norm, in.Query, features, in.Box)
	q.Linear = instance.Halves(linear)
	a := &attack.RegionBased{Classifier: c, Options: attack.Options{
		Norm: norm, Target: in.Target, Domain: in.Box, Features: features, Linear: linear,
		Workers: 1 + rng.IntN(2),
	}}
	if rng.IntN(5) == 0 {
		a.Classifier = instance.Listed{Decomposable: c}
	}
	truth := instance.Cost(norm, q.KNN(in.X, in.Y, k, goal))
	r, err := a.Perturb(t.Context(), in.Query)
	if err == nil {
		open, err = instance.CheckLinear(t, c, q, linear, thin, r, truth)
	}
	if err != nil {
		return 0, fmt.Errorf("%w\n%T, k %d, %+v\nfeatures %+v\nlinear %+v\n%+v, truth %v",
			err, a.Classifier, k, in, features, linear, r, truth)
	}
	if rng.IntN(4) == 0 && r.Optimal() && r.Distance > 0 {
		decided(t, a.Options, a.Classifier, in.Query, r)
	}
	return open, nil
}

// drawSteps makes some features grids, in a domain that holds few steps.
func drawSteps(rng *rand.Rand, features []attack.Feature, box *polytope.Box) bool {
	if rng.IntN(3) > 0 {
		return false
	}
	for j := range features {
		if j < 2 && !features[j].Frozen {
			features[j].Step = []float64{0.25, 0.5, 0.1}[rng.IntN(3)]
		}
	}
	if *box == nil {
		*box = polytope.Cube(len(features), -0.75, 0.75)
	}
	for j := range *box {
		(*box)[j].Lo, (*box)[j].Hi = max((*box)[j].Lo, -0.75), min((*box)[j].Hi, 0.75)
		if (*box)[j].Lo > (*box)[j].Hi {
			(*box)[j] = polytope.Interval{Lo: -0.75, Hi: 0.75}
		}
	}
	return true
}

// TestLinearAsDomain: a rule about one feature means the same as a face of the domain.
func TestLinearAsDomain(t *testing.T) {
	t.Parallel()
	for number := range uint64(instance.Count(300, 5000)) {
		rng := rand.New(rand.NewPCG(number, 41))
		var c classifier.Classifier
		var x []float64
		if number%2 == 0 {
			c, _, x, _, _ = drawTied(t, rng)
		} else {
			in := instance.DrawNeighbors(rng)
			c, x = in.KNN(t, 1), in.Query
		}
		o := attack.Options{Norm: instance.Norms()[number%3]}
		side, linear := o, o
		side.Domain = polytope.NewBox(len(x))
		for range 2 {
			j, end := rng.IntN(len(x)), rng.NormFloat64()
			h := polytope.HalfSpace{A: make([]float64, len(x))}
			if rng.IntN(2) == 0 {
				side.Domain[j].Hi = min(side.Domain[j].Hi, end)
				h.A[j], h.B = 2, 2*end
			} else {
				side.Domain[j].Lo = max(side.Domain[j].Lo, end)
				h.A[j], h.B = -4, -4*end
			}
			linear.Linear = append(linear.Linear, h)
		}
		if geometry.EmptyBox(side.Domain) {
			continue
		}
		want, err := (&attack.RegionBased{Classifier: c, Options: side}).Perturb(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		got, err := (&attack.RegionBased{Classifier: c, Options: linear}).Perturb(t.Context(), x)
		if err != nil || got.Optimal() != want.Optimal() ||
			math.Abs(got.Distance-want.Distance) > 1e-9*max(1, want.Distance) {
			t.Fatalf("instance %d, %T, x %v: %+v, %v\nby the domain %v: %+v",
				number, c, x, got, err, side.Domain, want)
		}
	}
}

// TestSlackLinear: a rule that holds far and wide changes no answer.
func TestSlackLinear(t *testing.T) {
	t.Parallel()
	for number := range uint64(instance.Count(300, 5000)) {
		rng := rand.New(rand.NewPCG(number, 42))
		c, _, x, target, box := drawTied(t, rng)
		if target != nil && *target == c.Predict(x) {
			continue
		}
		norm := instance.Norms()[number%3]
		o := attack.Options{
			Norm: norm, Target: target, Domain: box,
			Features: instance.DrawRealRules(rng, "all", norm, len(x)),
		}
		o.Features[0].Up = 0.7 // no distance
		want, err := (&attack.RegionBased{Classifier: c, Options: o}).Perturb(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		h := polytope.HalfSpace{A: make([]float64, len(x)), B: 1e9}
		for j := range h.A {
			h.A[j] = rng.NormFloat64()
		}
		o.Linear = []polytope.HalfSpace{h}
		got, err := (&attack.RegionBased{Classifier: c, Options: o}).Perturb(t.Context(), x)
		if err != nil || got.Optimal() != want.Optimal() || got.Distance != want.Distance ||
			got.Bound < want.Bound*(1-1e-12) && !math.IsInf(want.Bound, 1) {
			t.Fatalf("instance %d, x %v: %+v, %v\nwithout: %+v", number, x, got, err, want)
		}
	}
}

// TestLinearRefused: each refusal names its subject.
func TestLinearRefused(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	tree := instance.DrawTree(t, rng).Tree
	for tree.Dim() != 2 {
		tree = instance.DrawTree(t, rng).Tree
	}
	x, linear := []float64{0, 0}, []polytope.HalfSpace{{A: []float64{1, -1}, B: 2}}
	features := func(f attack.Feature) attack.Options {
		return attack.Options{Linear: linear, Features: []attack.Feature{{}, f}}
	}
	rows := instance.Neighbors{X: [][]float64{{0, 0}, {3, 0}, {0, 3}}, Y: []int{0, 1, 1}}
	weighted, err := classifier.TrainWeightedKNN(t.Context(),
		instance.Dense(rows.X), rows.Y, classifier.KNNOptions{K: 2},
	)
	if err != nil {
		t.Fatal(err)
	}
	knn := rows.KNN(t, 1)
	for _, test := range []struct {
		c    classifier.Classifier
		opts attack.Options
		x    []float64
		kind error
		says string
	}{
		{tree, features(attack.Feature{Categorical: true}), x, errors.ErrUnsupported,
			"feature 1 is a category, and linear rule 0 speaks of it"},
		{tree, features(attack.Feature{Missing: attack.MayMiss}), x, errors.ErrUnsupported,
			"feature 1 is missing, or may be"},
		{tree, attack.Options{Linear: linear}, []float64{0, math.NaN()}, errors.ErrUnsupported,
			"feature 1 is missing, or may be"},
		{tree, attack.Options{
			Linear: linear, Features: []attack.Feature{{Group: 1}, {Group: 1}},
		}, []float64{1, 0}, errors.ErrUnsupported, "feature 0 is a member of one-hot group 1"},
		{tree, attack.Options{Linear: linear, Changes: true}, x, errors.ErrUnsupported,
			"linear rules with counts of changes"},
		{weighted, attack.Options{Linear: linear}, x, errors.ErrUnsupported, "no linear rules"},
		{knn, attack.Options{Linear: linear, Mode: attack.Approx}, x, classifier.ErrOption,
			"mode approx"},
		{knn, attack.Options{Linear: []polytope.HalfSpace{{A: []float64{1}, B: 2}}}, x,
			classifier.ErrOption, "half-space 0"},
		{knn, attack.Options{Linear: []polytope.HalfSpace{{A: []float64{0, 0}, B: 2}}}, x,
			classifier.ErrOption, "linear rule 0 ties no features together"},
		{knn, attack.Options{Linear: []polytope.HalfSpace{
			{A: []float64{1, 0}, B: math.Inf(1)},
		}}, x, classifier.ErrOption, "linear rule 0"},
	} {
		a := &attack.RegionBased{Classifier: test.c, Options: test.opts}
		if _, err := a.Perturb(t.Context(), test.x); !errors.Is(err, test.kind) ||
			!strings.Contains(err.Error(), test.says) {
			t.Errorf("%T, %+v: %v, want %q", test.c, test.opts, err, test.says)
		}
	}
	for _, c := range []classifier.Classifier{tree, knn} {
		a := &attack.RegionBased{Classifier: c, Options: attack.Options{Linear: linear}}
		if _, err := instance.Prove(t.Context(), a, x, io.Discard); !errors.Is(
			err, errors.ErrUnsupported,
		) || !strings.Contains(err.Error(), "proofs know no linear rules") {
			t.Errorf("a proof about %T: %v", c, err)
		}
	}
}
