package attack_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/explain"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestAlsoAgainstEnumeration compares distances of inputs that up to six classifiers accept with
// those of all joint cells, under rules of moves.
func TestAlsoAgainstEnumeration(t *testing.T) {
	t.Parallel()
	againstEnumeration(t, instance.DrawJoint, 1000)
}

// TestCounterfactualsAlso compares each answer with the nearest of all inputs that all classifiers
// accept, and that do not change all that an earlier one changes.
func TestCounterfactualsAlso(t *testing.T) {
	t.Parallel()
	counterfactualsOf(t, instance.DrawJoint, 4502)
}

// drawing draws an instance with rules of a kind.
type drawing func(
	t testing.TB, rng *rand.Rand, kind string, norm polytope.Norm,
) *instance.Ruled

// againstEnumeration compares distances in instances of all kinds of rules with those of all joint
// cells.
func againstEnumeration(t *testing.T, draw drawing, seed uint64) {
	t.Helper()
	for k, kind := range instance.RuleKinds {
		if kind == "shares" { // which are refused
			continue
		}
		for _, norm := range instance.Measures() {
			t.Run(fmt.Sprintf("%s/norm=%v", kind, norm), func(t *testing.T) {
				t.Parallel()
				answered := 0
				n := racetest.Count(25, 500)
				for number := range uint64(n) {
					in := draw(t, rand.New(rand.NewPCG(number, seed+uint64(10*k)+uint64(norm))),
						kind, norm)
					truth := in.Nearest(func([]int) bool { return true })
					if truth < math.Inf(1) {
						answered++
					}
					checkRuled(t, in, number, truth)
				}
				if answered < n/10 && !racetest.Enabled { // which draws few
					t.Errorf("%d of %d instances have an answer", answered, n)
				}
			})
		}
	}
}

// counterfactualsOf compares the counterfactuals of instances with the nearest inputs.
func counterfactualsOf(t *testing.T, draw drawing, seed uint64) {
	t.Helper()
	several, n := 0, instance.Count(500, 20_000)
	for number := range uint64(n) {
		rng := rand.New(rand.NewPCG(number, seed))
		kind := instance.RuleKinds[rng.IntN(len(instance.RuleKinds)-1)]
		in := draw(t, rng, kind, instance.Measures()[number%4])
		if checkCounterfactuals(t, in, number) > 1 {
			several++
		}
	}
	if several < n/50 && !racetest.Enabled {
		t.Errorf("%d of %d instances have several answers", several, n)
	}
}

// stump is a tree that says 1 where the first of two features is above a threshold.
func stump(t *testing.T, threshold float64) *classifier.Tree {
	t.Helper()
	tree, err := classifier.NewTree(2, classifier.AtMostFloat64, []classifier.TreeNode{
		{Feature: 0, Threshold: threshold, Left: 1, Right: 2, Value: []float64{1, 1}},
		{Feature: -1, Left: -1, Right: -1, Value: []float64{1, 0}},
		{Feature: -1, Left: -1, Right: -1, Value: []float64{0, 1}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// TestAlsoOfTrees: x may have the target already, unless all accept it, and the answer is the same
// whichever classifier is asked first.
func TestAlsoOfTrees(t *testing.T) {
	near, far, x := stump(t, 1), stump(t, 3), []float64{2, 0}
	one := 1
	a := &attack.RegionBased{Classifier: near, Options: attack.Options{
		Target: &one, Also: []attack.Requirement{{Classifier: far, Labels: []int{1}}},
	}}
	r, err := a.Perturb(t.Context(), x)
	if err != nil || r.Bound != 1 || r.Label != 1 || !r.Optimal() {
		t.Errorf("%+v, %v, want label 1 from 1 on", r, err)
	}
	if _, err := a.Perturb(t.Context(), []float64{4, 0}); !errors.Is(err, attack.ErrTarget) {
		t.Errorf("where both say 1: %v", err)
	}
	a.Classifier, a.Also[0].Classifier = far, near
	if r, err := a.Perturb(t.Context(), x); err != nil || r.Bound != 1 || !r.Optimal() {
		t.Errorf("the other way round: %+v, %v, want label 1 from 1 on", r, err)
	}
	a.Also[0].Labels = []int{0}
	if r, err := a.Perturb(t.Context(), x); err != nil || r.Example != nil || !r.Optimal() {
		t.Errorf("%+v, %v, want that there is no answer", r, err)
	}
}

// TestAlsoInTurn: a classifier is asked together with others in turn, each time with another one,
// also where every label of one of them answers.
func TestAlsoInTurn(t *testing.T) {
	near, x := stump(t, 1), []float64{0, 0}
	for i, test := range []struct {
		of, with *classifier.Tree
		target   int
		labels   []int
		want     float64
	}{
		{near, stump(t, 5), 1, []int{1}, 5},
		{near, stump(t, 7), 1, []int{1}, 7},
		{near, stump(t, 9), 1, []int{0, 1}, 1},
		{near, oneLabel(t, 2), 1, []int{0}, 1},
		{oneLabel(t, 2), near, 0, []int{1}, 1},
	} {
		a := &attack.RegionBased{Classifier: test.of, Options: attack.Options{
			Target: &test.target,
			Also:   []attack.Requirement{{Classifier: test.with, Labels: test.labels}},
		}}
		r, err := a.Perturb(t.Context(), x)
		if err != nil || r.Bound != test.want || !r.Optimal() {
			t.Errorf("question %d: %+v, %v, want an answer from %v on", i, r, err, test.want)
		}
	}
}

// TestAlsoOfOneLabel: a classifier with one label leaves the answer to the others.
func TestAlsoOfOneLabel(t *testing.T) {
	answered := 0
	for number := range uint64(racetest.Scale(12_000)) {
		rng := rand.New(rand.NewPCG(number, 4503))
		in := instance.DrawJoint(t, rng, "directions", instance.Measures()[number%4])
		in.C, in.Target = oneLabel(t, len(in.X)), new(int)
		if in.Answers(in.X) {
			continue
		}
		truth := in.Nearest(func([]int) bool { return true })
		checkRuled(t, in, number, truth)
		if truth < math.Inf(1) {
			answered++
		}
	}
	if answered < racetest.Scale(100) {
		t.Errorf("only %d have an answer", answered)
	}
}

// oneLabel is a tree that tests a feature and has one label.
func oneLabel(t *testing.T, dim int) *classifier.Tree {
	t.Helper()
	leaf := classifier.TreeNode{Feature: -1, Left: -1, Right: -1, Value: []float64{1}}
	test := classifier.TreeNode{Feature: 1, Left: 1, Right: 2, Value: []float64{1}}
	tree, err := classifier.NewTree(dim, classifier.AtMostFloat64,
		[]classifier.TreeNode{test, leaf, leaf})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// TestAlsoRefused: questions that cannot be asked are refused by an error that says so.
func TestAlsoRefused(t *testing.T) {
	tree, x := stump(t, 1), []float64{0, 0}
	knn := neighbors(t, mat.NewDense(2, 2, []float64{0, 0, 1, 1}), []int{0, 1})
	line, err := classifier.NewTree(1, classifier.AtMostFloat64, []classifier.TreeNode{
		{Feature: -1, Left: -1, Right: -1, Value: []float64{1, 0}},
	})
	if err != nil {
		t.Fatal(err)
	}
	of := func(c classifier.Classifier, labels ...int) []attack.Requirement {
		return []attack.Requirement{{Classifier: c, Labels: labels}}
	}
	listed := instance.Listed{Decomposable: tree}
	for name, refused := range map[string]struct {
		c    classifier.Classifier
		o    attack.Options
		want error
	}{
		"of neighbours":  {knn, attack.Options{Also: of(tree, 1)}, errors.ErrUnsupported},
		"are neighbours": {tree, attack.Options{Also: of(knn, 1)}, errors.ErrUnsupported},
		"of cells":       {listed, attack.Options{Also: of(tree, 1)}, errors.ErrUnsupported},
		"no classifier":  {tree, attack.Options{Also: of(nil, 1)}, attack.ErrClassifier},
		"no labels":      {tree, attack.Options{Also: of(tree)}, classifier.ErrOption},
		"a wrong label":  {tree, attack.Options{Also: of(tree, 2)}, classifier.ErrOption},
		"one feature":    {tree, attack.Options{Also: of(line, 0)}, classifier.ErrOption},
		"approximately": {
			tree, attack.Options{Also: of(tree, 1), Mode: attack.Approx}, classifier.ErrOption,
		},
	} {
		t.Run(name, func(t *testing.T) {
			a := &attack.RegionBased{Classifier: refused.c, Options: refused.o}
			instance.CheckRefused(t, a, x, refused.want)
		})
	}
	for _, o := range []attack.Options{
		{Also: of(tree, 1)}, {Also: []attack.Requirement{{Least: 1, Of: of(tree, 1)}}},
	} {
		e := &explain.Explainer{Classifier: tree, Options: o}
		_, err := e.Reasons(t.Context(), x)
		_, boxErr := e.LabelBox(t.Context(), x)
		for _, err := range []error{err, boxErr} {
			if !errors.Is(err, errors.ErrUnsupported) ||
				!strings.Contains(err.Error(), "reasons and boxes are about one classifier") {
				t.Errorf("%+v: %v", o, err)
			}
		}
	}
}

// TestQuorumsAgainstEnumeration compares distances of inputs that so many of up to six classifiers
// accept with those of all joint cells, under rules of moves.
func TestQuorumsAgainstEnumeration(t *testing.T) {
	t.Parallel()
	againstEnumeration(t, instance.DrawQuorums, 4700)
}

// TestCounterfactualsOfQuorums compares each answer with the nearest of all inputs that so many
// classifiers accept, and that do not change all that an earlier one changes.
func TestCounterfactualsOfQuorums(t *testing.T) {
	t.Parallel()
	counterfactualsOf(t, instance.DrawQuorums, 4702)
}

// TestQuorumsOfTrees: the nearest input is the one that so many accept, whichever they are.
func TestQuorumsOfTrees(t *testing.T) {
	x, one := []float64{0, 0}, 1
	var of []attack.Requirement
	for _, threshold := range []float64{5, 2, 9, 3} {
		of = append(of, attack.Requirement{Classifier: stump(t, threshold), Labels: []int{1}})
	}
	for least, want := range []float64{1: 2, 2: 3, 3: 5, 4: 9} {
		if least == 0 {
			continue
		}
		a := &attack.RegionBased{Classifier: stump(t, 1), Options: attack.Options{
			Target: &one, Also: []attack.Requirement{{Least: least, Of: of}},
		}}
		r, err := a.Perturb(t.Context(), x)
		if err != nil || r.Bound != want || !r.Optimal() {
			t.Errorf("at least %d of 4: %+v, %v, want an answer from %v on", least, r, err, want)
		}
		if robust, err := a.RobustAt(t.Context(), x, want-0.5); err != nil ||
			robust.Verdict(want-0.5) != attack.Holds {
			t.Errorf("at least %d of 4, within %v: %+v, %v", least, want-0.5, robust, err)
		}
	}
	a := &attack.RegionBased{Classifier: stump(t, 1), Options: attack.Options{
		Target: &one, Also: []attack.Requirement{{Least: 1, Of: of[:2]}, {Least: 1, Of: of[2:]}},
	}}
	if r, err := a.Perturb(t.Context(), x); err != nil || r.Bound != 3 || !r.Optimal() {
		t.Errorf("of two quorums: %+v, %v, want an answer from 3 on", r, err)
	}
	for _, least := range []int{-1, 0, 5} {
		a.Also = []attack.Requirement{{Least: least, Of: of}}
		instance.CheckRefused(t, a, x, classifier.ErrOption)
	}
	for _, wrong := range []attack.Requirement{
		{Least: 1, Of: of, Classifier: a.Classifier}, {Least: 1, Of: of, Labels: []int{1}},
		{Least: 1, Of: []attack.Requirement{{Least: 1, Of: of}}},
		{Least: 2, Classifier: a.Classifier, Labels: []int{1}},
	} {
		a.Also = []attack.Requirement{wrong}
		instance.CheckRefused(t, a, x, classifier.ErrOption)
	}
	a.Also = []attack.Requirement{{Least: 1, Of: []attack.Requirement{{Labels: []int{1}}}}}
	instance.CheckRefused(t, a, x, attack.ErrClassifier)
	a.Classifier = instance.Listed{Decomposable: stump(t, 1)}
	a.Also[0].Of = of
	instance.CheckRefused(t, a, x, errors.ErrUnsupported)
}

// TestAlsoUnderLinearRules compares the inputs that two classifiers accept under linear rules with
// exact arithmetic over all joint cells.
func TestAlsoUnderLinearRules(t *testing.T) {
	t.Parallel()
	for _, norm := range instance.Norms() {
		t.Run("norm="+norm.String(), func(t *testing.T) {
			t.Parallel()
			open, found, count := 0, 0, instance.Count(40, 1000)
			for i := range uint64(count) {
				rng := rand.New(rand.NewPCG(i, uint64(4600+norm)))
				left, r, err := linearAlso(t, rng, norm)
				if err != nil {
					t.Fatalf("instance %d: %v", i, err)
				}
				open += left
				if r.Example != nil {
					found++
				}
			}
			if open > count/4 || found < count/10 {
				t.Errorf("of %d, %d were left open, and %d have an answer", count, open, found)
			}
		})
	}
}

// linearAlso returns 1 if the nearest input is not known, in float64, and need not be.
func linearAlso(t *testing.T, rng *rand.Rand, norm polytope.Norm) (int, attack.Result, error) {
	c, trees, x, _, box := drawTied(t, rng)
	also, others, other, _, _ := drawTied(t, rng)
	for len(other) != len(x) {
		also, others, other, _, _ = drawTied(t, rng)
	}
	features := instance.DrawRealRules(rng, "all", norm, len(x))
	linear, thin := instance.DrawLinear(rng, len(x))
	from, label := c.Predict(x), also.Predict(x)
	if rng.IntN(3) == 0 {
		label = rng.IntN(also.Classes())
	}
	q := instance.Priced(norm, x, features, box)
	q.Linear = instance.Halves(linear)
	truth := instance.Cost(norm, instance.NearestLinear(q, features, slices.Concat(trees, others),
		func(z []float64) bool { return c.Predict(z) != from && also.Predict(z) == label }))
	a := &attack.RegionBased{Classifier: c, Options: attack.Options{
		Norm: norm, Domain: box, Features: features, Linear: linear, Workers: 1 + rng.IntN(2),
		Also: []attack.Requirement{{Classifier: also, Labels: []int{label}}},
	}}
	r, err := a.Perturb(t.Context(), x)
	open := 0
	if err == nil && r.Example != nil && also.Predict(r.Example) != label {
		err = fmt.Errorf("the other one says %d", also.Predict(r.Example))
	}
	if err == nil {
		// Cells of two classifiers under a rule can be as thin as the rules.
		thin = thin || r.Status == attack.StatusCoarse
		open, err = instance.CheckLinear(t, c, q, linear, thin, r, truth)
	}
	if err != nil {
		err = fmt.Errorf("%w\n%T and %T, x %v, domain %v\nfeatures %+v\nlinear %+v\n%+v, truth %v",
			err, c, also, x, box, features, linear, r, truth)
	}
	return open, r, err
}
