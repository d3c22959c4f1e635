package house_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/baseline"
	"github.com/seed-1a7dc1f9/facet/attack/explain"
	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/attack/property"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/classifier/classifiertest"
	"github.com/seed-1a7dc1f9/facet/metrics"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/polytope/native"
	"github.com/seed-1a7dc1f9/facet/prune"
)

// call is a function with arguments, but for its context. The types of arguments that stand for
// none say so.
type call struct {
	function  any
	arguments []any
}

// calls are those of all functions in api.txt that may return an error.
func calls(t *testing.T, s *subjects) (all []call) {
	add := func(function any, arguments ...any) { all = append(all, call{function, arguments}) }
	input := s.x.RawRowView(0)
	region := &attack.RegionBased{Classifier: s.knn}
	add(region.Perturb, input)
	add(region.RobustAt, input, 0.1)
	add(region.Counterfactuals, input, 1)
	knn := classifier.TrainerOf(classifier.TrainKNN, classifier.KNNOptions{K: 1})
	training := attack.AdversarialTraining{Trainer: knn, Radius: 0.1}
	add(training.Train, s.x, s.y)
	add(training.Augment, s.x, s.y)
	add(attack.Reaches, make([]attack.Feature, 3), 0.1)
	add((&baseline.BlackBox{Classifier: s.knn}).Perturb, input)
	add((&baseline.Direct{Classifier: s.knn}).Perturb, input)
	add((&baseline.Kernel{Classifier: s.knn}).Perturb, input)
	add((&baseline.Kernel{Classifier: s.knn}).PerturbAll, s.x)
	add((&baseline.Papernot{Classifier: s.tree}).Perturb, input)
	explainer := &explain.Explainer{Classifier: s.tree}
	add(explainer.Reasons, input)
	add(explainer.LabelBox, input)
	rows, err := proof.ReadRows(strings.NewReader("0,1\n0.25,1\n"), 1)
	if err != nil {
		t.Fatal(err)
	}
	add(proof.Check, strings.NewReader(""), rows, func(proof.Claim) error { return nil })
	add(proof.CheckProperties,
		strings.NewReader(""), func(proof.Property) error { return nil }, rows)
	add(proof.CheckPruning, strings.NewReader(""), rows)
	add(proof.ReadModel, strings.NewReader(""))
	add(proof.ReadRows, strings.NewReader(""), 1)
	add(proof.NewWriter(&bytes.Buffer{}, [32]byte{}).Write, []byte("facet proof"))
	add(property.Depends, s.forest, []int{0}, property.Options{})
	add(property.Differ, s.forest, s.tree, property.Options{Labels: true})
	add(property.Monotone, s.forest, 0, property.Options{})
	add(property.Range, s.forest, property.Options{})
	for _, cellAt := range []any{s.knn.CellAt, s.tree.CellAt, s.forest.CellAt, s.linear.CellAt} {
		add(cellAt, input)
	}
	add(s.knn.Above, 1, 0.5)
	add(s.forest.Probability, 1)
	regressor, err := s.forest.Probability(1)
	if err != nil {
		t.Fatal(err)
	}
	add(regressor.Above, 0.5)
	add(regressor.Changes, input, 0.1)
	add(classifier.NewEnsemble, []*classifier.Tree{s.tree}, classifier.EnsembleOptions{})
	add(classifier.NewObliqueEnsemble, 3, [][]classifier.ObliqueNode{s.linear.Tree(0)},
		classifier.EnsembleOptions{Single: true})
	add(classifier.NewTree, 3, classifier.AtMostFloat64, s.tree.Nodes())
	add(classifier.Read[classifier.Model], strings.NewReader(""), classifier.ReadOptions{})
	add(classifier.Save, &bytes.Buffer{}, s.tree)
	add(classifier.SaveXGBoost, &bytes.Buffer{}, s.forest)
	add(classifier.TrainBoosted, s.x, s.y, classifier.BoostedOptions{Rounds: 2})
	add(classifier.TrainForest, s.x, s.y, classifier.ForestOptions{Trees: 2})
	add(classifier.TrainKNN, s.x, s.y, classifier.KNNOptions{K: 1})
	add(classifier.TrainOblique, s.x, s.y, classifier.ObliqueOptions{MaxDepth: 1})
	add(classifier.TrainTree, s.x, s.y, classifier.TreeOptions{})
	add(classifier.TrainWeightedKNN, s.x, s.y, classifier.KNNOptions{K: 1})
	add(classifiertest.Test, s.tree, input)
	add(metrics.Accuracy, s.tree, s.x, s.y)
	add(metrics.Evaluate, s.tree, s.x, s.y, metrics.Options{})
	add(metrics.Predict, s.tree, s.x)
	points := []metrics.Point{{Attacked: true}}
	add(metrics.Astuteness, points, 0.1)
	add(metrics.RobustAccuracy, points, 0.1)
	add(metrics.EmpiricalRobustness, points)
	add(metrics.Defscore, 0.2, 0.1)
	add(polytope.ParseNorm, "inf")
	add(native.Solver{}.Closest, polytope.Problem{X: []float64{0}})
	keep := prune.Adversarial{Radius: 0.1}
	kept, err := keep.Solve(t.Context(), s.x, s.y, nil)
	if err != nil {
		t.Fatal(err)
	}
	weights := make([]int, len(s.y))
	add(keep.Prune, s.x, s.y)
	add(keep.Solve, s.x, s.y, weights)
	add(keep.Verify, s.x, s.y, []int(nil), kept)
	add(keep.Write, &bytes.Buffer{}, [32]byte{}, []int(nil), kept)
	add(prune.Select, s.x, s.y, []int{0})
	add(prune.WJC{Radius: 0.1}.Prune, s.x, s.y)
	return all
}

// optional are arguments that may be nil, by their places after the context.
var optional = map[string]string{
	"attack.Reaches 0":          "features that all move alike",
	"metrics.Evaluate 2":        "labels that nobody knows",
	"proof.Writer.Write 0":      "no text",
	"prune.Adversarial.Solve 2": "rows that stand for one each",
}

// TestNil: each argument of each function that may return an error is left out in turn, also as a
// nil pointer in an interface. That is an error, and no panic.
func TestNil(t *testing.T) {
	left := functions(t)
	for _, c := range calls(t, newSubjects(t)) {
		name := nameOf(c.function)
		if _, ok := left[name]; !ok {
			t.Errorf("%s is not in api.txt, or twice here", name)
		}
		delete(left, name)
		var given []reflect.Value
		f := reflect.TypeOf(c.function)
		if f.NumIn() > 0 && f.In(0) == reflect.TypeFor[context.Context]() {
			given = append(given, reflect.ValueOf(t.Context()))
		}
		contexts := len(given)
		for _, v := range c.arguments {
			given = append(given, reflect.ValueOf(v))
		}
		for i, v := range given {
			place := fmt.Sprint(name, " ", i-contexts)
			for _, none := range nils(f, i, v) {
				without := append([]reflect.Value(nil), given...)
				without[i] = none
				if err := ask(t, place, c.function, without); err == nil && optional[place] == "" {
					t.Errorf("%s: %v is left out, and that is no error", place, v.Type())
				}
			}
		}
	}
	for name := range left {
		t.Errorf("%s is not called with nil", name)
	}
}

// nils are the ways to leave out argument i of a function, where v stands: a nil, and a nil pointer
// in an interface. One in an interface of the standard library is a matter of its type.
func nils(f reflect.Type, i int, v reflect.Value) (all []reflect.Value) {
	if f.IsVariadic() && i >= f.NumIn()-1 {
		return nil
	}
	switch in := f.In(i); in.Kind() {
	case reflect.Interface:
		all = append(all, reflect.Zero(in))
		if v.Kind() == reflect.Pointer && strings.Contains(in.PkgPath(), ".") {
			all = append(all, reflect.Zero(v.Type()))
		}
	case reflect.Pointer, reflect.Slice, reflect.Func:
		if !v.IsNil() {
			all = append(all, reflect.Zero(in))
		}
	}
	return all
}

// nameOf is the name of a function, or of a value's method, as functions writes it.
func nameOf(function any) string {
	full := runtime.FuncForPC(reflect.ValueOf(function).Pointer()).Name()
	short, _, _ := strings.Cut(full, "[") // of type parameters
	return strings.NewReplacer("(*", "", ")", "", "-fm", "").Replace(path.Base(short))
}

// ask calls a function and returns its error.
func ask(t *testing.T, place string, function any, arguments []reflect.Value) (err error) {
	t.Helper()
	defer func() {
		if v := recover(); v != nil {
			t.Errorf("%s: a panic: %v", place, v)
			err = errors.New("a panic")
		}
	}()
	results := reflect.ValueOf(function).Call(arguments)
	err, _ = results[len(results)-1].Interface().(error)
	return err
}

// TestMissing: options, and parts of arguments, that lack a needed field are errors.
func TestMissing(t *testing.T) {
	s := newSubjects(t)
	input := s.x.RawRowView(0)
	perturbed := func(a attack.Attack) error {
		_, err := a.Perturb(t.Context(), input)
		return err
	}
	ended := func(_ any, err error) error { return err }
	forest := func(opts attack.Options) attack.Attack {
		return &attack.RegionBased{Classifier: s.forest, Options: opts}
	}
	var missing *classifier.KNN
	var untrained func(context.Context, mat.Matrix, []int, int) (*classifier.KNN, error)
	bare := polytope.HalfSpace{A: []float64{1}}
	for name, err := range map[string]error{
		"attack":              perturbed(&attack.RegionBased{}),
		"attack on no k-NN":   perturbed(&attack.RegionBased{Classifier: missing}),
		"approx of no points": perturbed(forest(attack.Options{Mode: attack.Approx})),
		"proof for nobody":    perturbed(forest(attack.Options{Proof: proof.NewWriter(nil)})),
		"direct":              perturbed(&baseline.Direct{}),
		"kernel":              perturbed(&baseline.Kernel{}),
		"black box":           perturbed(&baseline.BlackBox{}),
		"papernot":            perturbed(&baseline.Papernot{}),
		"reasons":             ended((&explain.Explainer{}).Reasons(t.Context(), input)),
		"box":                 ended((&explain.Explainer{}).LabelBox(t.Context(), input)),
		"training":            ended(attack.AdversarialTraining{}.Train(t.Context(), s.x, s.y)),
		"no function":         ended(classifier.TrainerOf(untrained, 0)(t.Context(), s.x, s.y)),
		"a nil pruner": ended(
			prune.Defend((*prune.Adversarial)(nil), nil)(t.Context(), s.x, s.y)),
		"ensemble of no tree": ended(classifier.NewEnsemble(
			[]*classifier.Tree{nil}, classifier.EnsembleOptions{})),
		"oblique of no nodes": ended(classifier.NewObliqueEnsemble(
			1, [][]classifier.ObliqueNode{nil}, classifier.EnsembleOptions{})),
		"written nowhere": ended(proof.NewWriter(nil, [32]byte{}).Write(nil)),
		"half-space": ended(native.Solver{}.Closest(t.Context(), polytope.Problem{
			Region: polytope.Polyhedron{HalfSpaces: []polytope.HalfSpace{bare}}})),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if names := classifier.NamesOf(missing); names.Classes != nil {
		t.Errorf("no k-NN has names %v", names)
	}
}
