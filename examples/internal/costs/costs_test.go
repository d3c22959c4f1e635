package costs_test

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/examples/internal/costs"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

var names = []string{"age", "months", "income", "loans", "purpose_car", "purpose_home",
	"purpose_tv", "job"}

// read reads a file for a model of these features.
func read(text string, names []string, dim int) (*costs.Rules, error) {
	return costs.Read([]byte(text), names, dim)
}

var inf = math.Inf(1)

// TestRules reads a file that says everything that can be said.
func TestRules(t *testing.T) {
	got, err := read(`{
		"//": "a comment", "//": "and another",
		"features": {
			"age":    {"frozen": true, "min": 18, "//": "nobody gets younger"},
			"months": {"down": "inf", "max_increase": 12},
			"2":      {"up": 2, "down": 0.5, "min": 0, "max": 1e6, "max_increase": 5000, "max_decrease": "10%"},
			"loans":  {"integer": true, "step": 2, "origin": 1, "max": 9, "max_increase": 0, "max_decrease": "0 %"},
			"purpose_tv": {"up": "inf"},
			"job":    {"categorical": true, "up": 3}},
		"groups": [{"members": ["purpose_car", 5, "6"], "cost": 1.5}]}`, names, len(names))
	if err != nil {
		t.Fatal(err)
	}
	domain := polytope.NewBox(len(names))
	domain[2] = polytope.Interval{Lo: 0, Hi: 1e6}
	domain[3].Hi = 9
	want := &costs.Rules{
		Features: []attack.Feature{
			{Frozen: true},
			{Down: inf, MaxUp: 12},
			{Up: 2, Down: 0.5, MaxUp: 5000, MaxDownPart: 0.1},
			{Up: inf, Down: inf, Step: 2, Origin: 1},
			{Group: 1, Up: 1.5}, {Group: 1, Up: 1.5}, {Group: 1, Up: inf},
			{Categorical: true, Up: 3},
		},
		Domain: domain,
		Groups: []costs.Group{{
			Name:       "purpose",
			Members:    []int{4, 5, 6},
			Categories: []string{"car", "home", "tv"},
		}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v, want\n%+v", got, want)
	}
}

// TestLittle: a feature without a rule is free, real, and costs 1.
func TestLittle(t *testing.T) {
	for _, text := range []string{
		`{}`, `{"features": {}, "groups": []}`, `{"features": {"1": {}}}`,
	} {
		got, err := read(text, nil, 2)
		if want := (&costs.Rules{Features: make([]attack.Feature, 2)}); err != nil ||
			!reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v, want %+v", text, got, err, want)
		}
	}
}

// TestGroups: names of groups and of their categories.
func TestGroups(t *testing.T) {
	for _, tt := range []struct {
		text       string
		names      []string
		name       string
		categories []string
		features   []attack.Feature
	}{
		{`{"groups": [{"members": [0, 1]}]}`, nil, "0/1", []string{"0", "1"},
			[]attack.Feature{{Group: 1, Up: 1}, {Group: 1, Up: 1}}},
		{`{"groups": [{"members": [0, 1], "name": "colour", "cost": "inf"}]}`, nil, "colour",
			[]string{"0", "1"}, []attack.Feature{{Group: 1, Up: inf}, {Group: 1, Up: inf}}},
		{`{"groups": [{"members": [0, 1], "frozen": true}]}`, []string{"red", "rose"}, "red/rose",
			[]string{"red", "rose"}, []attack.Feature{{Frozen: true}, {Frozen: true}}},
		{`{"groups": [{"members": [1, 0]}]}`, []string{"is red", "is rose"}, "is",
			[]string{"rose", "red"}, []attack.Feature{{Group: 1, Up: 1}, {Group: 1, Up: 1}}},
	} {
		got, err := read(tt.text, tt.names, 2)
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		if g := got.Groups[0]; g.Name != tt.name ||
			!reflect.DeepEqual(g.Categories, tt.categories) ||
			!reflect.DeepEqual(got.Features, tt.features) {
			t.Errorf("%s: %+v, %+v", tt.text, g, got.Features)
		}
	}
}

// TestMistakes: every mistake is named with its feature and its key.
func TestMistakes(t *testing.T) {
	of := func(rules string) string { return `{"features": {"income": ` + rules + `}}` }
	group := func(rules string) string { return `{"groups": [` + rules + `]}` }
	for text, says := range map[string]string{
		"\n":                      `the file is empty`,
		"{\n\n\"features\": {,}}": `line 3: not JSON: invalid character ','`,
		`{"features": {}`:         `line 1: not JSON: `,
		`{} {}`:                   `line 1: something stands behind the object`,
		`[1]`: `the file is a list; an object with "features" and "groups" ` +
			`is wanted`,
		`{"a":[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]}`: `nested too deep`,
		`{"feature": {}}`: `there is no key "feature"; the keys are ` +
			`features, groups, linear. Is "features" meant?`,
		`{"features": [1]}`: `"features": want an object with a key for ` +
			`each feature, not a list`,
		`{"features": {"incom": {}}}`: `feature "incom": there is no such ` +
			`feature. Is "income" meant?`,
		`{"features": {"zzzzzzzz": {}}}`: `feature "zzzzzzzz": there is no such ` +
			`feature; the features are age, months, income,`,
		`{"features": {"8": {}}}`: `feature "8": there is no such feature: ` +
			`the 8 features are 0 to 7`,
		`{"features": {"-1": {}}}`: `feature "-1": there is no such feature: ` +
			`the 8 features are 0 to 7`,
		`{"features": {"income": {}, "2": {}}}`: `feature "2": it has rules twice, by its ` +
			`name and by its number`,
		`{"features": {"income": {}, "income": {}}}`: `line 1: the key "income" is there twice`,
		of(`3`): `feature "income": want an object such ` +
			`as {"frozen": true}, not 3`,
		of(`{"upp": 1}`): `feature "income": there is no key ` +
			`"upp"; the keys are up, down, frozen, min, max, max_increase, max_decrease, ` +
			`integer, step, origin, categorical, missing. Is "up" meant?`,
		of(`{"up": 0}`): `feature "income": "up": want a number ` +
			`above 0, or "inf" for a move that is not allowed, not 0: a move that costs nothing ` +
			`has no nearest answer; take a small number such as 0.001`,
		of(`{"down": -1}`): `feature "income": "down": want a ` +
			`number above 0, or "inf" for a move that is not allowed, not -1`,
		of(`{"down": "infinite"}`): `"down": want a number above 0, or ` +
			`"inf" for a move that is not allowed, not "infinite"`,
		of(`{"up": 1e999}`):    `"up": want a number above 0`,
		of(`{"frozen": 1}`):    `"frozen": want true or false, not 1`,
		of(`{"frozen": null}`): `"frozen": want true or false, not null`,
		of(`{"frozen": true, "up": 2}`): `"up": the feature is "frozen", so it ` +
			`has no moves that this could be about`,
		of(`{"down": 2, "frozen": true}`):            `"down": the feature is "frozen"`,
		of(`{"max_increase": 2, "frozen": true}`):    `"max_increase": the feature is "frozen"`,
		of(`{"max_decrease": "1%", "frozen": true}`): `"max_decrease": the feature is "frozen"`,
		of(`{"min": "0"}`):                           `"min": want a number, not "0"`,
		of(`{"min": {}}`):                            `"min": want a number, not an object`,
		of(`{"min": 2, "max": 1}`): `feature "income": "min" 2 is above ` +
			`"max" 1`,
		of(`{"max_increase": "10"}`): `"max_increase": want a number from 0, or a part of the ` +
			`value such as "10%", not "10"`,
		of(`{"max_decrease": "-1%"}`): `"max_decrease": want a number from 0`,
		of(`{"max_decrease": -1}`):    `"max_decrease": want a number from 0`,
		of(`{"step": 1}`):             `"step" needs "integer": true`,
		of(`{"origin": 1, "integer": false}`): `"origin" ` +
			`needs "integer": true`,
		of(`{"integer": true, "step": 0}`): `"step": want a number above 0, not 0`,
		of(`{"integer": true, "min": 1.2, "max": 1.8}`): `"integer": ` +
			`none of its values lies between "min" 1.2 and "max" 1.8`,
		of(`{"integer": true, "categorical": true}`): `"categorical": its values are codes 0, ` +
			`1, 2, … already, so "integer" does not go with it`,
		of(`{"down": 1, "categorical": true}`): `"down": any change of a "categorical" ` +
			`feature costs "up"`,
		of(`{"max_decrease": 1, "categorical": true}`): `"max_increase" and "max_decrease": the ` +
			`codes of a "categorical" feature have no order`,
		of(`{"missing": true}`): `"missing": ` +
			`want "keep", "fill" (a missing value may become a number) or "may" (a number may ` +
			`also be missing), not true`,
		of(`{"missing": "fill", "frozen": true}`): `"missing": the feature is "frozen", so it ` +
			`has no moves`,
		`{"groups": {}}`: `"groups": want a list of objects with ` +
			`"members", not an object`,
		group(`1`): `group 0 (from 0): want an object such ` +
			`as {"members": ["red", "green"]}, not 1`,
		group(`{"members": ["purpose_car"]}`): `group of ` +
			`"purpose_car": "members": "purpose_car" is alone`,
		group(`{"name": "p", "members": []}`): `group "p": ` +
			`"members": want a list of features, not a list`,
		group(`{"name": "p"}`): `group "p": ` +
			`"members" is missing`,
		group(`{"members": [true, 1]}`): `"members": ` +
			`want names of features, or their numbers, not true`,
		group(`{"members": ["age", "agee"]}`): `"members": ` +
			`"agee": there is no such feature. Is "age" meant?`,
		group(`{"members": ["age", 0]}`): `group of ` +
			`"age": "members": "0": it is there twice`,
		group(`{"members": [0, 1]}, {"members": [1,2]}`): `group of ` +
			`"1": "members": "1": it is in the group of "0" already`,
		group(`{"members": [0, 1], "name": "p"}, {"members": [2, 3], "name": "p"}`): `group "p": ` +
			`there are two groups of this name`,
		`{"features": {"purpose": {"frozen": true}}}`: `feature "purpose": there is no ` +
			`such feature, but the columns purpose_car, purpose_home`,
		group(`{"member": [0, 1]}`): `there is no key "member"; the ` +
			`keys are name, members, cost, frozen. Is "members" meant?`,
		group(`{"members": [0, 1], "cost": 0}`):                 `"cost": want a number above 0`,
		group(`{"members": [0, 1], "name": ""}`):                `"name": want a name, not ""`,
		group(`{"members": [0, 1], "cost": 2, "frozen": true}`): `"cost": the group is "frozen"`,
		`{"groups": [{"members": ["age", "income"], "name": "p"}], "features": {"income": ` +
			`{"integer": true}}}`: `feature "income": "integer": it is a member of the group ` +
			`"p"; of a member only "up" can be said`,
		`{"features": {"income": {"up": 2}}, "groups": [{"members": ["age", "income"], "frozen": ` +
			`true}]}`: `feature "income": "up": it is a member of the group of "age"`,
		`{"features": {"income": {"down": "inf"}}, "groups": [{"members": ["age", "income"], ` +
			`"name": "income"}]}`: `feature "income": "down": it is a member of the group "income"`,
	} {
		if _, err := read(text, names, len(names)); err == nil ||
			!strings.Contains(err.Error(), says) {
			t.Errorf("%s:\n%v, want\n%s", text, err, says)
		}
	}
	if _, err := read(of(`{}`), nil, 3); err == nil ||
		!strings.Contains(err.Error(),
			`feature "income": no file names the features; give its number, 0 to 2`) {
		t.Errorf("%v", err)
	}
}

// FuzzParse: of any bytes there come rules that hold together, or an error.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		`{"features": {"age": {"frozen": true}, "income": {"up": 2, "down": "inf", "min": 0, ` +
			`"max": 1e6, "max_increase": 5000, "max_decrease": "10%"}}}`,
		`{"features": {"loans": {"integer": true, "step": 0.5, "origin": -3, "min": 1}, "job": ` +
			`{"categorical": true}}, "groups": [{"members": [4, "5", "purpose_tv"], "cost": 2, ` +
			`"name": "x"}]}`,
		`{"groups": [{"members": [1, 2], "frozen": true}, {"members": [3, 0]}], "features": ` +
			`{"0": {"up": "inf"}}}`,
		`{"//": 1, "//": [{}]}`, `{"features": {"age": {"min": 1e308, "max": -1e308}}}`, "[[[",
		`{"features": null}`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := read(text, names, len(names))
		if err != nil {
			return
		}
		if len(r.Features) != len(names) || r.Domain != nil && len(r.Domain) != len(names) {
			t.Fatalf("%q: %+v", text, r)
		}
		for j, one := range r.Features {
			for _, v := range []float64{
				one.Up, one.Down, one.MaxUp, one.MaxDown, one.MaxUpPart, one.MaxDownPart, one.Step,
			} {
				if !(v >= 0) {
					t.Fatalf("%q: feature %d: %+v", text, j, one)
				}
			}
			kinds := 0
			for _, is := range []bool{one.Step > 0, one.Group > 0, one.Categorical} {
				if is {
					kinds++
				}
			}
			if kinds > 1 || one.Group > len(r.Groups) ||
				r.Domain != nil && geometry.Empty(r.Domain[j]) {
				t.Fatalf("%q: feature %d: %+v in %v", text, j, one, r.Domain)
			}
		}
	})
}

// TestDocumented: the file that docs/use/costs.md shows is one.
func TestDocumented(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "use", "costs.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```json\n")
	text, _, _ := strings.Cut(rest, "```")
	got, err := read(text, names, len(names))
	if err != nil {
		t.Fatal(err)
	}
	want := []attack.Feature{{Frozen: true}, {Down: inf},
		{Up: 2, Down: 0.5, MaxUp: 5000, MaxDownPart: 0.1}, {Step: 1}, {Group: 1, Up: 1},
		{Group: 1, Up: 1}, {Group: 1, Up: 1}, {}}
	if !reflect.DeepEqual(got.Features, want) || got.Groups[0].Name != "purpose" {
		t.Errorf("%+v, %+v, want %+v", got.Features, got.Groups, want)
	}
	for _, key := range []string{
		"up", "down", "frozen", "min", "max", "max_increase", "max_decrease", "integer", "step",
		"origin", "categorical", "members", "cost", "name",
	} {
		if !strings.Contains(string(page), "`"+key+"`") {
			t.Errorf("the page does not explain %s", key)
		}
	}
}

// TestDeclare: a model's categories are categories, unless rules declare them otherwise, and their
// prices are not those of a unit.
func TestDeclare(t *testing.T) {
	r, err := read(`{"features": {"b": {"up": 2}, "c": {"integer": true}}, "groups": `+
		`[{"members": ["d", "e"]}]}`, []string{"a", "b", "c", "d", "e", "f"}, 6)
	if err != nil {
		t.Fatal(err)
	}
	r.Declare([]int{4, 3, 5, 2, 2, 0})
	r.Price([]float64{8, 8, 8, 8, 8, 8})
	for j, want := range []attack.Feature{
		{Categorical: true, Codes: 4}, {Up: 2, Categorical: true, Codes: 3},
		{Up: 8, Down: 8, Step: 1}, {Up: 1, Group: 1}, {Up: 1, Group: 1}, {Up: 8, Down: 8},
	} {
		if got := r.Features[j]; got != want {
			t.Errorf("feature %d: %+v, want %+v", j, got, want)
		}
	}
}

// TestNamed: errors of attacks name features where they have their numbers.
func TestNamed(t *testing.T) {
	odd := &polytope.FeatureError{Feature: 1, What: "is odd", Err: io.EOF}
	err := costs.Named(fmt.Errorf("feature 12: %w", odd), []string{"feature 0", "a", "feature 1"})
	const want = `feature 12: feature "a" is odd: EOF`
	if err.Error() != want || !errors.Is(err, io.EOF) {
		t.Errorf("%q, want %q", err, want)
	}
	if err := costs.Named(odd, []string{"a"}); err.Error() != "feature 1 is odd: EOF" {
		t.Errorf("%v, whose feature has no name", err)
	}
	if err := costs.Named(io.EOF, nil); err != io.EOF {
		t.Errorf("%v without names", err)
	}
}
