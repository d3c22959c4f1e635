package main

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
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

func TestGrowth(t *testing.T) {
	for _, args := range [][]string{
		{"--out", "growth.svg"},
		{"--clusters", "--out", filepath.Join("new", "growth.png"), "--norm", "1"},
	} {
		status, stdout, stderr := call(t,
			append(args, "--sizes", "1e2,300", "--queries", "4", "--k", "3,1")...)
		if status != 0 || stderr != "" {
			t.Fatalf("status %d, %s", status, stderr)
		}
		lines := tableLines(t, stdout, "k", "rows", "proven")
		for i, want := range []string{
			"1 100 4 of 4", "1 300 4 of 4", "3 100 4 of 4", "3 300 4 of 4",
		} {
			if len(lines) != 4 || strings.Join(lines[i][:5], " ") != want {
				t.Fatalf("table %q, want %q in line %d of 4", lines, want, i)
			}
		}
		if strings.Count(stdout, "median time grows like n^") != 2 ||
			strings.Contains(stdout, "clusters") != slices.Contains(args, "--clusters") {
			t.Errorf("output %q, want two exponents and what was drawn", stdout)
		}
		path := args[slices.Index(args, "--out")+1]
		picture, err := os.ReadFile(path)
		if err != nil ||
			!bytes.Contains(picture[:min(len(picture), 200)],
				[]byte(map[string]string{".svg": "<svg", ".png": "PNG"}[filepath.Ext(path)])) {
			t.Errorf("%s begins %.20q, %v, want a picture", path, picture, err)
		}
	}
}

// TestFigure expects the parts that a reader needs: units, and the series with their exponents, all
// within the frame.
func TestFigure(t *testing.T) {
	var all []*series
	for _, k := range []int{1, 3} {
		grown := &series{
			k:     k,
			sizes: []size{measured(100, float64(k)), measured(10_000, 100*float64(k))},
		}
		grown.law = fit(grown.sizes)
		all = append(all, grown)
	}
	s := settings{queries: 4}
	f := s.figure(all)
	panel := f.Panels[0]
	if x, y := panel.X.Label.Text, panel.Y.Label.Text; x != "training rows n" ||
		y != "median time for a point (ms)" {
		t.Errorf("axes %q and %q", x, y)
	}
	if want := []string{
		"exact ℓ∞ attack on k-NN, one core", "two overlapping normals, d = 10, 4 points",
	}; !slices.Equal(panel.Heading, want) {
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
	return size{rows: rows, median: median}
}

// TestOneSize: one size has no line to fit.
func TestOneSize(t *testing.T) {
	status, stdout, stderr := call(t, "--sizes", "50", "--queries", "1", "--k", "1")
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
		if !mat.Equal(queries, same) || !mat.Equal(few, many.Slice(0, 20, 0, dim)) ||
			!slices.Equal(fewY, manyY[:20]) {
			t.Errorf("clusters %v: 30 rows do not continue 20", clusters)
		}
	}
}

func TestFit(t *testing.T) {
	var sizes []size
	for _, rows := range []int{10, 100, 5000} {
		sizes = append(sizes, measured(rows, 0.3*math.Pow(float64(rows), 0.7)))
	}
	if l := fit(sizes); math.Abs(l.exponent-0.7) > 1e-12 || math.Abs(l.at(1)-0.3) > 1e-12 ||
		l.String() != "n^0.70" {
		t.Errorf("law %+v, %v, want 0.3·n^0.7", l, l)
	}
	sizes[0].median = 0
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
			if value := math.Pow(10, tick.Value); value < test.lo*(1-1e-12) ||
				value > test.hi*(1+1e-12) {
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
	status, stdout, stderr := callHere(ctx, "--sizes", "50")
	if want := "neighbors: interrupted\n"; status != 3 ||
		stdout != "" || stderr != want {
		t.Errorf("status %d, %q, %q, want 3 and %q", status, stdout, stderr, want)
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
		"unknown flag":     {[]string{"-colour"}, 2, "-colour"},
		"argument":         {[]string{"halfmoon"}, 2, `"halfmoon" is not a flag`},
		"no k":             {[]string{"--k", ""}, 2, `"" is no whole number from 1`},
		"k of zero":        {[]string{"--k", "1,0"}, 2, `"0" is no whole number from 1`},
		"broken k":         {[]string{"--k", "1.5"}, 2, `"1.5" is no whole number from 1`},
		"k not a number":   {[]string{"--k", "nan"}, 2, `"nan" is no whole number from 1`},
		"k twice":          {[]string{"--k", "1,3,1"}, 2, "a number comes twice"},
		"norm":             {[]string{"--norm", "3"}, 2, "flag --norm"},
		"negative timeout": {[]string{"--timeout", "-1s"}, 2, "flag --timeout"},
		"no out":           {[]string{"--out", ""}, 2, "flag --out: it is empty"},
		"no queries":       {[]string{"--queries", "0"}, 2, "flag --queries"},
		"few rows": {[]string{"--sizes", "2,9"}, 2,
			"--sizes 2: 3 neighbours need as many rows"},
		"no size":          {[]string{"--sizes", "-5"}, 2, `"-5" is no whole number from 1`},
		"no picture":       {[]string{"--out", "growth.tsv"}, 2, "--out: "},
		"growth in a file": {[]string{"--out", filepath.Join(file, "growth.png")}, 1, "--out: "},
	} {
		t.Run(name, func(t *testing.T) {
			status, stdout, stderr := call(t, test.args...)
			if status != test.status || stdout != "" || !strings.HasPrefix(stderr, "neighbors: ") ||
				strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, test.says) {
				t.Errorf("status %d, %q, %q, want %d and a sentence about %q",
					status, stdout, stderr, test.status, test.says)
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
	for _, name := range []string{"k", "timeout", "norm", "out", "clusters", "sizes", "queries"} {
		if !strings.Contains(stdout, "\n  --"+name) {
			t.Errorf("--help does not explain -%s", name)
		}
	}
}
