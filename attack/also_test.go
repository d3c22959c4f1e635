package attack_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
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

// TestAlsoRefused: what cannot be asked is refused by an error that says so.
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
