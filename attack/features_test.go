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
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestFeatureFaults: a rule without a meaning is an error that names the feature.
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

// TestDeclaredCategories: features that a model declares as categories move from code to code.
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

// declared is an ensemble of which a file says how many codes its categories have.
type declared struct {
	*classifier.Ensemble
	codes []int
}

func (d *declared) Categories() []int { return d.codes }

// declare moves the categories in the rules of an instance to its classifier.
func declare(t *testing.T, in *instance.Ruled) attack.Options {
	t.Helper()
	e, err := classifier.NewEnsemble(in.Trees, classifier.EnsembleOptions{
		Vote: classifier.HardVote,
	})
	if err != nil {
		t.Fatal(err)
	}
	d := &declared{e, make([]int, e.Dim())}
	opts := in.Options()
	opts.Features = append([]attack.Feature(nil), in.Rules...)
	for j := range in.Rules {
		if f := &in.Rules[j]; f.Categorical {
			f.Codes = max(f.Codes, 1)
			d.codes[j] = f.Codes
			opts.Features[j].Categorical, opts.Features[j].Codes = false, 0
		}
	}
	in.C, in.From = d, d.Predict(in.X)
	if in.Target != nil && *in.Target == in.From {
		in.Target, opts.Target = nil, nil
	}
	return opts
}

// TestDeclaredCategoriesAgainstEnumeration: rows whose categories the classifier does not declare
// keep them at no cost, and move to declared ones, as an enumeration of both has it.
func TestDeclaredCategoriesAgainstEnumeration(t *testing.T) {
	t.Parallel()
	for _, norm := range instance.Measures() {
		t.Run(fmt.Sprint(norm), func(t *testing.T) {
			t.Parallel()
			unknown := 0
			for number := range uint64(racetest.Count(300, 5000)) {
				in := instance.DrawRuled(t, rand.New(rand.NewPCG(number, 700+uint64(norm))),
					"category", norm)
				opts := declare(t, in)
				for j, f := range in.Rules {
					if f.Categorical && !(in.X[j] < float64(f.Codes)) {
						unknown++
						break
					}
				}
				truth := in.Nearest(func([]int) bool { return true })
				a := &attack.RegionBased{Classifier: in.C, Options: opts}
				r, err := a.Perturb(t.Context(), in.X)
				exact := r.Optimal() && math.Abs(r.Distance-truth) <= 1e-9*max(1, truth)
				if math.IsInf(truth, 1) {
					exact = r.Optimal() && r.Example == nil
				}
				if err != nil || !exact {
					t.Fatalf("instance %d: %+v, %v, want %v\nx %v, rules %+v",
						number, r, err, truth, in.X, in.Rules)
				}
			}
			if unknown == 0 {
				t.Error("no row has an undeclared category")
			}
		})
	}
}

// beyond is a model of a category of declared codes 0 to 1, of which 5 goes with 0, and a number:
// label 1 where the number is at least .6, and where the category is 1.
const beyond = `{"format":"facet-model","version":1,"kind":%q,"n_features":2,"categories":[2,0],` +
	`"comparison":"x < t","vote":"sum",` +
	`"trees":[{"feature":[0,-1,0,-1,-1],"threshold":[1,0,2,0,0],"left":[1,-1,3,-1,-1],"right":[2,` +
	`-1,4,-1,-1],"value":%s},` +
	`{"feature":[1,-1,-1],"threshold":[0.6,0,0],"left":[1,-1,-1],"right":[2,-1,-1],"value":%s}]}`

func readBeyond(t *testing.T) *classifier.Ensemble {
	t.Helper()
	e, err := classifier.Read[*classifier.Ensemble](
		strings.NewReader(fmt.Sprintf(beyond, "ensemble",
			"[[0,0],[0.5,0],[0,0],[0,2],[0.5,0]]", "[[0,0],[0,0],[0,1]]")),
		classifier.ReadOptions{},
	)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestUndeclaredCategory: a row keeps a category that the model does not declare while its numbers
// move, for all questions, and by Above of a regressor as well.
func TestUndeclaredCategory(t *testing.T) {
	regressor, err := classifier.Read[*classifier.Regressor](strings.NewReader(
		fmt.Sprintf(beyond, "regressor", "[[0],[0],[0],[2],[0]]", "[[0],[0],[1]]")),
		classifier.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	above, err := regressor.Above(0.75)
	if err != nil {
		t.Fatal(err)
	}
	for _, own := range []float64{0, 5, 2.5, -3, 1 << 40, 1e300} {
		for name, c := range map[string]*classifier.Ensemble{
			"Read":  readBeyond(t),
			"Above": above,
		} {
			x := []float64{own, 0.2}
			a := &attack.RegionBased{Classifier: c}
			r, err := a.Perturb(t.Context(), x)
			if err != nil || !r.Optimal() || r.Example[0] != own || math.Abs(r.Bound-0.4) > 1e-12 {
				t.Errorf("%s, %v: %+v, %v, want category %v kept and bound .4",
					name, x, r, err, own)
			}
			if robust, err := verdictAt(t.Context(), a, x, 0.5); robust != attack.Refuted ||
				err != nil {
				t.Errorf("%s, %v: robust at .5 is %v, %v", name, x, robust, err)
			}
			all, err := a.Counterfactuals(t.Context(), x, 2)
			list := all.Found
			if err != nil || len(list) != 2 || list[0].Example[0] != own ||
				list[1].Example[0] != 1 || list[1].Example[1] != 0.2 {
				t.Errorf("%s, %v: counterfactuals %+v, %v, want the number, then category 1",
					name, x, list, err)
			}
			if d := a.Distance(x, []float64{own, 0.7}); math.Abs(d-0.5) > 1e-12 {
				t.Errorf("%s, %v: distance %v to a number .5 away", name, x, d)
			}
		}
	}
}

// TestUndeclaredCategoryInDomain: a domain that the caller gives counts, and it may have more codes
// than the model declares.
func TestUndeclaredCategoryInDomain(t *testing.T) {
	c := readBeyond(t)
	ask := func(x []float64, o attack.Options) attack.Result {
		t.Helper()
		r, err := (&attack.RegionBased{Classifier: c, Options: o}).Perturb(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	box := polytope.NewBox(2)
	box[0].Hi = 4
	if r := ask([]float64{5, 0.2}, attack.Options{Domain: box}); r.Distance != 1 || !r.Optimal() {
		t.Errorf("outside the domain: %+v, want distance 1", r)
	}
	three := []attack.Feature{{Codes: 3, Categorical: true}, {Frozen: true}}
	if r := ask(
		[]float64{1, 0.2}, attack.Options{
			Features: three,
			Domain:   polytope.Box{{Lo: 2, Hi: 9}, polytope.Line()},
		},
	); r.Distance != 1 || r.Example[0] != 2 {
		t.Errorf("three codes: %+v, want code 2", r)
	}
	frozen := []attack.Feature{{}, {Frozen: true}}
	if r := ask(
		[]float64{1, 0.2}, attack.Options{
			Features: frozen,
			Domain:   polytope.Box{{Lo: 2, Hi: 9}, polytope.Line()},
		},
	); !math.IsInf(r.Bound, 1) || !r.Optimal() {
		t.Errorf("two codes, both outside the domain: %+v, want none", r)
	}
	a := &attack.RegionBased{
		Classifier: c,
		Options:    attack.Options{Features: []attack.Feature{{}, {Codes: 3}}},
	}
	if _, err := a.Perturb(t.Context(), []float64{1, 0.2}); !errors.Is(err, classifier.ErrOption) ||
		!strings.Contains(err.Error(), "feature 1") {
		t.Errorf("codes of a number: %v", err)
	}
}
