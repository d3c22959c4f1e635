package property

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// forest is many trees of depth 5 on six features, of which a search takes its time.
func forest(t *testing.T, count int) *classifier.Ensemble {
	t.Helper()
	rng := rand.New(rand.NewPCG(8, 31))
	var members []*classifier.Tree
	for range count {
		members = append(members, instance.GrowTree(t, rng, classifier.BelowFloat32, 6, 2, 5,
			rng.NormFloat64, func() float64 { return rng.NormFloat64() }))
	}
	e, err := classifier.NewEnsemble(members,
		classifier.EnsembleOptions{Vote: classifier.LogisticVote, Single: true})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestWorkers: answers do not depend on the number of workers.
func TestWorkers(t *testing.T) {
	e, rng := forest(t, 12), rand.New(rand.NewPCG(9, 31))
	near := mat.NewDense(8, 6, nil)
	for i := range 8 {
		for j := range 6 {
			near.Set(i, j, rng.NormFloat64())
		}
	}
	for _, opts := range []Options{{}, {Near: near, Within: 0.5}, {Near: near, Within: 0.1}} {
		var first [3]Result
		for _, workers := range []int{1, 2, 5} {
			opts.Workers = workers
			labels := opts
			labels.Labels = true
			falling := opts
			falling.Falling = true
			var now [3]Result
			var errs [3]error
			now[0], errs[0] = Depends(t.Context(), e, []int{2}, opts)
			now[1], errs[1] = Monotone(t.Context(), e, 3, falling)
			now[2], errs[2] = Depends(t.Context(), e, []int{0, 1}, labels)
			for i := range now {
				if errs[i] != nil {
					t.Fatal(errs[i])
				}
				now[i].Nodes = 0
			}
			if workers == 1 {
				first = now
			}
			if !reflect.DeepEqual(now, first) {
				t.Errorf("%d workers:\n%+v\n%+v", workers, now, first)
			}
		}
	}
}

// TestToleranceOfNothing: a feature that a pair may not change at all is no part of the question,
// which takes as many nodes as without it.
func TestToleranceOfNothing(t *testing.T) {
	e := forest(t, 12)
	alike := []float64{0.5, 0, 0, 0, 0, 0}
	for _, opts := range []Options{{}, {Labels: true}, {Ordered: true}} {
		opts.Apart, opts.Workers = alike, 1
		want, err := Depends(t.Context(), e, []int{0}, opts)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Depends(t.Context(), e, []int{3, 0, 1}, opts)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v:\n%+v, %v, want\n%+v", opts, got, err, want)
		}
	}
	none, err := Depends(t.Context(), e, []int{1, 2}, Options{Apart: alike})
	if err != nil || none.Status != attack.StatusNone || none.Bound != 0 {
		t.Errorf("nothing may change: %+v, %v", none, err)
	}
}

// TestLimits: a limit ends a search with a bound that holds, and a context that is cancelled with
// its error.
func TestLimits(t *testing.T) {
	e := forest(t, 40)
	whole, err := Depends(t.Context(), e, []int{2}, Options{})
	if err != nil || whole.Status != attack.StatusOptimal {
		t.Fatalf("%+v, %v", whole, err)
	}
	for _, opts := range []Options{{MaxNodes: 1}, {Timeout: time.Nanosecond}} {
		r, err := Depends(t.Context(), e, []int{2}, opts)
		if err != nil {
			t.Fatal(err)
		}
		if r.Bound < whole.Difference || math.IsInf(r.Bound, 1) || r.Difference > whole.Bound ||
			(r.Status == attack.StatusOptimal && r.Difference != whole.Difference) {
			t.Errorf("%+v: %+v, and in full %+v", opts, r, whole)
		}
	}
	opts := Options{Labels: true, Timeout: time.Nanosecond}
	if r, err := Depends(t.Context(), e, []int{2}, opts); err != nil ||
		r.Status != attack.StatusLimit {
		t.Errorf("labels: %+v, %v", r, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Monotone(ctx, e, 2, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestRoundingOfSteps: a difference that never rises without rounding may rise as it is computed,
// of two sums that are rounded each for itself, or where one tree rises and another falls. Rounding
// says by how much.
func TestRoundingOfSteps(t *testing.T) {
	rng, rises := rand.New(rand.NewPCG(7, 31)), [2]int{}
	for trial := range 200 {
		third := func() float64 { return float64(rng.IntN(7)-3) / 3 }
		v, w, constant := []float64{third(), third()}, []float64{third(), third()}, third()
		if trial%2 > 0 { // of label 1 alone
			v[0], w[0] = 0, 0
		}
		var members []*classifier.Tree
		for i, leaves := range [][2][]float64{
			{v, w}, {{0, constant}, {third() * float64(1-trial%2), -constant}}, {w, v},
		} {
			feature := i % 2
			tree, err := classifier.NewTree(2, classifier.AtMostFloat64, []classifier.TreeNode{
				{Feature: feature, Left: 1, Right: 2, Value: []float64{0, 0}},
				{Feature: -1, Left: -1, Right: -1, Value: leaves[0]},
				{Feature: -1, Left: -1, Right: -1, Value: leaves[1]},
			})
			if err != nil {
				t.Fatal(err)
			}
			members = append(members, tree)
		}
		e, err := classifier.NewEnsemble(members, classifier.EnsembleOptions{
			Vote: classifier.SumVote, Base: []float64{float64(1-trial%2) / 3, 1}, Single: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		r, err := Monotone(t.Context(), e, 0, Options{Falling: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, other := range []float64{0, 1} {
			low, high := e.Scores([]float64{0, other}), e.Scores([]float64{1, other})
			rise := (high[1] - high[0]) - (low[1] - low[0])
			if rise > 0 {
				rises[trial%2]++
			}
			if rise > r.Bound+r.Rounding {
				t.Errorf("%v, %v: %+v, and the margin rises by %v", v, w, r, rise)
			}
		}
	}
	if rises[0] == 0 || rises[1] == 0 {
		t.Errorf("of two sums %d rise, of one %d", rises[0], rises[1])
	}
}

// number is a regressor of one leaf.
func number(t *testing.T, dim int, more string) Model {
	t.Helper()
	text := fmt.Sprintf(`{"format":"facet-model",
		"version":1,"kind":"regressor","n_features":%d,"comparison":"x <= t","vote":"sum",%s,
		"trees":[{"feature":[-1],"left":[-1],"right":[-1],"threshold":[0],"value":[[1]]}]}`,
		dim, more)
	r, err := classifier.Read[*classifier.Regressor](strings.NewReader(text),
		classifier.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// own is a classifier of a user's, some of whose features are categories.
type own struct{ classifier.Classifier }

func (own) Categories() []int { return nil }

// TestByName: features are matched by name, labels and categories with them.
func TestByName(t *testing.T) {
	file := func(names string, first, second, codes int, words string) Model {
		text := fmt.Sprintf(`{"format":"facet-model",
			"version":1,"kind":"tree","n_features":2,"comparison":"x < t","feature_names":[%s],
			"categories":[%d,%d],"category_names":[%s],
			"trees":[{"feature":[%d,%d,-1,-1,-1],"threshold":[0.5,1.5,0,0,0],"left":[1,3,-1,-1,-1],
			"right":[2,4,-1,-1,-1],"value":[[1,1],[1,1],[1,0],[0,1],[1,0]]}]}`,
			names, codes, 2-codes, words, first, second)
		c, err := classifier.Read[Model](strings.NewReader(text),
			classifier.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	a, b := file(`"a","b"`, 0, 1, 2, `["no","yes"],null`), file(`"b","a"`, 1, 0, 0,
		`null,["no","yes"]`)
	if r, err := Differ(t.Context(), a, b, Options{Labels: true}); err != nil ||
		r.Status != attack.StatusNone {
		t.Errorf("%+v, %v", r, err)
	}
	b = file(`"b","a"`, 1, 1, 0, `null,["no","yes"]`)
	r, err := Differ(t.Context(), a, b, Options{Labels: true})
	if err != nil || r.X == nil || r.X[0] != 0 || !(r.X[1] >= 1.5) || r.Labels != [2]int{0, 1} {
		t.Errorf("%+v, %v", r, err)
	}
	b = file(`"b","a"`, 1, 0, 0, `null,["yes","no"]`)
	if _, err := Differ(t.Context(), a, b, Options{}); !errors.Is(err, classifier.ErrOption) {
		t.Errorf("other words: %v", err)
	}
}

// TestRefused: questions that cannot be asked are refused with the error that says why.
func TestRefused(t *testing.T) {
	e, ctx := forest(t, 2), t.Context()
	sums := stump(t, []float64{0, 1}, []float64{1, 0})
	three := stump(t, []float64{0, 1, 0}, []float64{1, 0, 0})
	x := mat.NewDense(2, 6, make([]float64, 12))
	knn, err := classifier.TrainKNN(t.Context(), x, []int{0, 1},
		classifier.KNNOptions{K: 1})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(8, 31))
	small := instance.GrowTree(t, rng, classifier.AtMostFloat64, 3, 2, 2, rng.NormFloat64,
		rng.Float64)
	regressor := number(t, 6, `"base":[1]`)
	ask := func(m Model, features []int, o Options) error {
		_, err := Depends(ctx, m, features, o)
		return err
	}
	differ := func(a, b Model) error {
		_, err := Differ(ctx, a, b, Options{})
		return err
	}
	written := func(a, b Model, sums ...[32]byte) error {
		_, err := Differ(ctx, a, b, Options{Proof: proof.NewWriter(io.Discard, sums...)})
		return err
	}
	two := proof.NewWriter(io.Discard, [32]byte{1}, [32]byte{2})
	falling := func(o Options) error {
		_, differ := Differ(ctx, e, e, o)
		_, _, ranges := Range(ctx, e, o)
		o.Computed = true
		_, _, computed := Range(ctx, regressor, o)
		for _, err := range []error{differ, ranges, computed} {
			if !errors.Is(err, classifier.ErrOption) {
				t.Error(err)
			}
		}
		return ask(e, []int{0}, o)
	}
	paired := func(o Options) error {
		_, differ := Differ(ctx, e, e, o)
		_, monotone := Monotone(ctx, e, 0, o)
		_, _, ranges := Range(ctx, e, o)
		if !errors.Is(monotone, classifier.ErrOption) || !errors.Is(ranges, classifier.ErrOption) {
			t.Errorf("%v, %v", monotone, ranges)
		}
		return differ
	}
	empty := polytope.Cube(6, 0, 1)
	empty[4] = polytope.Interval{Lo: 0.2, Hi: 0.8}
	whole := make([]attack.Feature, 6)
	whole[4].Step = 1
	codes := make([]attack.Feature, 6)
	codes[4].Categorical = true
	hot := make([]attack.Feature, 6)
	hot[0].Group, hot[1].Group = 7, 7
	near := mat.NewDense(1, 6, []float64{1, 0, 0, 0, 0, 0})
	each := func(v float64) []float64 { return []float64{v, v, v, v, v, v} }
	for _, c := range []struct {
		err, want error
	}{
		{ask(own{knn}, []int{0}, Options{}), errors.ErrUnsupported},
		{ask(nil, []int{0}, Options{}), classifier.ErrOption},
		{ask(e, nil, Options{}), classifier.ErrOption},
		{ask(e, []int{6}, Options{}), classifier.ErrOption},
		{ask(e, []int{-1}, Options{}), classifier.ErrOption},
		{ask(e, []int{0}, Options{Domain: polytope.Cube(6, 1, 0)}), classifier.ErrOption},
		{ask(e, []int{0}, Options{Domain: empty, Features: whole}), classifier.ErrNoInput},
		{ask(e, []int{0}, Options{Features: make([]attack.Feature, 5)}), classifier.ErrOption},
		{ask(e, []int{0}, Options{Class: -2}), classifier.ErrOption},
		{ask(e, []int{0}, Options{By: math.NaN()}), classifier.ErrOption},
		{ask(e, []int{0}, Options{Within: 1}), classifier.ErrOption},
		{ask(e, []int{0}, Options{Within: 1, Radii: each(1)}), classifier.ErrOption},
		{ask(e, []int{0}, Options{Radii: each(1)}), classifier.ErrOption},
		{ask(e, []int{0}, Options{Near: near, Radii: each(-1)}), classifier.ErrOption},
		{ask(e, []int{0}, Options{Near: near, Radii: each(1), Within: 1}), classifier.ErrOption},
		{ask(e, []int{0}, Options{Near: near, Radii: each(1), Norm: polytope.L1}),
			classifier.ErrOption},
		{ask(e, []int{0}, Options{Near: near, Radii: []float64{1, 2, 1, 1, 1, 1},
			Features: hot}), classifier.ErrOption},
		{ask(e, []int{0}, Options{Near: near, Radii: []float64{1}}), polytope.ErrDimension},
		{written(e, forest(t, 3), [32]byte{1}), classifier.ErrOption},
		{written(e, e, [32]byte{1}, [32]byte{2}), classifier.ErrOption},
		{ask(e, []int{0}, Options{Proof: two}), classifier.ErrOption},
		{ask(e, []int{0}, Options{Apart: []float64{1}}), polytope.ErrDimension},
		{ask(e, []int{0}, Options{Apart: each(-1)}), classifier.ErrOption},
		{ask(e, []int{0}, Options{Apart: each(math.NaN())}), classifier.ErrOption},
		{ask(e, []int{4}, Options{Apart: each(1), Features: codes}), classifier.ErrOption},
		{ask(e, []int{1}, Options{Apart: each(1), Features: hot}), classifier.ErrOption},
		{paired(Options{Apart: each(1)}), classifier.ErrOption},
		{paired(Options{Ordered: true}), classifier.ErrOption},
		{falling(Options{Falling: true}), classifier.ErrOption},
		{ask(e, []int{0}, Options{Norm: polytope.L1}), classifier.ErrOption},
		{ask(e, []int{0}, Options{Norm: 3}), classifier.ErrOption},
		{ask(e, []int{0}, Options{Near: mat.NewDense(1, 2, nil)}), polytope.ErrDimension},
		{ask(e, []int{0}, Options{MaxNodes: -1}), classifier.ErrOption},
		{ask(regressor, []int{0}, Options{Labels: true}), classifier.ErrOption},
		{ask(sums, []int{0}, Options{Labels: true, Probability: true, By: 0.5}),
			errors.ErrUnsupported},
		{ask(three, []int{0}, Options{Ordered: true, Class: EveryClass}), classifier.ErrOption},
		{differ(e, small), classifier.ErrOption},
		{differ(e, regressor), classifier.ErrOption},
		{differ(e, own{knn}), errors.ErrUnsupported},
		{differ(number(t, 2, `"feature_names":["a","b"]`), number(t, 3,
			`"feature_names":["a","b","c"]`)), classifier.ErrOption},
		{differ(number(t, 2, `"feature_names":["a","b"]`), number(t, 2,
			`"feature_names":["b","c"]`)), classifier.ErrOption},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%v, want %v", c.err, c.want)
		}
	}
}

// TestSameTrees: two models of the same trees are told to be the same without a search, in every
// order of their trees, and wherever the number that sums start from is: among trees or not.
func TestSameTrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 31))
	var members []*classifier.Tree
	for range 12 {
		members = append(members, instance.GrowTree(t, rng, classifier.BelowFloat32, 6, 2, 5,
			rng.NormFloat64, rng.NormFloat64))
	}
	opts := classifier.EnsembleOptions{Vote: classifier.SumVote, Base: []float64{0.1, 0.3}}
	a, err := classifier.NewEnsemble(members, opts)
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(members)
	constant, err := classifier.NewTree(6, classifier.BelowFloat32,
		[]classifier.TreeNode{{Feature: -1, Left: -1, Right: -1, Value: opts.Base}})
	if err != nil {
		t.Fatal(err)
	}
	opts.Base, opts.AnyOrder = nil, true
	b, err := classifier.NewEnsemble(append(members, constant), opts)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Differ(t.Context(), a, b, Options{})
	if err != nil || r.Status != attack.StatusNone || r.Bound != 0 || r.Nodes != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestTreesInAnotherOrder: the same trees in another order are rounded differently, so that outputs
// and labels that models compute differ.
func TestTreesInAnotherOrder(t *testing.T) {
	made := func(values ...float64) *classifier.Ensemble {
		var members []*classifier.Tree
		for _, v := range values {
			members = append(members, stumpTree(t, []float64{0, v}, []float64{0, v / 2}))
		}
		e, err := classifier.NewEnsemble(members,
			classifier.EnsembleOptions{Vote: classifier.SumVote})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	a, b := made(1e17, -1e17, 1), made(1, 1e17, -1e17)
	r, err := Differ(t.Context(), a, b, Options{Class: EveryClass})
	if err != nil || r.Bound != 0 || r.Rounding < 1 {
		t.Errorf("%+v, %v, though at 0 outputs are 1 and 0", r, err)
	}
	if r, err = Differ(t.Context(), a, b, Options{Labels: true}); err != nil || r.X == nil {
		t.Errorf("%+v, %v, though at 0 labels are 1 and 0", r, err)
	}
}

// TestAveragesOfTwoClasses: of two averages of two classes a label is no matter of one output, so
// that of all classes both count.
func TestAveragesOfTwoClasses(t *testing.T) {
	made := func(zero float64) *classifier.Ensemble {
		tree := stumpTree(t, []float64{zero, 0.25}, []float64{0, 0.5})
		e, err := classifier.NewEnsemble([]*classifier.Tree{tree}, classifier.EnsembleOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	a, b := made(0.125), made(0.5)
	for class, want := range map[int]float64{0: 0, EveryClass: 0.375} {
		r, err := Differ(t.Context(), a, b, Options{Class: class})
		if err != nil || r.Difference != want || r.Bound != want {
			t.Errorf("class %d: %+v, %v", class, r, err)
		}
	}
	for by, flips := range map[float64]bool{0: true, 0.25: true, 0.375: false} {
		r, err := Differ(t.Context(), a, b, Options{Class: EveryClass, Labels: true, By: by})
		if err != nil || (r.X != nil) != flips || (r.Status == attack.StatusNone) == flips {
			t.Errorf("by %v: %+v, %v", by, r, err)
		}
	}
}

// TestMarginBesideMean: a margin and a mean that are the same number stand for two labels, so that
// only labels are compared.
func TestMarginBesideMean(t *testing.T) {
	margin := stump(t, []float64{0, 0.25}, []float64{0, 0.75})
	mean, err := classifier.NewEnsemble([]*classifier.Tree{
		stumpTree(t, []float64{0.75, 0.25}, []float64{0.25, 0.75}),
	}, classifier.EnsembleOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, pair := range [][2]Model{{margin, mean}, {mean, margin}} {
		for _, opts := range []Options{{Class: EveryClass}, {Class: 1}, {Labels: true, By: 1}} {
			_, err := Differ(t.Context(), pair[0], pair[1], opts)
			if !errors.Is(err, errors.ErrUnsupported) || !errors.Is(err, classifier.ErrOption) {
				t.Errorf("%+v: %v", opts, err)
			}
		}
		opts := Options{Class: EveryClass, Labels: true}
		r, err := Differ(t.Context(), pair[0], pair[1], opts)
		if err != nil || r.X == nil || r.Labels[0] == r.Labels[1] {
			t.Errorf("%+v, %v, though labels differ where x is small", r, err)
		}
		opts.Domain = polytope.Box{{Lo: 2, Hi: 3}}
		r, err = Differ(t.Context(), pair[0], pair[1], opts)
		if err != nil || r.Status != attack.StatusNone {
			t.Errorf("%+v, %v, though both have label 1 there", r, err)
		}
	}
}

// TestLabelsOfNoTest: labels do not depend on a feature that no tree tests, for all ties, and no
// search is needed for that.
func TestLabelsOfNoTest(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 3))
	var members []*classifier.Tree
	for range 40 {
		members = append(members, instance.GrowTree(t, rng, classifier.BelowFloat32, 6, 3, 5,
			rng.NormFloat64, func() float64 { return float64(rng.IntN(3)) }))
	}
	var wide []*classifier.Tree
	for _, m := range members {
		tree, err := classifier.NewTree(7, classifier.BelowFloat32, m.Nodes())
		if err != nil {
			t.Fatal(err)
		}
		wide = append(wide, tree)
	}
	e, err := classifier.NewEnsemble(wide, classifier.EnsembleOptions{Vote: classifier.SumVote})
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range []int{0, 1} { // of one model, and of two that are the same
		r, err := Depends(t.Context(), e, []int{6}, Options{Labels: true})
		if of == 1 {
			copied, _ := classifier.NewEnsemble(wide, classifier.EnsembleOptions{
				Vote: classifier.SumVote})
			r, err = Differ(t.Context(), e, copied, Options{Labels: true})
		}
		if err != nil || r.Status != attack.StatusNone || r.Nodes != 0 {
			t.Errorf("%d: %+v, %v", of, r, err)
		}
	}
}

// TestOutputsOfEveryClass: of the outputs of all classes the largest difference counts, and a
// result says whose it is.
func TestOutputsOfEveryClass(t *testing.T) {
	e := stump(t, []float64{1, 0, 0.5}, []float64{1, 2, 0})
	for class, want := range map[int]Result{
		0: {Class: -1}, 1: {Class: 1, Difference: 2}, 2: {Class: 2, Difference: 0.5},
		EveryClass: {Class: 1, Difference: 2},
	} {
		r, err := Depends(t.Context(), e, []int{0}, Options{Class: class})
		if err != nil || r.Class != want.Class || r.Difference != want.Difference {
			t.Errorf("class %d: %+v, %v", class, r, err)
		}
	}
	r, err := Depends(t.Context(), e, []int{0}, Options{Labels: true})
	if err != nil || r.Status != attack.StatusOptimal || r.Labels[0] == r.Labels[1] {
		t.Errorf("%+v, %v, though label 0 becomes 1", r, err)
	}
	_, most, err := Range(t.Context(), e, Options{Class: EveryClass})
	if err != nil || most.Class != 1 || most.Bound != 2 {
		t.Errorf("%+v, %v", most, err)
	}
}

// TestWithinNothing: near a row within 0 there is the row alone, at all prices of numbers that
// hardly differ.
func TestWithinNothing(t *testing.T) {
	tree, err := classifier.NewTree(2, classifier.AtMostFloat64, []classifier.TreeNode{
		{Left: 1, Right: 2, Value: []float64{0, 0}},
		{Feature: -1, Left: -1, Right: -1, Value: []float64{0, 0}},
		{Feature: -1, Left: -1, Right: -1, Value: []float64{0, 1}},
	})
	if err != nil {
		t.Fatal(err)
	}
	e, err := classifier.NewEnsemble([]*classifier.Tree{tree},
		classifier.EnsembleOptions{Vote: classifier.SumVote})
	if err != nil {
		t.Fatal(err)
	}
	for _, norm := range []polytope.Norm{polytope.LInf, polytope.L1, polytope.L2} {
		for _, price := range []float64{0.5, 1, 1e-300, 5e-324} {
			_, most, err := Range(t.Context(), e, Options{
				Near: mat.NewDense(1, 2, []float64{0, 7}), Norm: norm,
				Features: []attack.Feature{{Up: price, Down: price}, {}},
			})
			if err != nil || most.Bound != 0 || most.Status != attack.StatusOptimal {
				t.Errorf("%v, price %v: %+v, %v", norm, price, most, err)
			}
		}
	}
}

// stump is a vote of one tree of one test, x₀ < 1.
func stump(t *testing.T, values ...[]float64) *classifier.Ensemble {
	t.Helper()
	e, err := classifier.NewEnsemble([]*classifier.Tree{stumpTree(t, values...)},
		classifier.EnsembleOptions{Vote: classifier.SumVote})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func stumpTree(t *testing.T, values ...[]float64) *classifier.Tree {
	t.Helper()
	tree, err := classifier.NewTree(1, classifier.BelowFloat64, []classifier.TreeNode{
		{Left: 1, Right: 2, Threshold: 1, Value: values[0]},
		{Feature: -1, Left: -1, Right: -1, Value: values[0]},
		{Feature: -1, Left: -1, Right: -1, Value: values[1]},
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// TestRowsOnThresholds: a row may lie where an interval ends, in a direction without a price.
func TestRowsOnThresholds(t *testing.T) {
	e := stump(t, []float64{0, 1}, []float64{0, 3})
	for _, norm := range []polytope.Norm{polytope.LInf, polytope.L1, polytope.L2} {
		for _, within := range []float64{0, 0.5} {
			opts := Options{
				Near: mat.NewDense(1, 1, []float64{1}), Within: within, Norm: norm,
				Features: []attack.Feature{{Up: math.Inf(1)}},
			}
			least, most, err := Range(t.Context(), e, opts)
			want := 1.0
			if within == 0 {
				want = 3
			}
			if err != nil || least.Bound != want || most.Bound != 3 {
				t.Errorf("%v, within %v: %+v, %+v, %v", norm, within, least, most, err)
			}
		}
	}
}

// TestCodesOutsideTheDomain: no category has a code that it does not have because a domain begins
// there.
func TestCodesOutsideTheDomain(t *testing.T) {
	e := stump(t, []float64{0, 1}, []float64{0, 3})
	opts := Options{
		Domain:   polytope.Box{{Lo: 5, Hi: 9}},
		Features: []attack.Feature{{Categorical: true, Codes: 2}},
	}
	if least, _, err := Range(t.Context(), e, opts); !errors.Is(err, classifier.ErrNoInput) {
		t.Errorf("%+v, %v", least, err)
	}
	opts.Features[0].Codes = 6
	least, _, err := Range(t.Context(), e, opts)
	if err != nil || !slices.Equal(least.X, []float64{5}) {
		t.Errorf("%+v, %v", least, err)
	}
}

// TestOneClass: a single class has no probabilities, however pairs are limited.
func TestOneClass(t *testing.T) {
	e := stump(t, []float64{1}, []float64{3})
	for _, opts := range []Options{{Probability: true}, {Probability: true, Ordered: true}} {
		r, err := Depends(t.Context(), e, []int{0}, opts)
		if !errors.Is(err, classifier.ErrOption) {
			t.Errorf("%+v: %+v, %v", opts, r, err)
		}
	}
}

// TestRoundingOfExactSums: a sum that needs no rounding may still differ between two inputs, and
// then the other one, which is rounded, need not go the way of their difference.
func TestRoundingOfExactSums(t *testing.T) {
	rng, rises := rand.New(rand.NewPCG(3, 302)), 0
	for range 300 {
		quarter := func() float64 { return float64(rng.IntN(9)-4) / 4 }
		left, right := []float64{quarter(), quarter()}, []float64{quarter(), quarter()}
		tree, err := classifier.NewTree(1, classifier.AtMostFloat64, []classifier.TreeNode{
			{Left: 1, Right: 2, Value: []float64{0, 0}},
			{Feature: -1, Left: -1, Right: -1, Value: left},
			{Feature: -1, Left: -1, Right: -1, Value: right},
		})
		if err != nil {
			t.Fatal(err)
		}
		e, err := classifier.NewEnsemble([]*classifier.Tree{tree}, classifier.EnsembleOptions{
			Vote: classifier.SoftmaxVote, Base: []float64{0, -2.0 / 3},
		})
		if err != nil {
			t.Fatal(err)
		}
		r, err := Monotone(t.Context(), e, 0, Options{Falling: true})
		if err != nil {
			t.Fatal(err)
		}
		low, high := e.Scores([]float64{0}), e.Scores([]float64{1})
		rise := (high[1] - high[0]) - (low[1] - low[0])
		if rise > r.Bound {
			rises++
		}
		if rise > r.Bound+r.Rounding {
			t.Errorf("%v, %v: %+v, and the margin rises by %v", left, right, r, rise)
		}
	}
	if rises == 0 {
		t.Error("no margin rises by rounding: the test tests nothing")
	}
}
