package costs_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/examples/internal/costs"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// applicant is a row of names, and said the rules of most tests.
var (
	applicant = []float64{31, 10, 1600, 2, 1, 0, 0, 2}
	said      = `{"features": {"age": {"frozen": true}, "months": {"down": "inf", "max_increase": 12}, "income": {"up": 0.5, "down": 0.25, "max": 3000, "max_decrease": "10%"},
		"loans": {"integer": true, "step": 2}, "job": {"categorical": true, "up": 3}, "purpose_tv": {"up": "inf"}},
		"groups": [{"members": ["purpose_car", "purpose_home", "purpose_tv"], "cost": 1.5}]}`
)

func mustRules(t *testing.T, text string) *costs.Rules {
	t.Helper()
	r, err := read(text, names, len(names))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// distance is that of a move by the rules, as an attack has it.
func distance(r *costs.Rules, norm polytope.Norm, x, z []float64) float64 {
	return (&attack.RegionBased{
		Options: attack.Options{Norm: norm, Features: r.Features},
	}).Distance(x, z)
}

// TestChanges: each change is told once, categories by name, with its cost.
func TestChanges(t *testing.T) {
	r := mustRules(t, said)
	z := []float64{31, 12, 1500, 4, 0, 1, 0, 0}
	from, to := slices.Clone(applicant), slices.Clone(z)
	from[1], to[1] = 100, 120
	for counted, want := range map[bool][]float64{
		false: {2, 25, 2, 1.5, 3},
		true:  {1, 0.25, 1, 1.5, 3},
	} {
		got := r.Changes(counted, applicant, z, from, to, names, nil)
		list := []costs.Change{
			{"months", 100.0, 120.0, want[0]}, {"income", 1600.0, 1500.0, want[1]},
			{"loans", 2.0, 4.0, want[2]}, {"purpose", "car", "home", want[3]},
			{"job", 2.0, 0.0, want[4]},
		}
		if !reflect.DeepEqual(got, list) {
			t.Errorf("counted %t: %v, want %v", counted, got, list)
		}
	}
	for o, total := range map[*attack.Options]float64{
		{Norm: polytope.L1}: 33.5, {}: 25, {Changes: true}: 6.75,
	} {
		o.Features = r.Features
		a := &attack.RegionBased{Options: *o}
		if d := a.Distance(applicant, z); d != total {
			t.Errorf("%+v: distance %v, want %v", o, d, total)
		}
	}
	if d, want := distance(
		r, polytope.L2, applicant, z,
	), math.Sqrt(4+625+4+2.25+9); math.Abs(d-want) > 1e-12 {
		t.Errorf("distance %v, want %v", d, want)
	}
	got := r.Changes(false, applicant, applicant, applicant, applicant, nil, nil)
	if got != nil {
		t.Errorf("%v, want nothing", got)
	}
	// Rows that are in no category, or in two, say so.
	for from, x := range map[string][]float64{"none": {0, 0, 0}, "car and tv": {1, 0, 0.5}} {
		x = slices.Concat(applicant[:4], x, applicant[7:])
		c := r.Changes(false, x, z, x, z, nil, nil)
		if got := c[len(c)-2]; got.Feature != "purpose" || got.From != from || got.To != "home" {
			t.Errorf("%v, want it to begin with %s", got, from)
		}
	}
}

// TestMissing: a missing value stays missing, unless the rules let it change.
func TestMissing(t *testing.T) {
	missing := math.NaN()
	for _, tt := range []struct {
		rule  string
		x, z  float64
		want  []rules.Breach
		cost  float64
		shown []costs.Change
	}{
		{"keep", missing, missing, nil, 0, nil},
		{"keep", missing, 7, []rules.Breach{rules.MissingMoved}, 2,
			[]costs.Change{{"age", "missing", 7.0, 2}}},
		{"keep", 7, missing, []rules.Breach{rules.MissingMoved}, 2,
			[]costs.Change{{"age", 7.0, "missing", 2}}},
		{"fill", missing, 7, nil, 2, []costs.Change{{"age", "missing", 7.0, 2}}},
		{"fill", missing, -1, []rules.Breach{rules.Outside}, 2,
			[]costs.Change{{"age", "missing", -1.0, 2}}},
		{"fill", 7, missing, []rules.Breach{rules.MissingMoved}, 2,
			[]costs.Change{{"age", 7.0, "missing", 2}}},
		{"may", 7, missing, nil, 2, []costs.Change{{"age", 7.0, "missing", 2}}},
		{"may", missing, missing, nil, 0, nil},
	} {
		r, err := read(
			fmt.Sprintf(`{"features": {"age": {"missing": %q, "up": 2, "min": 0}}}`, tt.rule),
			names[:1], 1,
		)
		if err != nil {
			t.Fatal(err)
		}
		x, z := []float64{tt.x}, []float64{tt.z}
		if got := breaches(r, x, z); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v to %v breaks %v, want %v", tt.rule, tt.x, tt.z, got, tt.want)
		}
		if got := distance(r, polytope.L1, x, z); got != tt.cost {
			t.Errorf("%s: %v to %v costs %v, want %v", tt.rule, tt.x, tt.z, got, tt.cost)
		}
		got := r.Changes(false, x, z, x, z, names[:1], nil)
		if !reflect.DeepEqual(got, tt.shown) {
			t.Errorf("%s: %v to %v is shown as %v, want %v", tt.rule, tt.x, tt.z, got, tt.shown)
		}
	}
}

// breaches lists how z breaks rules.
func breaches(r *costs.Rules, x, z []float64) (list []rules.Breach) {
	for e := range r.Breaks(x, z) {
		list = append(list, e.Breach)
	}
	return list
}

// TestScale: scaled rules say the same of scaled rows as the rules of rows.
func TestScale(t *testing.T) {
	const text = `{"features": {"age": {"frozen": true}, "months": {"down": "inf", "max_increase": 12}, "income": {"up": 0.5, "min": 1000, "max": 3000, "max_decrease": 100},
		"loans": {"max_increase": 6}, "job": {"categorical": true, "up": 3}}, "groups": [{"members": [4, 5, 6]}]}`
	rng := rand.New(rand.NewPCG(1, 1))
	scale, shift := []float64{1. / 57, 0.25, 1. / 4096, 0.5, 1, 1, 1, 1}, []float64{-0.5, 0, -0.25,
		-0.75, 0, 0, 0, 0}
	plain, scaled, priced := mustRules(t, text), mustRules(t, text), mustRules(t, text)
	if err := scaled.Scale(scale, shift, nil); err != nil {
		t.Fatal(err)
	}
	priced.Price(scale)
	broken := 0
	for range 2000 {
		z := slices.Clone(applicant)
		j := rng.IntN(len(z))
		z[j] += float64(rng.IntN(9)-4) * []float64{1, 4, 50, 1, 0.5, 0.5, 0.5, 1}[j]
		var x2, z2 []float64
		for j := range z {
			x2, z2 = append(x2, applicant[j]*scale[j]+shift[j]), append(z2, z[j]*scale[j]+shift[j])
		}
		breaks := breaches(plain, applicant, z)
		if got := breaches(scaled, x2, z2); !slices.Equal(got, breaks) {
			t.Fatalf("%s = %v breaks %v scaled, want %v", names[j], z[j], got, breaks)
		}
		if len(breaks) > 0 {
			broken++
		}
		if got, want := distance(scaled, polytope.L1, x2, z2), distance(
			priced, polytope.L1, applicant, z,
		); len(breaks) == 0 && math.Abs(got-want) > 1e-9 {
			t.Fatalf("%s = %v costs %v scaled, and %v by scaled prices", names[j], z[j], got, want)
		}
	}
	if broken == 0 || broken == 2000 {
		t.Errorf("%d of 2000 broken", broken)
	}
	for text, says := range map[string]string{
		`{"features": {"months": {"max_increase": "10%"}}}`: `feature "months": "max_increase" ` +
			`and "max_decrease": a part of a value has no meaning once it is scaled`,
		`{"groups": [{"members": [0, 1]}]}`: `feature "age": a category must not be ` +
			`scaled`,
		`{"features": {"age": {"categorical": true}}}`: `feature "age": a category must not be ` +
			`scaled`,
		`{"features": {"loans": {"integer": true}}}`: `feature "loans": "integer": whole numbers ` +
			`are none once they are scaled`,
	} {
		if err := mustRules(t, text).Scale(scale, shift, names); err == nil ||
			!strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %s", text, err, says)
		}
	}
}
