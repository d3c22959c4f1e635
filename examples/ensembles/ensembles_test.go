package main

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
	"github.com/seed-1a7dc1f9/facet/examples/internal/trial"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
)

// call runs the program in a folder of its own, with halfmoon for its data.
func call(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	t.Chdir(t.TempDir())
	return callHere(t.Context(), args...)
}

func callHere(ctx context.Context, args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = program().Run(ctx, append([]string{"--data", "halfmoon"}, args...), &out, &errs)
	return status, out.String(), errs.String()
}

// readRows returns the lines of -out, the header left out.
func readRows(t *testing.T, path string) [][]string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(text), trial.Header) {
		t.Fatalf("%s begins %.80q, want %q", path, text, trial.Header)
	}
	var rows [][]string
	for line := range strings.Lines(strings.TrimPrefix(string(text), trial.Header)) {
		rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
	}
	return rows
}

func parseNumber(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// checkTable expects lines of the table, given as "name: beginning of the value".
func checkTable(t *testing.T, stdout string, want ...string) {
	t.Helper()
	spaces := regexp.MustCompile(` {2,}`)
	for _, line := range want {
		name, value, _ := strings.Cut(line, ": ")
		found := false
		for got := range strings.Lines(stdout) {
			fields := spaces.Split(got, 2)
			found = found || fields[0] == name && len(fields) == 2 && strings.HasPrefix(fields[1], value)
		}
		if !found {
			t.Errorf("the table has no line %q:\n%s", line, stdout)
		}
	}
}

func TestForest(t *testing.T) {
	status, stdout, stderr := call(t, "--trees", "10", "--depth", "3", "--points", "7", "--timeout", "0", "--workers", "1")
	if status != 0 || stderr != "" {
		t.Fatalf("status %d, %s", status, stderr)
	}
	checkTable(t, stdout, "model: random forest, 10 trees of depth ≤ 3 with ", "data: halfmoon, 2000 training and 200 test rows of 2 features\n",
		"attack: exact, norm inf, no time limit", "points: 7\n", "proven: 7\n", "share proven: 100.0 %", "mean distance: 0.",
		"mean lower bound: 0.", "mean relative gap of the rest: -\n", "ms a point: median ", "nodes a point: ", "peak memory: ",
		"points written to: out/ensembles.tsv\n")
	rows := readRows(t, filepath.Join("out", "ensembles.tsv"))
	if len(rows) != 7 {
		t.Fatalf("%d lines for 7 points", len(rows))
	}
	for _, row := range rows {
		distance, bound := parseNumber(t, row[3]), parseNumber(t, row[4])
		if len(row) != 9 || row[2] != "optimal" || !(bound <= distance && distance-bound < 1e-9) || row[1] == row[5] {
			t.Errorf("line %q, want 9 fields, an optimum and another label", row)
		}
	}
}

// TestModelFile attacks a forest of scikit-learn: the radii of the paper's points
// are known.
func TestModelFile(t *testing.T) {
	model, err := filepath.Abs(filepath.Join("..", "..", "internal", "testing", "fixture", "testdata", "models", "halfmoon.rf.json"))
	if err != nil {
		t.Fatal(err)
	}
	c := fixture.Halfmoon(t)
	order, exact := c.Split(t).Attacked["rf"], c.Exact(t)
	for flag, name := range map[string]string{"inf": "rf_inf", "1": "rf_1", "2": "rf_2"} {
		status, stdout, stderr := call(t, "--model", model, "--points", "5", "--norm", flag, "--timeout", "0", "--out", "points.tsv")
		if status != 0 || stderr != "" {
			t.Fatalf("status %d, %s", status, stderr)
		}
		checkTable(t, stdout, "model: "+model+", 100 trees with ", "test accuracy: 0.93\n", "attack: exact, norm "+flag, "proven: 5")
		want := make(map[string]float64)
		for i, row := range order[:5] {
			want[strconv.Itoa(row)] = exact[name][i]
		}
		for _, row := range readRows(t, "points.tsv") {
			radius, ok := want[row[0]]
			if got := parseNumber(t, row[3]); !ok || math.Abs(got-radius) > 1e-9 {
				t.Errorf("row %s has radius %v, want %v, %v", row[0], got, radius, ok)
			}
			delete(want, row[0])
		}
		if len(want) > 0 {
			t.Errorf("%v are missing", want)
		}
	}
}

func TestTimeLimit(t *testing.T) {
	status, stdout, stderr := call(t, "--trees", "10", "--points", "3", "--timeout", "1ns")
	if status != 0 || stderr != "" {
		t.Fatalf("status %d, %s", status, stderr)
	}
	checkTable(t, stdout, "attack: exact, norm inf, at most 1ns a point", "proven: 0\n", "share proven: 0.0 %",
		"mean distance: -, without 3 points for which no example was found", "mean lower bound: 0", "mean relative gap of the rest: 1\n")
	for _, row := range readRows(t, filepath.Join("out", "ensembles.tsv")) {
		if row[2] != "limit" || row[3] != "inf" || row[5] != "-1" {
			t.Errorf("line %q, want a limit and no example", row)
		}
	}
}

// TestNoExample attacks a model that knows but one label.
func TestNoExample(t *testing.T) {
	t.Chdir(t.TempDir())
	model := `{"format":"sklearn-tree-ensemble","version":1,"n_features":2,"classes":[0,1],
		"trees":[{"feature":[-2],"threshold":[-2],"left":[-1],"right":[-1],"value":[[1,0]]}]}`
	if err := os.WriteFile("constant.json", []byte(model), 0o666); err != nil {
		t.Fatal(err)
	}
	status, stdout, stderr := callHere(t.Context(), "--model", "constant.json", "--points", "2")
	if status != 0 || stderr != "" {
		t.Fatalf("status %d, %s", status, stderr)
	}
	checkTable(t, stdout, "proven: 2\n", "mean distance: -, without 2 points that no input changes\n", "mean lower bound: -\n")
	for _, row := range readRows(t, filepath.Join("out", "ensembles.tsv")) {
		if row[2] != "none" || row[3] != "inf" || row[4] != "inf" {
			t.Errorf("line %q, want none", row)
		}
	}
}

// TestDump reads the written rows back.
func TestDump(t *testing.T) {
	status, stdout, stderr := call(t, "--dump", "rows")
	if status != 0 || stderr != "" || !strings.Contains(stdout, "2000 training and 200 test rows of halfmoon written to rows") {
		t.Fatalf("status %d, %q, %q", status, stdout, stderr)
	}
	in := func(name string) string { return filepath.Join("rows", name+".npy") }
	tables, err := tabular.Load(t.Context(), tabular.Options{}, tabular.Model{},
		tabular.Source{Path: in("train_x"), Labels: in("train_y")}, tabular.Source{Path: in("test_x"), Labels: in("test_y")})
	if err != nil {
		t.Fatal(err)
	}
	c := fixture.Halfmoon(t)
	if train := tables[0]; train.Rows != 2000 || train.Row(7)[1] != c.Set.Train.At(7, 1) || train.Labels[7] != strconv.Itoa(c.Set.TrainY[7]) {
		t.Errorf("%d training rows, one of them %v labelled %v, want %v and %d", train.Rows, train.Row(7), train.Labels[7], c.Set.Train.RawRowView(7), c.Set.TrainY[7])
	}
	if test := tables[1]; test.Rows != 200 || test.Row(9)[0] != c.Set.Test.At(9, 0) || test.Labels[9] != strconv.Itoa(c.Set.TestY[9]) {
		t.Errorf("%d test rows, one of them %v labelled %v, want %v and %d", test.Rows, test.Row(9), test.Labels[9], c.Set.Test.RawRowView(9), c.Set.TestY[9])
	}
	if _, err := os.Stat("out"); err == nil {
		t.Error("points were written too")
	}
}

// TestMNIST trains a small forest on the test images.
func TestMNIST(t *testing.T) {
	t.Setenv("FACET_DATA", fixture.TestImages(t))
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	status, stdout, stderr := call(t, "--data", "mnist17", "--trees", "5", "--depth", "3", "--points", "2")
	if status != 0 || stderr != "" {
		t.Fatalf("status %d, %s", status, stderr)
	}
	checkTable(t, stdout, "data: mnist17, ", "test accuracy: 0.9", "proven: 2\n")
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	t.Chdir(t.TempDir())
	status, stdout, stderr := callHere(ctx, "--trees", "3")
	if status != 1 || stdout != "" || stderr != "ensembles: interrupted before the first point\n" {
		t.Errorf("status %d, %q, %q, want 1 and a sentence", status, stdout, stderr)
	}
}

// TestInterruptedLater begins with a context that is over once training is done.
func TestInterruptedLater(t *testing.T) {
	t.Chdir(t.TempDir())
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	s := newSettings(f)
	if err := f.Parse([]string{"--data", "halfmoon", "--trees", "3", "--points", "4"}); err != nil {
		t.Fatal(err)
	}
	d, err := s.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	prepared, err := s.prepare(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stdout, stderr bytes.Buffer
	err = s.measure(ctx, prepared, &stdout, &stderr)
	if want := "interrupted with 0 of 4 points done; the points are in out/ensembles.tsv"; err == nil || err.Error() != want || stdout.Len() > 0 {
		t.Errorf("error %v, output %q, want %q", err, &stdout, want)
	}
}

func TestWrongUse(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	leaf := `{"format":"sklearn-tree-ensemble","version":1,"n_features":FEATURES,"classes":CLASSES,
		"trees":[{"feature":[-2],"threshold":[-2],"left":[-1],"right":[-1],"value":[VALUE]}]}`
	three := strings.NewReplacer("FEATURES", "3", "CLASSES", "[0,1]", "VALUE", "[1,0]").Replace(leaf)
	classes := strings.NewReplacer("FEATURES", "2", "CLASSES", "[0,1,2]", "VALUE", "[1,0,0]").Replace(leaf)
	good := write("good.json", strings.NewReplacer("FEATURES", "2", "CLASSES", "[0,1]", "VALUE", "[1,0]").Replace(leaf))
	file := write("file", "")
	t.Setenv("FACET_DATA", "")
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for name, test := range map[string]struct {
		args   []string
		status int
		says   string
	}{
		"unknown flag":         {[]string{"-colour"}, 2, "-colour"},
		"argument":             {[]string{"mnist17"}, 2, `"mnist17" is not a flag`},
		"set":                  {[]string{"--data", "iris"}, 2, "is none of australian, cancer,"},
		"no folder":            {[]string{"--data", "mnist17"}, 2, "--data mnist17: the file t10k-images-idx3-ubyte"},
		"empty folder":         {[]string{"--data", "mnist17", "--folder", folder}, 2, "t10k-images-idx3-ubyte"},
		"empty folder, LIBSVM": {[]string{"--data", "diabetes", "--folder", folder}, 2, "--data diabetes: "},
		"no model":             {[]string{"--model", ""}, 2, "flag --model: it is empty"},
		"unknown model":        {[]string{"--model", "svm"}, 2, "--model svm: neither forest nor the name of a file"},
		"folder for a model":   {[]string{"--model", folder}, 2, folder},
		"empty model":          {[]string{"--model", file}, 2, file},
		"features":             {[]string{"--model", write("three.json", three)}, 2, "3 features and 2 classes, but halfmoon has 2 and 2"},
		"classes":              {[]string{"--model", write("classes.json", classes)}, 2, "2 features and 3 classes"},
		"trees of a file":      {[]string{"--model", good, "--trees", "5"}, 2, "--trees is for --model forest"},
		"depth of a file":      {[]string{"--model", good, "--depth", "5"}, 2, "--depth is for --model forest"},
		"no trees":             {[]string{"--trees", "0"}, 2, "flag --trees"},
		"negative depth":       {[]string{"--depth", "-1"}, 2, "flag --depth"},
		"no points":            {[]string{"--points", "0"}, 2, "flag --points"},
		"many points":          {[]string{"--points", "101"}, 2, "flag --points"},
		"norm":                 {[]string{"--norm", "l3"}, 2, "flag --norm"},
		"negative timeout":     {[]string{"--timeout", "-1s"}, 2, "flag --timeout"},
		"timeout without unit": {[]string{"--timeout", "10"}, 2, "--timeout"},
		"negative workers":     {[]string{"--workers", "-1"}, 2, "flag --workers"},
		"no out":               {[]string{"--out", ""}, 2, "flag --out: it is empty"},
		"out over the model":   {[]string{"--model", good, "--out", good}, 2, "would overwrite the file of --model"},
		"out is a folder":      {[]string{"--model", good, "--out", folder}, 2, "--out: "},
		"out inside a file":    {[]string{"--model", good, "--out", filepath.Join(file, "x")}, 2, "--out: "},
		"dump inside a file":   {[]string{"--dump", filepath.Join(file, "x")}, 1, "--dump: "},
	} {
		t.Run(name, func(t *testing.T) {
			status, stdout, stderr := call(t, test.args...)
			if status != test.status || stdout != "" || !strings.HasPrefix(stderr, "ensembles: ") || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, test.says) {
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
	for _, name := range []string{"model", "trees", "depth", "data", "folder", "points", "timeout", "norm", "workers", "out", "dump"} {
		if !strings.Contains(stdout, "\n  --"+name) {
			t.Errorf("--help does not explain -%s", name)
		}
	}
}
