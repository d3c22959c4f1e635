package costs_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/examples/internal/costs"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

var words = []string{"age", "months employed", "months", "income", "a-b", "7"}

// between reads a file with one rule between features.
func between(text string, names []string) (*costs.Rules, error) {
	return read(`{"linear": ["`+text+`"]}`, names, len(words))
}

// TestLinear reads rules between features.
func TestLinear(t *testing.T) {
	for text, want := range map[string]polytope.HalfSpace{
		"months employed <= 12 * (age - 18)": {A: []float64{-12, 1, 0, 0, 0, 0}, B: -216},
		"months≥2·income−100":                {A: []float64{0, 0, -1, 2, 0, 0}, B: 100},
		"income >= 2*months - 100":           {A: []float64{0, 0, 2, -1, 0, 0}, B: 100},
		"a-b < age":                          {A: []float64{-1, 0, 0, 0, 1, 0}, Open: true},
		"3 > -(age + age)/4":                 {A: []float64{-.5, 0, 0, 0, 0, 0}, B: 3, Open: true},
		"[5] + [ 0 ] <= 7":                   {A: []float64{1, 0, 0, 0, 0, 1}, B: 7},
		"age*2 + 1e2 <= - - months*.5":       {A: []float64{2, 0, -.5, 0, 0, 0}, B: -100},
	} {
		got, err := between(text, words)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		h := got.HalfSpaces()[0]
		for j := range h.A {
			h.A[j] += 0 // −0 is 0
		}
		if !slices.Equal(h.A, want.A) || h.B != want.B || h.Open != want.Open ||
			got.Linear[0].Text != text {
			t.Errorf("%s: %+v", text, got.Linear[0])
		}
	}
}

// TestLinearMistakes: every mistake says where it is.
func TestLinearMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"agee <= 3":             `at "agee <= 3": want a feature or a number. Is "age" meant?`,
		"age 3":                 `at "3": want <= or >= between two sums`,
		"age <= 3 months":       `at "months": want nothing more`,
		"age <=":                `it ends where it should have a feature or a number`,
		"age * months <= 3":     `a product of two features`,
		"1 / age <= 3":          `divides by numbers only`,
		"age / 0 <= 3":          `divides by numbers only`,
		"age = months":          `write two rules`,
		"(age <= 3":             `at "<= 3": want )`,
		"age - age <= 3":        `says nothing about any feature`,
		"[9] <= 3":              `the 6 features are 0 to 5`,
		"[1 <= 3":               `want the number of a feature, and ]`,
		"inf <= age":            `at "inf <= age": want a feature or a number`,
		"7 <= 8":                `says nothing about any feature`,
		strings.Repeat("(", 99): `nested too deep`,
	} {
		if _, err := between(text, words); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	if _, err := between("age <= 3", nil); err == nil ||
		!strings.Contains(err.Error(), "[0] to [5]") {
		t.Errorf("a name where no file has any: %v", err)
	}
	for _, file := range []string{`{"linear": "age <= 3"}`, `{"linear": [3]}`} {
		if _, err := read(file, words, len(words)); err == nil ||
			!strings.Contains(err.Error(), `months <= 12 * (age - 18)`) {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// TestLinearScaled: the rule of scaled features is the same rule.
func TestLinearScaled(t *testing.T) {
	got, err := between("months <= 12 * (age - 18)", words)
	if err != nil {
		t.Fatal(err)
	}
	scale, shift := []float64{0.5, 1, 0.25, 1, 1, 1}, []float64{-8, 0, 4, 0, 0, 0}
	x := []float64{20, 0, 24, 0, 0, 0} // on the border
	if list := breaches(got, x, x); len(list) != 0 {
		t.Errorf("%v at the border", list)
	}
	if err := got.Scale(scale, shift, words); err != nil {
		t.Fatal(err)
	}
	for j := range x {
		x[j] = x[j]*scale[j] + shift[j]
	}
	if list := breaches(got, x, x); len(list) != 0 {
		t.Errorf("%v at the border, scaled", list)
	}
	x[2] += 0.25
	if list := breaches(got, x, x); !slices.Equal(list, []rules.Breach{rules.Unkept}) {
		t.Errorf("%v beyond the border", list)
	}
	for e := range got.Breaks(x, x) {
		if about := got.About(e, words); about != "months <= 12 * (age - 18)" {
			t.Errorf("%v is about %s", e, about)
		}
	}
}
