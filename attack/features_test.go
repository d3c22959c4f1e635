package attack_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestFeatureFaults: what makes no sense is an error that names the feature.
func TestFeatureFaults(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	c := neighbors(t, mat.NewDense(2, 2, []float64{0, 0, 1, 1}), []int{0, 1})
	tests := []struct {
		rule attack.Feature
		want string
	}{
		{attack.Feature{Up: -1}, "prices -1 up"},
		{attack.Feature{Down: nan}, "NaN down"},
		{attack.Feature{MaxUp: -1}, "limits"},
		{attack.Feature{MaxDown: inf}, "limits"},
		{attack.Feature{MaxUpPart: nan}, "limits"},
		{attack.Feature{MaxDownPart: -2}, "limits"},
		{attack.Feature{Step: inf}, "step"},
		{attack.Feature{Origin: 1}, "origin 1 with step 0"},
		{attack.Feature{Step: 1, Origin: nan}, "origin NaN"},
		{attack.Feature{Missing: 3}, "missing rule 3"},
		{attack.Feature{Group: -1}, "group -1"},
		{attack.Feature{Group: 1}, "the only one of group 1"},
		{attack.Feature{Group: 1, Categorical: true}, "no codes"},
		{attack.Feature{Group: 1, Missing: attack.FillMissing}, "never missing"},
		{attack.Feature{Group: 1, Down: 2}, "one price"},
		{attack.Feature{Categorical: true, Step: 2}, "one price"},
		{attack.Feature{Categorical: true, MaxUp: 2}, "one price"},
	}
	for _, test := range tests {
		a := &attack.RegionBased{
			Classifier: c,
			Options:    attack.Options{Features: []attack.Feature{{}, test.rule}},
		}
		_, err := a.Perturb(t.Context(), []float64{0, 0})
		if !errors.Is(err, classifier.ErrOption) || !strings.Contains(err.Error(), "feature 1") ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: error %v, want one about feature 1 that says %q",
				test.rule, err, test.want)
		}
	}
	a := &attack.RegionBased{
		Classifier: c,
		Options:    attack.Options{Features: make([]attack.Feature, 3)},
	}
	if _, err := a.Perturb(t.Context(), []float64{0, 0}); !errors.Is(err, classifier.ErrOption) ||
		!strings.Contains(err.Error(), "3 features") {
		t.Errorf("three rules for two features: %v", err)
	}
}

// TestWhoKnowsNoRules: a classifier that does not say that it knows rules is not asked with any.
func TestWhoKnowsNoRules(t *testing.T) {
	c := neighbors(t, mat.NewDense(2, 2, []float64{0, 0, 1, 1}), []int{0, 1})
	x := []float64{0, 0}
	ask := func(x []float64, o attack.Options) error {
		_, err := (&attack.RegionBased{Classifier: c, Options: o}).Perturb(t.Context(), x)
		return err
	}
	if err := ask(
		x, attack.Options{Features: []attack.Feature{{}, {Step: 1}}},
	); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("an integer: %v", err)
	}
	if err := ask(x, attack.Options{Changes: true}); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("changes: %v", err)
	}
	if err := ask(
		[]float64{0, math.NaN()}, attack.Options{},
	); !errors.Is(err, polytope.ErrNotFinite) {
		t.Errorf("a missing value: %v", err)
	}
	if err := ask(x, attack.Options{Features: make([]attack.Feature, 2)}); err != nil {
		t.Errorf("rules that are none: %v", err)
	}
}

// TestDeclaredCategories: what a model says are categories moves from code to code.
func TestDeclaredCategories(t *testing.T) {
	const text = `{"format":"facet-model","version":1,"kind":"ensemble","n_features":2,` +
		`"categories":[0,4],"comparison":"x < t","vote":"sum",` +
		`"trees":[{"feature":[1,-1,-1],"threshold":[1.25,0,0],"left":[1,-1,-1],"right":[2,-1,-1],` +
		`"value":[[1,1],[1,0],[0,1]]}]}`
	c, err := classifier.Read[classifier.Classifier](strings.NewReader(text),
		classifier.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	attacked := func(f attack.Feature) attack.Result {
		t.Helper()
		a := &attack.RegionBased{
			Classifier: c,
			Options:    attack.Options{Features: []attack.Feature{{}, f}},
		}
		r, err := a.Perturb(t.Context(), []float64{0, 1})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := attacked(attack.Feature{Up: 3}); r.Distance != 3 || r.Example[1] != 2 || !r.Optimal() {
		t.Errorf("a category: %+v, want code 2 for 3", r)
	}
	if r := attacked(attack.Feature{Step: 0.5, Up: 3}); r.Distance != 1.5 || r.Example[1] != 1.5 {
		t.Errorf("a grid: %+v, want 1.5 for 1.5", r)
	}
	a := &attack.RegionBased{
		Classifier: c,
		Options:    attack.Options{Features: []attack.Feature{{}, {Down: 2}}},
	}
	if _, err := a.Perturb(t.Context(), []float64{0, 1}); !errors.Is(err, classifier.ErrOption) ||
		!strings.Contains(err.Error(), "feature 1 is a category") {
		t.Errorf("a category with a price down: %v", err)
	}
}
