package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
)

// certified makes results of facet certify of so many rows, the first yes of which are robust at
// each radius.
func certified(t *testing.T, model string, rows int, radii []float64, yes ...int) *Source {
	s := source(t, 0)
	s.Meta.Program, s.Meta.TestRows, s.Row = results.Certifying, rows, nil
	s.Meta.Inputs = map[string]results.Input{"model": {Path: model}, "test": {Sum: "t"}}
	l := label(t, "1")
	for i := range rows {
		robust := make([]string, len(radii))
		for k := range radii {
			if robust[k] = "no"; i < yes[k] {
				robust[k] = "yes"
			}
		}
		s.Lines = append(s.Lines, results.Line{
			Asked:     results.Asked{Row: i, Label: &l, Predicted: l},
			Status:    results.Decided,
			Certified: results.Certified{Radii: radii, Robust: robust},
		})
	}
	return s
}

// TestCompare: two models stand in one picture, each at its own radii, unless they were asked about
// different things.
func TestCompare(t *testing.T) {
	s := certified(t, "old.json", 10, []float64{0.1, 0.2}, 8, 5)
	if err := s.Compare(certified(t, "new.json", 10, []float64{0.1, 0.3}, 9, 4)); err != nil {
		t.Fatal(err)
	}
	d := newPage(s).Series()
	if !d.Many || !slices.Equal(d.Radii, []string{"0", "0.1", "0.2", "0.3"}) {
		t.Fatalf("%+v", d)
	}
	for i, want := range []string{
		"[100.0 % (10 of 10) 80.0 % (8 of 10) 50.0 % (5 of 10) –]",
		"[100.0 % (10 of 10) 90.0 % (9 of 10) – 40.0 % (4 of 10)]",
	} {
		if l := d.Lines[i]; fmt.Sprint(l.Shares) != want || len(l.Dots) != 3 {
			t.Errorf("%s: %v with %d dots, want %s", l.Name, l.Shares, len(l.Dots), want)
		}
	}
	if html := write(t, s); !strings.Contains(html, "B: new.json") {
		t.Error("the page does not name the second model")
	}
	other := certified(t, "other.json", 10, []float64{0.1}, 9)
	for want, change := range map[string]func(){
		"different test rows": func() { other.Meta.Inputs["test"] = results.Input{Sum: "u"} },
		"--norm inf":          func() { other.Meta.Flags["norm"] = "1" },
		"facet attack":        func() { other.Meta.Program = results.Attacking },
		"different rows":      func() { other.Lines[3].Row = 30 },
		"--costs":             func() { other.Meta.Inputs["costs"] = results.Input{Sum: "c"} },
	} {
		other = certified(t, "other.json", 10, []float64{0.1}, 9)
		change()
		if err := s.Compare(other); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("compared: %v, want %q", err, want)
		}
	}
}

// TestWhole: an example between whole numbers is shown at the next one, if the prediction is the
// same there, and no rules declare the inputs.
func TestWhole(t *testing.T) {
	no, yes, d := label(t, "0"), label(t, "1"), 1e-6
	made := func(limit float64) *Source {
		s := source(t, 0)
		s.Meta.Features, s.Meta.Dimension = []string{"months", "rate"}, 2
		s.Lines = []results.Line{{
			Asked: results.Asked{Predicted: no}, AdversarialLabel: &yes, Status: results.Optimal,
			Optimal: true, Distance: &d, Bound: &d,
			Adversarial: tabular.Words(nil).Row([]float64{24.000001, 0.5}),
		}}
		s.Row = func(int) []tabular.Value { return tabular.Words(nil).Row([]float64{24, 0.5}) }
		s.Predict = func(x []float64) tabular.Label {
			if x[0] > 24 && x[0] < limit {
				return yes
			}
			return no
		}
		return s
	}
	for want, s := range map[string]*Source{
		"months 24 → 25": made(math.Inf(1)), "months 24 → 24.000001": made(24.5),
	} {
		if p := newPage(s); !slices.Equal(p.Nearest[0].Changes, []string{want}) ||
			(p.Whole == "") != strings.Contains(want, "24.0") {
			t.Errorf("%v, %q, want %s", p.Nearest[0].Changes, p.Whole, want)
		}
	}
	s := made(math.Inf(1))
	s.Meta.Flags["domain"] = "0,24.5"
	if p := newPage(s); p.Whole != "" {
		t.Errorf("in a box: %q", p.Whole)
	}
}

// TestThresholds: of rows whose examples cross the same threshold the nearest is shown, with how
// many they are.
func TestThresholds(t *testing.T) {
	s, yes := source(t, 0), label(t, "1")
	s.Meta.Features, s.Meta.Dimension = []string{"age"}, 1
	s.Row = func(i int) []tabular.Value { return tabular.Words(nil).Row([]float64{float64(i)}) }
	for i := range 5 {
		to := 10.5
		if i == 4 {
			to = 2.5
		}
		d := math.Abs(to - float64(i))
		s.Lines = append(s.Lines, results.Line{
			Asked: results.Asked{Row: i}, AdversarialLabel: &yes, Status: results.Optimal,
			Distance: &d, Bound: &d, Adversarial: tabular.Words(nil).Row([]float64{to}),
		})
	}
	p := newPage(s)
	if len(p.Nearest) != 2 || p.Nearest[0].Row != 4 || p.Nearest[0].Alike != 1 ||
		p.Nearest[1].Row != 3 || p.Nearest[1].Alike != 4 {
		t.Errorf("%+v", p.Nearest)
	}
}
