package attack_test

import (
	"errors"
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

// TestLinearAsDomain: a rule about one feature says what a side of the domain says.
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

// TestLinearRefused: each refusal says what it is about.
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
