package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/examples/internal/costs"
	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
)

func label(t testing.TB, text string) (l tabular.Label) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &l); err != nil {
		t.Fatal(err)
	}
	return l
}

// source draws results of so many rows of three features.
func source(t testing.TB, n int) *Source {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 1))
	no, yes := label(t, `"no <b>"`), label(t, `"yes"`)
	s := &Source{Meta: &results.Meta{
		Program: results.Attacking, Version: "v1", Features: []string{"age", "in<come>", "debt"},
		Flags:     map[string]string{"norm": "inf", "scale": "none", "model": "forest"},
		Inputs:    map[string]results.Input{"train": {Path: "t.csv", Sum: "ab"}},
		Dimension: 3, TestRows: n,
	}}
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = []float64{float64(20 + rng.IntN(50)), 1000 * rng.Float64(), rng.Float64()}
		l := results.Line{
			Asked:  results.Asked{Row: i, Label: &no, Predicted: no},
			Status: results.Optimal, Optimal: true,
		}
		d := rng.Float64()
		switch rng.IntN(10) {
		case 0:
			l.Label, l.Status, l.Optimal = &yes, results.Misclassified, false
		case 1:
			b := d / 2
			l.Status, l.Optimal, l.Distance, l.Bound = results.Limit, false, &d, &b
		case 2:
			l.Status = results.None
		default:
			l.Distance, l.Bound = &d, &d
		}
		if l.Distance != nil {
			l.AdversarialLabel = &yes
			l.Adversarial = tabular.Words(nil).Row(
				[]float64{rows[i][0], rows[i][1] + d, rows[i][2]},
			)
			l.Counterfactuals = []results.Counterfactual{{Label: yes, Distance: d,
				Changes: []costs.Change{
					{Feature: "in<come>", From: rows[i][1], To: rows[i][1] + d},
				}}}
		}
		s.Lines = append(s.Lines, l)
	}
	s.Row = func(i int) []tabular.Value { return tabular.Words(nil).Row(rows[i]) }
	return s
}

func write(t testing.TB, s *Source) string {
	t.Helper()
	var b bytes.Buffer
	if err := s.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestCurve: each share of the table is that of the lines, counted one by one.
func TestCurve(t *testing.T) {
	s := source(t, 400)
	curve := newPage(s).Curve()
	if len(curve.Table) < 5 || curve.Same {
		t.Fatalf("%+v", curve)
	}
	for _, at := range curve.Table {
		r, err := strconv.ParseFloat(at.Radius, 64)
		if err != nil {
			t.Fatal(err)
		}
		certified, possible := 0, 0
		for _, l := range s.Lines {
			if l.Status == results.None || l.Bound != nil && *l.Bound > r {
				certified++
			}
			if l.Status == results.None || l.Distance != nil && *l.Distance > r {
				possible++
			}
		}
		if want := (curveRow{at.Radius, share(certified, 400), share(possible, 400)}); r == 0 ||
			at != want {
			t.Errorf("%+v, want %+v", at, want)
		}
	}
}

// TestCertify: of facet certify the page has the radii that were asked about.
func TestCertify(t *testing.T) {
	s := source(t, 3)
	s.Meta.Program, s.Lines = results.Certifying, nil
	yes := label(t, "1")
	for i, robust := range [][]string{{"yes", "yes"}, {"yes", "undecided"}, {"no", "no"}} {
		s.Lines = append(s.Lines, results.Line{
			Asked:     results.Asked{Row: i, Label: &yes, Predicted: yes},
			Status:    results.Decided,
			Certified: results.Certified{Radii: []float64{0.1, 0.2}, Robust: robust},
		})
	}
	want := []atRadius{
		{Radius: 0.1, Certified: 2, Possible: 2, Yes: 2, No: 1},
		{Radius: 0.2, Certified: 1, Possible: 2, Yes: 1, No: 1, Undecided: 1},
	}
	p := newPage(s)
	if !slices.Equal(p.Radii, want) || p.Curve() != nil || p.Nearest != nil {
		t.Errorf("%v, want %v", p.Radii, want)
	}
	const line = "0.2</th><td>33.3 % (1 of 3)</td><td>66.7 % (2 of 3)</td><td>1</td><td>1</td>"
	if html := write(t, s); !strings.Contains(html, line) {
		t.Errorf("the page lacks %s", line)
	}
}

// TestNearest: the rows come in the order of their distances, changed cells are marked, and words
// of files are not taken for HTML.
func TestNearest(t *testing.T) {
	s := source(t, 300)
	p := newPage(s)
	if len(p.Nearest) != mostNear || len(p.Features) != 3 || p.Left != 0 {
		t.Fatalf("%d rows with %v", len(p.Nearest), p.Features)
	}
	last := 0.0
	for _, n := range p.Nearest {
		l := s.Lines[n.Row]
		if *l.Distance < last {
			t.Errorf("row %d at %v after %v", n.Row, *l.Distance, last)
		}
		last = *l.Distance
		if n.Cells[0].Changed || !n.Cells[1].Changed || n.Cells[2].Changed {
			t.Errorf("row %d: %+v, want that income changes alone", n.Row, n.Cells)
		}
		from, to, _ := strings.Cut(strings.TrimPrefix(n.Changes[0], "in<come> "), " → ")
		if from != n.Cells[1].Value || from == to {
			t.Errorf("row %d: %v, want two numbers that are not the same in print", n.Row,
				n.Changes)
		}
	}
	for _, l := range s.Lines {
		if l.Distance != nil && *l.Distance < last &&
			!slices.ContainsFunc(p.Nearest, func(n nearRow) bool { return n.Row == l.Row }) {
			t.Errorf("row %d at %v is left out", l.Row, *l.Distance)
		}
	}
	if len(p.Uses.List) != 1 || p.Uses.List[0].Feature != "in<come>" ||
		p.Uses.List[0].Rows != p.Uses.Rows {
		t.Errorf("uses %+v", p.Uses)
	}
	html := write(t, s)
	if strings.Contains(html, "<come>") || strings.Contains(html, "no <b>") {
		t.Error("names of the files are HTML")
	}
	for _, want := range []string{
		"in&lt;come&gt;", "<mark>", "<code>ab</code>", `class="card"`,
	} {
		if !strings.Contains(html, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if strings.Contains(html, "<script") || strings.Contains(html, "http:") ||
		strings.Contains(html, "https:") {
		t.Error("the page has a script, or something from elsewhere")
	}
}

// TestBounds: only proven rows are called so, and no bound is printed larger than it is.
func TestBounds(t *testing.T) {
	s := source(t, 0)
	no, yes := label(t, "0"), label(t, "1")
	d, b := 0.12345649, 0.12345648
	for i, status := range []string{results.Optimal, results.Limit} {
		s.Lines = append(s.Lines, results.Line{
			Asked:            results.Asked{Row: i, Predicted: no},
			AdversarialLabel: &yes, Status: status, Optimal: i == 0,
			Distance: &d, Bound: &b, Adversarial: make([]tabular.Value, 3),
		})
	}
	s.Row = func(int) []tabular.Value { return make([]tabular.Value, 3) }
	p := newPage(s)
	if got := [2]string{p.Proven(p.Nearest[0]), p.Proven(p.Nearest[1])}; got !=
		[2]string{"proven", "0.123456"} {
		t.Errorf("bounds %v", got)
	}
	for range 1000 {
		v := math.Exp(20 * (rand.Float64() - 0.5))
		if got := below(v); got > v || v-got > 2e-5*v {
			t.Errorf("below(%v) = %v", v, got)
		}
	}
	s.Meta.Flags["attack"] = "direct"
	if bound := p.Proven(p.Nearest[0]); bound != "–" {
		t.Errorf("bound %q of an attack that proves nothing", bound)
	}
}

// TestManyFeatures: those that are changed most have columns, the rest is counted.
func TestManyFeatures(t *testing.T) {
	s := source(t, 0)
	s.Meta.Features, s.Meta.Dimension = nil, 40
	d, one, two := 0.5, label(t, "1"), label(t, "2")
	for i := range 5 {
		z := make([]tabular.Value, 40)
		for j := 0; j < 12+i; j++ {
			z[3+j].Number = 1
		}
		s.Lines = append(s.Lines, results.Line{
			Asked:            results.Asked{Row: i, Label: &one, Predicted: one},
			AdversarialLabel: &two, Status: results.Optimal, Optimal: true,
			Distance: &d, Bound: &d, Adversarial: z,
		})
	}
	s.Row = func(int) []tabular.Value { return make([]tabular.Value, 40) }
	p := newPage(s)
	if fmt.Sprint(p.Features) != "[3 4 5 6 7 8 9 10 11 12]" || p.Left != 30 ||
		p.Nearest[4].More != 6 {
		t.Errorf("columns %v, %d left, %d more", p.Features, p.Left, p.Nearest[4].More)
	}
	if len(p.Uses.List) != 16 || p.Uses.Left != 0 {
		t.Errorf("%d uses, %d left", len(p.Uses.List), p.Uses.Left)
	}
	write(t, s)
}

// TestWithoutRows: the page says why it does not show the changes.
func TestWithoutRows(t *testing.T) {
	s := source(t, 30)
	s.Row, s.Missing = nil, "What examples change is not shown: the file is gone."
	if html := write(t, s); !strings.Contains(html, s.Missing) ||
		strings.Contains(html, "Marked cells") {
		t.Error("the page does not say that rows are missing")
	}
}

// TestNothingToShow: no rows, rows without examples and without labels make a page, too.
func TestNothingToShow(t *testing.T) {
	write(t, source(t, 0))
	s := source(t, 1)
	s.Lines = []results.Line{{
		Asked: results.Asked{Predicted: label(t, "1")}, Status: results.None, Optimal: true,
	}}
	if html := write(t, s); strings.Contains(html, "accuracy") {
		t.Error("accuracy of rows without labels")
	}
}

// TestSize: a page stays small, however many rows it is about.
func TestSize(t *testing.T) {
	if size := len(write(t, source(t, 20_000))); size > 200_000 {
		t.Errorf("%d bytes for 20,000 rows", size)
	}
}

func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{
		0.1:         "0.1",
		123456789:   "1.23457e+08",
		-2:          "−2",
		math.Inf(1): "∞",
	} {
		if got := number(v); got != want {
			t.Errorf("number(%v) = %s, want %s", v, got, want)
		}
	}
}

// TestVerdict: the first sentences count the rows that are right, proven and open, and warn of
// mixed units.
func TestVerdict(t *testing.T) {
	s := source(t, 400)
	p := newPage(s)
	said := strings.Join(p.Verdict(), " ")
	for _, want := range []string{"of 400 rows (", "have the label that is predicted.",
		"answers are proven, for all inputs; of the others a lower bound is.",
		"Half of the rows with an example"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not said: %s", want, said)
		}
	}
	if warning := p.Warning(); !strings.Contains(warning, "in<come> ranges over ") {
		t.Errorf("of units it warns %q", warning)
	}
	s.Meta.Flags["units"] = "range"
	if warning := p.Warning(); warning != "" {
		t.Errorf("in parts of ranges it warns %q", warning)
	}
}

// TestLabels: each label has its share of right rows and the labels that the others are taken for,
// and the shares of all labels make up the accuracy.
func TestLabels(t *testing.T) {
	p := newPage(source(t, 400))
	labels := p.Labels()
	if len(labels) != 2 {
		t.Fatalf("labels %+v", labels)
	}
	right, rows := 0, 0
	for _, l := range labels {
		var of, n int
		var percent float64
		if _, err := fmt.Sscanf(l.Right, "%g %% (%d of %d)", &percent, &of, &n); err != nil {
			t.Fatal(err)
		}
		right, rows = right+of, rows+n
		if (of < n) != (l.Taken != "") {
			t.Errorf("%s: %s are right, the others taken for %q", l.Label, l.Right, l.Taken)
		}
	}
	if want := (fact{"accuracy", share(right, rows)}); rows != 400 ||
		!slices.Contains(p.Found(), want) {
		t.Errorf("%+v is not among %+v", want, p.Found())
	}
}

// TestFarDistances: a few large distances leave room for the others.
func TestFarDistances(t *testing.T) {
	s := source(t, 200)
	if p := newPage(s); p.Cut != "" {
		t.Errorf("cut: %s", p.Cut)
	}
	for i := range s.Lines {
		if l := &s.Lines[i]; l.Distance != nil {
			far := 1e6
			l.Distance, l.Bound = &far, &far
			break
		}
	}
	p := newPage(s)
	if !strings.Contains(p.Cut, "of 1 row, up to 1e+06") {
		t.Errorf("cut: %s", p.Cut)
	}
	for _, g := range p.Groups {
		if g.Highest > g.Rows()/2 {
			t.Errorf("%d of %d rows are in one bar", g.Highest, g.Rows())
		}
	}
}

// TestUses: of each feature the page counts which way it goes, and where it alone changes.
func TestUses(t *testing.T) {
	p := newPage(source(t, 100))
	if u := p.Uses.List[0]; u.Alone != u.Rows || u.Ways() != fmt.Sprintf("rises %d", u.Rows) {
		t.Errorf("%+v", u)
	}
}
