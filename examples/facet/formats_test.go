package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/dataset"
)

// TestFormats checks that a set gives the same lines from every format.
func TestFormats(t *testing.T) {
	f := newFolder(t)
	trainX, trainY := square.npy()
	testX, testY := points.npy()
	files := map[string]string{
		"zero.train": square.libsvm(0), "zero.test": points.libsvm(0),
		"train.csv": square.csv("first,second,label\n"),
		"test.csv":  points.csv("first,second,label\n"),
		"train.npy": trainX, "trainy.npy": trainY, "test.npy": testX, "testy.npy": testY,
		"train.gz": zip(t, square.libsvm(1)), "test.csv.gz": zip(t, points.csv("a,b,c\n")),
		"train.npy.gz": zip(t, trainX), "trainy.npy.gz": zip(t, trainY),
	}
	for name, text := range files {
		f.write(name, text)
	}
	tests := []struct{ name, train, trainLabels, test, testLabels string }{
		{"LIBSVM", "train", "", "test", ""},
		{"LIBSVM from 0", "zero.train", "", "zero.test", ""},
		{"CSV", "train.csv", "", "test.csv", ""},
		{"NPY", "train.npy", "trainy.npy", "test.npy", "testy.npy"},
		{"gzip", "train.gz", "", "test.csv.gz", ""},
		{"NPY in gzip", "train.npy.gz", "trainy.npy.gz", "test", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			args := []string{"--train", f.file(tt.train), "--test", f.file(tt.test), "--out",
				f.file("out")}
			if tt.trainLabels != "" {
				args = append(args, "--train-labels", f.file(tt.trainLabels))
			}
			if tt.testLabels != "" {
				args = append(args, "--test-labels", f.file(tt.testLabels))
			}
			lines := f.mustRun(args...)
			want := []int{0, 1, 2, 4}
			if got := rowsOf(lines); !reflect.DeepEqual(got, want) {
				t.Fatalf("rows %v, want %v", got, want)
			}
			for _, l := range lines {
				if !near(l.Distance, radii[l.Row]) || l.Label != points[l.Row][0] ||
					l.Predicted != l.Label {
					t.Errorf("%+v, want distance %v, label %v", l, radii[l.Row], points[l.Row][0])
				}
			}
		})
	}
}

// TestLine checks every key of a line by name.
func TestLine(t *testing.T) {
	f := newFolder(t)
	f.mustRun(f.base("--points", "1")...)
	line, _, _ := strings.Cut(f.read("out"), "\n")
	if !regexp.MustCompile(`^\{"row":0,"label":-1,"predicted":-1,"status":"optimal",` +
		`"optimal":true,"distance":1(\.0000000\d*)?,"bound":(1|0\.999999999\d*),` +
		`"adversarial_label":1,"adversarial":\[2(\.0000000\d*)?,[-0-9.e]+\],` +
		`"nodes":\d+,"solves":\d+,"seconds":[-0-9.e]+\}$`).MatchString(line) {
		t.Errorf("the line is %s", line)
	}
	m := f.meta("out")
	flags, _ := m["flags"].(map[string]any)
	if m["schema"] != 1.0 || m["program"] != "facet attack" || m["version"] == nil ||
		flags["points"] != "1" || flags["norm"] != "inf" {
		t.Errorf("meta %v, want schema, program, version and flags", m)
	}
	if !reflect.DeepEqual(m["classes"], []any{-1.0, 1.0}) || m["rows"] != 1.0 ||
		m["test_rows"] != 5.0 || m["scaling"] != nil || m["shard"] != nil {
		t.Errorf("meta %v, want classes and numbers of rows", m)
	}
	inputs, _ := m["inputs"].(map[string]any)
	if test, _ := inputs["test"].(map[string]any); test["path"] != f.file("test") ||
		test["sha256"] != fmt.Sprintf("%x", sha256.Sum256([]byte(f.read("test")))) {
		t.Errorf("inputs %v, want path and checksum of the test set", inputs)
	}
}

func rowsOf(lines []line) (rows []int) {
	for _, l := range lines {
		rows = append(rows, l.Row)
	}
	return rows
}

func near(got *float64, want float64) bool {
	return got != nil && *got-want < 1e-7 && want-*got < 1e-9
}

// TestExamples: --examples writes the examples that lines have otherwise, and NaN for rows without
// an example.
func TestExamples(t *testing.T) {
	f := newFolder(t)
	args := []string{"--train", f.file("train"), "--test", f.file("test"), "--untimed"}
	want := f.mustRun(append(args, "--out", f.file("out"))...)
	got := f.mustRun(append(args, "--out", f.file("bare"), "--examples", f.file("x.npy"))...)
	text, err := os.ReadFile(f.file("x.npy"))
	if err != nil {
		t.Fatal(err)
	}
	x, err := dataset.ReadNPY(bytes.NewReader(text), "x.npy", dataset.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(x.Shape, []int{len(points), 2}) || len(got) != len(want) {
		t.Fatalf("an array of shape %v and %d lines, want %d", x.Shape, len(got), len(want))
	}
	found := 0
	for i, l := range want {
		row := x.Data[2*l.Row : 2*l.Row+2]
		switch {
		case got[i].Adversarial != nil:
			t.Errorf("row %d has its example in the line, too", l.Row)
		case l.Adversarial == nil && !(math.IsNaN(row[0]) && math.IsNaN(row[1])):
			t.Errorf("row %d has no example, and %v in the array", l.Row, row)
		case l.Adversarial != nil && !slices.Equal(row, l.Adversarial):
			t.Errorf("row %d: %v, want %v", l.Row, row, l.Adversarial)
		case l.Adversarial != nil:
			found++
		}
	}
	if found < 3 {
		t.Errorf("%d examples", found)
	}
	args = append(append([]string{"attack"}, args...), "--examples", "-")
	status, _, stderr := callFacet(t, args...)
	if status != 2 || !strings.Contains(stderr, "--examples needs a file") {
		t.Errorf("status %d, %s", status, stderr)
	}
}
