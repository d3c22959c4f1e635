//go:build unix

package main

import (
	"image/png"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// verdicts is a line of facet certify whose labels are numbers.
type verdicts struct {
	line
	Radii  []float64 `json:"radii"`
	Robust []string  `json:"robust"`
}

// verdicts reads the lines of a file, which are in order, without the fields that differ from run
// to run.
func (f folder) verdicts(name string) []verdicts {
	f.t.Helper()
	lines := jsonLines[verdicts](f.t, f.read(name))
	for i := range lines {
		if lines[i].Row != i {
			f.t.Errorf("line %d is about row %d", i, lines[i].Row)
		}
		lines[i].Seconds = 0
	}
	return lines
}

// certify runs facet certify on the files train and test and returns the table and the lines of
// --out.
func (f folder) certify(args ...string) (table string, lines []verdicts) {
	f.t.Helper()
	table = mustProcess(f.t, append([]string{"certify"}, f.base(args...)...)...)
	return table, f.verdicts("out")
}

// TestCertify asks about radii below, at and above those of the test rows.
func TestCertify(t *testing.T) {
	f := newFolder(t)
	table, lines := f.certify("--radius", "1.2,0.4,0.5", "--plot", f.file("curve.svg"))
	asked := []float64{0.4, 0.5, 1.2}
	if len(lines) != len(points) {
		t.Fatalf("%d lines, want %d", len(lines), len(points))
	}
	for i, l := range lines {
		if i == 3 {
			if l.Status != "misclassified" || l.Label != -1 || l.Predicted != 1 ||
				l.Robust != nil || l.Bound != nil || l.Distance != nil {
				t.Errorf("misclassified row: %+v", l)
			}
			continue
		}
		var want []string
		for _, r := range asked {
			want = append(want, map[bool]string{true: "yes", false: "no"}[radii[i] > r])
		}
		if l.Status != "decided" || l.Label != points[i][0] || l.Predicted != points[i][0] ||
			!reflect.DeepEqual(l.Radii, asked) || !reflect.DeepEqual(l.Robust, want) {
			t.Errorf("row %d with radius %v: %+v, want %v", i, radii[i], l, want)
		}
		if l.Bound == nil || *l.Bound > radii[i] ||
			l.Distance != nil && *l.Distance < radii[i]-1e-9 {
			t.Errorf("row %d with radius %v: bound and distance of %+v", i, radii[i], l)
		}
	}
	checkTable(t, table, map[string]string{
		"accuracy": "0.8, of 5 rows", "training rows": "4",
		"figure written to": f.file("curve.svg"), "rows written to": f.file("out"),
		"question": "do all of these inputs within the radius have the label of the row? norm " +
			"inf, radii " +
			"in the units of the file",
		"0.4": "0.8 0.8 4 0 0", "0.5": "0.6 0.6 3 1 0", "1.2": "0.2 0.2 1 3 0",
	})
	figure := f.read("curve.svg")
	for _, want := range []string{
		"1-nearest neighbours", "5 test rows", "ℓ∞", "certified", "possible",
	} {
		if !strings.Contains(figure, want) {
			t.Errorf("the figure does not say %q", want)
		}
	}
}

// clusters draws rows of two labels whose clouds overlap.
func clusters(n int, seed uint64) table {
	rng := rand.New(rand.NewPCG(seed, 1))
	t := make(table, n)
	for i := range t {
		label := float64(i % 2)
		t[i] = []float64{label, rng.NormFloat64()/2 + label, rng.NormFloat64()}
	}
	return t
}

// TestCertifyAgreesWithAttack: a row is robust exactly at the radii below the distance of its
// nearest example, with any number of workers.
func TestCertifyAgreesWithAttack(t *testing.T) {
	f := newFolder(t)
	f.write("train", clusters(150, 1).libsvm(1))
	f.write("test", clusters(61, 2).libsvm(1))
	for _, model := range [][]string{
		{"--model", "knn", "--k", "3"}, {"--model", "forest", "--trees", "9", "--norm", "2"},
	} {
		_, lines := f.certify(append(model, "--radius", "0.01,0.03,0.1,0.3", "--workers", "3")...)
		_, alone := f.certify(append(model, "--radius", "0.3,0.1,0.03,0.01", "--workers", "1")...)
		if !reflect.DeepEqual(lines, alone) {
			t.Errorf("%v: another number of workers answers otherwise", model)
		}
		answers := make(map[string]int)
		for _, l := range f.mustRun(f.base(model...)...) {
			if l.Status == "misclassified" {
				continue
			}
			got := lines[l.Row]
			for i, r := range got.Radii {
				distance := math.Inf(1)
				if l.Distance != nil {
					distance = *l.Distance
				}
				if want := map[bool]string{
					true:  "yes",
					false: "no",
				}[distance > r]; got.Robust[i] != want {
					t.Errorf("%v, row %d at %v: %s, want %s: its nearest example is at %v",
						model, l.Row, r, got.Robust[i], want, distance)
				}
				answers[got.Robust[i]]++
			}
		}
		if answers["yes"] < 20 || answers["no"] < 20 {
			t.Errorf("%v: answers %v, want more of both", model, answers)
		}
	}
}

// TestCertifyAtALimit: a limit leaves rows undecided, which are possible and not certified.
func TestCertifyAtALimit(t *testing.T) {
	f := newFolder(t)
	table, lines := f.certify("--radius", "0.4", "--timeout", "1ns", "--rows",
		f.write("four", "0\n1\n2\n3\n"), "--plot", f.file("curve.png"))
	checkTable(t, table, map[string]string{"accuracy": "0.75, of 4 rows", "0.4": "0 0.75 0 0 4"})
	for i, l := range lines {
		if l.Status != "undecided" || !reflect.DeepEqual(l.Robust, []string{"undecided"}) {
			t.Errorf("row %d: %+v, want it undecided", i, l)
		}
	}
	if _, err := png.Decode(strings.NewReader(f.read("curve.png"))); err != nil || len(lines) != 4 {
		t.Errorf("%d lines, figure: %v", len(lines), err)
	}
}

// TestCertifySummary: the summary is an object with an entry for each radius.
func TestCertifySummary(t *testing.T) {
	f := newFolder(t)
	f.certify("--radius", "0.5,1.2", "--summary", f.file("summary"))
	for _, want := range []string{`{"rows":5,`, `,"accuracy":0.8,`,
		`"radii":[{"radius":0.5,"certified_accuracy":0.6,"possible_accuracy":0.6,"yes":3,"no":1,` +
			`"undecided":0},{"radius":1.2,"certified_accuracy":0.2,"possible_accuracy":0.2,` +
			`"yes":1,"no":3,"undecided":0}],`} {
		if got := f.read("summary"); !strings.Contains(got, want) {
			t.Errorf("summary %s, want %s", got, want)
		}
	}
}

// TestCertifyGoesOn: another run's file is refused.
func TestCertifyGoesOn(t *testing.T) {
	f := newFolder(t)
	f.certify("--radius", "0.3,1")
	checkMisuses(t, [][]string{
		append([]string{"it was made with --radius", "certify", "--resume"},
			f.base("--radius", "0.3")...),
		append([]string{"it was made by facet certify, not facet attack", "attack", "--resume"},
			f.base()...),
	})
}
