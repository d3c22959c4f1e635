package main

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/examples/internal/trial"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
)

// call runs the program in a folder of its own.
func call(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	t.Chdir(t.TempDir())
	return callHere(t.Context(), args...)
}

func callHere(ctx context.Context, args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = program().Run(ctx, args, &out, &errs)
	return status, out.String(), errs.String()
}

// tableLines returns the fields of the lines of the table whose head begins with these
// fields.
func tableLines(t *testing.T, stdout string, head ...string) [][]string {
	t.Helper()
	var lines [][]string
	begun := false
	for line := range strings.Lines(stdout) {
		fields := strings.Fields(line)
		if begun && len(fields) == 0 {
			return lines
		}
		if begun {
			lines = append(lines, fields)
		}
		begun = begun || len(fields) >= len(head) && slices.Equal(fields[:len(head)], head)
	}
	t.Fatalf("no table %v with an end in\n%s", head, stdout)
	return nil
}

func parseNumber(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestRadii compares the points and their distances with those computed independently.
func TestRadii(t *testing.T) {
	c := fixture.Halfmoon(t)
	order, exact := c.Split(t).Attacked, c.Exact(t)
	status, stdout, stderr := call(t, "--k", "3,1", "--points", "6", "--norm", "2", "--timeout", "0", "--out", "points.tsv")
	if status != 0 || stderr != "" {
		t.Fatalf("status %d, %s", status, stderr)
	}
	lines := tableLines(t, stdout, "k", "norm", "accuracy", "proven")
	if len(lines) != 2 || lines[0][0] != "1" || lines[1][0] != "3" || lines[0][1] != "2" || strings.Join(lines[1][3:6], " ") != "6 of 6" {
		t.Errorf("table %q, want a line for k = 1 and one for k = 3, all points proven", lines)
	}
	want, means := make(map[string]float64), make(map[string]float64)
	for i := range 6 {
		for k, name := range map[string]string{"1": "1nn", "3": "3nn"} {
			want[k+"\tinf\t"+strconv.Itoa(order[name][i])] = exact[name+"_2"][i]
			means[k] += exact[name+"_2"][i] / 6
		}
	}
	for _, line := range lines {
		if mean := parseNumber(t, line[6]); math.Abs(mean-means[line[0]]) > 1e-6 || line[6] != line[7] || line[8] != "-" {
			t.Errorf("k = %s: mean distance %s, bound %s and gap %s, want %v twice and none", line[0], line[6], line[7], line[8], means[line[0]])
		}
	}
	text, err := os.ReadFile("points.tsv")
	if err != nil || !strings.HasPrefix(string(text), "k\tnorm\t"+trial.Header) {
		t.Fatalf("points.tsv begins %.60q, %v", text, err)
	}
	for line := range strings.Lines(strings.TrimPrefix(string(text), "k\tnorm\t"+trial.Header)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		key := fields[0] + "\tinf\t" + fields[2]
		radius, ok := want[key]
		if !ok || len(fields) != 11 || fields[1] != "2" || math.Abs(parseNumber(t, fields[5])-radius) > 1e-9 {
			t.Errorf("line %q, want 11 fields and the radius %v (%v)", line, radius, ok)
		}
		delete(want, key)
	}
	if len(want) > 0 {
		t.Errorf("%v are missing", want)
	}
}

func TestTimeLimit(t *testing.T) {
	status, stdout, stderr := call(t, "--k", "5", "--points", "3", "--timeout", "1ns", "--workers", "2")
	if status != 0 || stderr != "" {
		t.Fatalf("status %d, %s", status, stderr)
	}
	line := tableLines(t, stdout, "k", "norm")[0]
	if strings.Join(line[3:6], " ") != "0 of 3" || line[8] == "-" {
		t.Errorf("line %q, want no point proven and a gap", line)
	}
	if !strings.Contains(stdout, "at most 1ns a point") || !strings.Contains(stdout, "points written to "+filepath.Join("out", "neighbors.tsv")) {
		t.Errorf("output %q, want the limit and the file", stdout)
	}
}

// TestMNIST attacks one of the test images.
func TestMNIST(t *testing.T) {
	t.Setenv("FACET_DATA", fixture.TestImages(t))
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	status, stdout, stderr := call(t, "--data", "mnist17", "--k", "1", "--points", "1")
	if status != 0 || stderr != "" {
		t.Fatalf("status %d, %s", status, stderr)
	}
	if line := tableLines(t, stdout, "k", "norm")[0]; strings.Join(line[3:6], " ") != "1 of 1" || !strings.HasPrefix(stdout, "data: mnist17, ") {
		t.Errorf("output %q, want the point proven", stdout)
	}
}

func TestGrowth(t *testing.T) {
	for _, args := range [][]string{{"--out", "growth.svg"}, {"--clusters", "--out", filepath.Join("new", "growth.png"), "--norm", "1"}} {
		status, stdout, stderr := call(t, append(args, "--growth", "--sizes", "1e2,300", "--queries", "4", "--k", "3,1")...)
		if status != 0 || stderr != "" {
			t.Fatalf("status %d, %s", status, stderr)
		}
		lines := tableLines(t, stdout, "k", "rows", "proven")
		for i, want := range []string{"1 100 4 of 4", "1 300 4 of 4", "3 100 4 of 4", "3 300 4 of 4"} {
			if len(lines) != 4 || strings.Join(lines[i][:5], " ") != want {
				t.Fatalf("table %q, want %q in line %d of 4", lines, want, i)
			}
		}
		if strings.Count(stdout, "median time grows like n^") != 2 || strings.Contains(stdout, "clusters") != slices.Contains(args, "--clusters") {
			t.Errorf("output %q, want two exponents and what was drawn", stdout)
		}
		path := args[slices.Index(args, "--out")+1]
		picture, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(picture[:min(len(picture), 200)], []byte(map[string]string{".svg": "<svg", ".png": "PNG"}[filepath.Ext(path)])) {
			t.Errorf("%s begins %.20q, %v, want a picture", path, picture, err)
		}
	}
}

// TestFigure expects what a reader needs: units, and the series with their exponents, all
// within the frame.
func TestFigure(t *testing.T) {
	var all []*series
	for _, k := range []int{1, 3} {
		grown := &series{k: k, sizes: []size{measured(100, float64(k)), measured(10_000, 100*float64(k))}}
		grown.law = fit(grown.sizes)
		all = append(all, grown)
	}
	s := settings{queries: 4}
	f := s.figure(all)
	panel := f.Panels[0]
	if x, y := panel.X.Label.Text, panel.Y.Label.Text; x != "training rows n" || y != "median time for a point (ms)" {
		t.Errorf("axes %q and %q", x, y)
	}
	if want := []string{"exact ℓ∞ attack on k-NN, one core", "two overlapping normals, d = 10, 4 points"}; !slices.Equal(panel.Heading, want) {
		t.Errorf("heading %q, want %q", panel.Heading, want)
	}
	for i, want := range []string{"k = 1, fit n¹·⁰⁰", "k = 3, fit n¹·⁰⁰"} {
		if got := f.Key[i].Text; got != want {
			t.Errorf("entry %q, want %q", got, want)
		}
	}
	frame := around(all)
	for i, grown := range all {
		for _, p := range slices.Concat(grown.points(), grown.line(i).XYs) {
			if !frame.Contains(p.X, p.Y) {
				t.Errorf("k = %d: %v outside %v", grown.k, p, frame)
			}
		}
	}
}

// measured is a size with this median.
func measured(rows int, median float64) size {
	return size{rows: rows, Summary: &trial.Summary{Median: median}}
}

// TestOneSize has nothing to fit.
func TestOneSize(t *testing.T) {
	status, stdout, stderr := call(t, "--growth", "--sizes", "50", "--queries", "1", "--k", "1")
	if status != 0 || stderr != "" || !strings.Contains(stdout, "n^? (one size is too few)") {
		t.Fatalf("status %d, %s%s", status, stdout, stderr)
	}
	if _, err := os.Stat(filepath.Join("out", "growth.png")); err != nil {
		t.Error(err)
	}
}

// TestPrefix: a smaller training set is the beginning of a larger one.
func TestPrefix(t *testing.T) {
	for _, clusters := range []bool{false, true} {
		s := settings{queries: 5, clusters: clusters}
		queries, few, fewY := s.draw(20)
		same, many, manyY := s.draw(30)
		if !mat.Equal(queries, same) || !mat.Equal(few, many.Slice(0, 20, 0, dim)) || !slices.Equal(fewY, manyY[:20]) {
			t.Errorf("clusters %v: 30 rows do not continue 20", clusters)
		}
	}
}

func TestFit(t *testing.T) {
	var sizes []size
	for _, rows := range []int{10, 100, 5000} {
		sizes = append(sizes, measured(rows, 0.3*math.Pow(float64(rows), 0.7)))
	}
	if l := fit(sizes); math.Abs(l.exponent-0.7) > 1e-12 || math.Abs(l.at(1)-0.3) > 1e-12 || l.String() != "n^0.70" {
		t.Errorf("law %+v, %v, want 0.3·n^0.7", l, l)
	}
	sizes[0].Median = 0
	if l := fit(sizes); math.IsNaN(l.exponent) || math.IsInf(l.exponent, 0) {
		t.Errorf("law %+v for a time that the clock shows as 0, want a finite one", l)
	}
}

func TestDecades(t *testing.T) {
	for _, test := range []struct {
		lo, hi float64
		want   string
	}{
		{500, 2e6, "10³ 10⁴ 10⁵ 10⁶"},
		{0.03, 0.3, "0.05 0.1 0.2"},
		{2.1, 9, "5"},
		{1500, 6000, "2·10³ 5·10³"},
	} {
		var labels []string
		for _, tick := range decades(math.Log10(test.lo), math.Log10(test.hi)) {
			if value := math.Pow(10, tick.Value); value < test.lo*(1-1e-12) || value > test.hi*(1+1e-12) {
				t.Errorf("tick %v outside %v to %v", tick.Value, test.lo, test.hi)
			}
			if tick.Label != "" {
				labels = append(labels, tick.Label)
			}
		}
		if got := strings.Join(labels, " "); got != test.want {
			t.Errorf("from %v to %v: labels %q, want %q", test.lo, test.hi, got, test.want)
		}
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	t.Chdir(t.TempDir())
	for _, test := range []struct {
		args []string
		says string
	}{
		{nil, "neighbors: interrupted before the first point\n"},
		{[]string{"--growth", "--sizes", "50"}, "neighbors: k = 1, 50 rows: interrupted with 0 of 25 points done\n"},
	} {
		if status, stdout, stderr := callHere(ctx, test.args...); status != 1 || stdout != "" || stderr != test.says {
			t.Errorf("%q: status %d, %q, %q, want 1 and %q", test.args, status, stdout, stderr, test.says)
		}
	}
}

// TestInterruptedLater begins with a context that is over once the points are chosen.
func TestInterruptedLater(t *testing.T) {
	t.Chdir(t.TempDir())
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	s := newSettings(f)
	if err := f.Parse([]string{"--k", "1", "--points", "4"}); err != nil {
		t.Fatal(err)
	}
	subjects, err := s.prepare(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stdout, stderr bytes.Buffer
	err = s.measure(ctx, subjects, &stdout, &stderr)
	if want := "k = 1: interrupted with 0 of 4 points done; the points are in out/neighbors.tsv"; err == nil || err.Error() != want || stdout.Len() > 0 {
		t.Errorf("error %v, output %q, want %q", err, &stdout, want)
	}
}

func TestWrongUse(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("FACET_DATA", "")
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for name, test := range map[string]struct {
		args   []string
		status int
		says   string
	}{
		"unknown flag":      {[]string{"-colour"}, 2, "-colour"},
		"argument":          {[]string{"halfmoon"}, 2, `"halfmoon" is not a flag`},
		"set":               {[]string{"--data", "iris"}, 2, "flag --data"},
		"no file":           {[]string{"--data", "diabetes", "--folder", folder}, 2, "--data diabetes: "},
		"no k":              {[]string{"--k", ""}, 2, `"" is no whole number from 1`},
		"k of zero":         {[]string{"--k", "1,0"}, 2, `"0" is no whole number from 1`},
		"broken k":          {[]string{"--k", "1.5"}, 2, `"1.5" is no whole number from 1`},
		"k not a number":    {[]string{"--k", "nan"}, 2, `"nan" is no whole number from 1`},
		"k twice":           {[]string{"--k", "1,3,1"}, 2, "a number comes twice"},
		"k above the rows":  {[]string{"--k", "2001"}, 2, "--k 2001: "},
		"all rows vote":     {[]string{"--k", "2000", "--points", "0"}, 2, "flag --points"},
		"norm":              {[]string{"--norm", "3"}, 2, "flag --norm"},
		"negative timeout":  {[]string{"--timeout", "-1s"}, 2, "flag --timeout"},
		"negative workers":  {[]string{"--workers", "-1"}, 2, "flag --workers"},
		"no out":            {[]string{"--out", ""}, 2, "flag --out: it is empty"},
		"out is a folder":   {[]string{"--k", "1", "--points", "1", "--out", folder}, 1, "--out: "},
		"out inside a file": {[]string{"--k", "1", "--points", "1", "--out", filepath.Join(file, "x")}, 1, "--out: "},
		"sizes alone":       {[]string{"--sizes", "100"}, 2, "--sizes is for --growth"},
		"clusters alone":    {[]string{"--clusters"}, 2, "--clusters is for --growth"},
		"growth of a set":   {[]string{"--growth", "--data", "halfmoon"}, 2, "--data is not for --growth"},
		"growth in two":     {[]string{"--growth", "--workers", "2"}, 2, "--workers is not for --growth"},
		"no queries":        {[]string{"--growth", "--queries", "0"}, 2, "flag --queries"},
		"few rows":          {[]string{"--growth", "--sizes", "2,9"}, 2, "--sizes 2: 3 neighbours need as many rows"},
		"no size":           {[]string{"--growth", "--sizes", "-5"}, 2, `"-5" is no whole number from 1`},
		"no picture":        {[]string{"--growth", "--out", "growth.tsv"}, 2, "--out growth.tsv: a picture ends in .png or .svg"},
		"growth in a file":  {[]string{"--growth", "--out", filepath.Join(file, "growth.png")}, 1, "--out: "},
	} {
		t.Run(name, func(t *testing.T) {
			status, stdout, stderr := call(t, test.args...)
			if status != test.status || stdout != "" || !strings.HasPrefix(stderr, "neighbors: ") || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, test.says) {
				t.Errorf("status %d, %q, %q, want %d and a sentence about %q", status, stdout, stderr, test.status, test.says)
			}
			if _, err := os.Stat("out"); err == nil {
				t.Error("--out was begun")
			}
		})
	}
}

func TestHelp(t *testing.T) {
	status, stdout, stderr := call(t, "--help")
	if status != 0 || stderr != "" {
		t.Errorf("status %d, %q", status, stderr)
	}
	for _, name := range []string{"k", "data", "folder", "points", "timeout", "norm", "workers", "out", "growth", "clusters", "sizes", "queries"} {
		if !strings.Contains(stdout, "\n  --"+name) {
			t.Errorf("--help does not explain -%s", name)
		}
	}
}
