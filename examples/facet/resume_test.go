package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// grid has 12 test rows.
func grid(f folder) {
	var t table
	for i := range 12 {
		t = append(t,
			[]float64{float64(1 - 2*(i%2)), float64(4-4*(i%2)) + float64(i)/16, float64(i) / 3})
	}
	f.write("test", t.libsvm(1))
}

// TestResume cuts the file of a complete run at every byte, and continues it: the
// lines must be those of the complete run each time, the kept ones untouched.
func TestResume(t *testing.T) {
	f := newFolder(t)
	grid(f)
	want := timeless(f.mustRun(f.base("--workers", "1")...))
	whole := f.read("out")
	if len(want) != 12 {
		t.Fatalf("%d lines, want 12", len(want))
	}
	step := max(1, len(whole)/racetest.Scale(150))
	for cut := 0; cut <= len(whole); cut += step {
		f.write("out", whole[:cut])
		got := timeless(f.mustRun(f.base("--resume")...))
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("cut at %d: lines %v, want %v", cut, got, want)
		}
		kept := whole[:strings.LastIndex(whole[:cut], "\n")+1]
		if text := f.read("out"); !strings.HasPrefix(text, kept) {
			t.Fatalf("cut at %d: complete lines have changed", cut)
		}
	}
}

// TestResumeDoesNothingTwice checks that a complete file is left alone and reported as such, with
// the version that began it.
func TestResumeDoesNothingTwice(t *testing.T) {
	f := newFolder(t)
	f.mustRun(f.base()...)
	want := f.read("out")
	status, stdout, stderr := call(t,
		f.base("--resume", "--workers", "3", "--summary", f.file("summary"))...)
	if status != 0 || stderr != "" || f.read("out") != want {
		t.Errorf("status %d, %s, or the file has changed", status, stderr)
	}
	if !strings.Contains(stdout, "(5 lines of it before)") || !f.exists("summary") {
		t.Errorf("output %q and summary %v, want 5 lines from before and a summary",
			stdout, f.exists("summary"))
	}
	f.write("out.meta.json", strings.Replace(f.read("out.meta.json"),
		`"version": "`+command.Release()+`"`, `"version": "v0.0.9"`, 1))
	if stdout := mustCall(t, append([]string{"attack", "--resume"}, f.base()...)...); !strings.
		Contains(stdout, "begun by version v0.0.9") {
		t.Errorf("output %q, want the older version named", stdout)
	}
}

func TestResumeRefuses(t *testing.T) {
	f := newFolder(t)
	f.mustRun(f.base()...)
	whole := f.read("out")
	lines := strings.SplitAfter(whole, "\n")
	tests := []struct {
		name string
		text string
		args []string
		says string
	}{
		{"other flags", whole, f.base("--k", "3"), `made with --k "1", not "3"`},
		{"another program's file", "0 1:1\n", f.base(), "line 1: not the result of a row"},
		{"JSON of another shape", "{\"rows\":[1]}\n" + whole, f.base(),
			"line 1: not the result of a row"},
		{"JSON of no shape", "[]\n", f.base(), "line 1: not the result of a row"},
		{"a damaged line", "{\"row\":\n" + lines[0], f.base(), "line 1: not the result of a row"},
		{"no result", "{}\n", f.base(), "line 1: status"},
		{"unknown key", "{\"rows\":1}\n", f.base(), "line 1"},
		{"a row twice", lines[0] + lines[0], f.base(), "line 2: row"},
		{"a row that is not to be attacked", strings.Replace(lines[0], `"row":`, `"row":10`, 1),
			f.base(), "line 1: row 10"},
		{"optimal without a distance", `{"row":0,"status":"optimal","optimal":true}` + "\n",
			f.base(), "contradict"},
		{"limit that is optimal", `{"row":0,"status":"limit","optimal":true,"bound":1}` + "\n",
			f.base(), "contradict"},
		{"none with a distance", `{"row":0,"status":"none","optimal":true,"distance":1}` + "\n",
			f.base(), "contradict"},
		{"attack with a bound", `{"row":0,"status":"attack","bound":1}` + "\n", f.base(),
			"contradict"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f.write("out", tt.text)
			f.write("summary", "kept")
			status, stdout, stderr := call(t,
				append(tt.args, "--resume", "--summary", f.file("summary"))...)
			checkComplaint(t, status, 2, stdout, stderr, "--resume: ", tt.says)
			if f.read("out") != tt.text || f.read("summary") != "kept" {
				t.Error("--out or --summary has changed")
			}
		})
	}
	t.Run("no meta", func(t *testing.T) {
		f.write("out", whole)
		meta := f.read("out.meta.json")
		for text, says := range map[string]string{"": "is gone from beside it",
			"{}": "is not of facet attack",
			strings.Replace(meta, `"schema": 1`, `"schema": 2`, 1): "schema 2"} {
			os.Remove(f.file("out.meta.json"))
			if text != "" {
				f.write("out.meta.json", text)
			}
			status, stdout, stderr := call(t, f.base("--resume")...)
			checkComplaint(t, status, 2, stdout, stderr, "--resume: ", says)
		}
		f.write("out.meta.json", meta)
	})
	t.Run("another name", func(t *testing.T) {
		f.write("out", whole)
		f.write("copy", f.read("test"))
		if got := f.mustRun(
			"--train", f.file("train"), "--test", f.file("copy"), "--out", f.file("out"),
			"--resume",
		); len(got) != 4 {
			t.Errorf("%d lines, want the 4 of the same contents", len(got))
		}
	})
	t.Run("changed input", func(t *testing.T) {
		f.write("out", whole)
		f.write("train", square.libsvm(1)+"# another comment\n")
		attackRefused(t, "made from another file than --train", f.base("--resume")...)
	})
}

// fuse is a context that is cancelled when it is looked at for the n-th time.
type fuse struct {
	context.Context
	cancel context.CancelFunc
	looks  *int
	n      int
}

func (c fuse) Err() error {
	if *c.looks++; *c.looks == c.n {
		c.cancel()
	}
	return c.Context.Err()
}

// TestInterruptedWithExamples: a run whose array needs all rows does not promise that it goes on.
func TestInterruptedWithExamples(t *testing.T) {
	f := newFolder(t)
	grid(f)
	for n := 1; ; n++ {
		inner, cancel := context.WithCancel(t.Context())
		var stdout, stderr bytes.Buffer
		status := run(fuse{inner, cancel, new(int), n}, append([]string{"attack", "--overwrite"},
			f.base("--workers", "1", "--examples", f.file("x.npy"))...), &stdout, &stderr)
		cancel()
		if status == 0 {
			t.Fatal("no run was interrupted between two rows")
		}
		if !strings.Contains(stderr.String(), "of 12 rows done") {
			continue
		}
		checkComplaint(t, status, 3, stdout.String(), stderr.String(), "which are lost",
			"without it --resume continues, --overwrite begins anew")
		return
	}
}

// TestInterruptedAnywhere interrupts runs on one worker at every look at the context, and continues
// them. One goroutine looks at a time: there is one worker, and 12 rows are predicted by one.
func TestInterruptedAnywhere(t *testing.T) {
	for _, args := range [][]string{
		{"attack"}, {"certify", "--radius", "1"}, {"explain", "--model", "tree"},
	} {
		f := newFolder(t)
		grid(f)
		args = append(args, f.base("--untimed", "--workers", "1")...)
		summary := []string{"--summary", f.file("summary")}
		if args[0] == "explain" { // whose table sums up
			summary = nil
		}
		mustCall(t, args...)
		want, ended := f.read("out"), make(map[int]bool) // lines that an interrupted run left
		rows := strings.Count(want, "\n") - strings.Count(want, "misclassified")
		for n := 1; ; n++ {
			os.Remove(f.file("out"))
			f.write("summary", "of an older run")
			inner, cancel := context.WithCancel(t.Context())
			var stdout, stderr bytes.Buffer
			status := run(fuse{inner, cancel, new(int), n}, append(append([]string{args[0],
				"--overwrite"}, args[1:]...), summary...), &stdout, &stderr)
			cancel()
			if status == 0 {
				break
			}
			checkComplaint(t, status, 3, stdout.String(), stderr.String(), "interrupted")
			if !f.exists("out") {
				if f.read("summary") != "of an older run" {
					t.Fatalf("%s, look %d: no --out, but another summary", args[0], n)
				}
				continue
			}
			left := f.read("out")
			count := strings.Count(left, "\n") - strings.Count(left, "misclassified")
			ended[count] = true
			says := fmt.Sprintf("%d of %d rows done", count, rows)
			if summary != nil && f.exists("summary") ||
				!strings.Contains(stderr.String(), says) ||
				!strings.Contains(stderr.String(), "--resume") {
				t.Fatalf("%s, look %d: summary %v, %q, want none and %q",
					args[0], n, f.exists("summary"), &stderr, says)
			}
			mustCall(t, append(append(args, "--resume"), summary...)...)
			if f.read("out") != want || !f.exists("summary") {
				t.Fatalf("%s, look %d: %s, want %s, and a summary", args[0], n, f.read("out"), want)
			}
		}
		for count := range rows {
			if !ended[count] {
				t.Errorf("no %s was interrupted with %d rows done", args[0], count)
			}
		}
	}
}
