//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"testing"
)

// small runs facet in a process whose files may have so many blocks of 512 bytes, which is how a
// disk looks that is full.
func small(t *testing.T, blocks string, words ...string) (status int, stderr string) {
	t.Helper()
	script := "ulimit -f " + blocks + ` && exec "$0" "$@"`
	c := exec.Command("sh", append([]string{"-c", script, os.Args[0]}, words...)...)
	c.Env = append(os.Environ(), asProgram+"=1")
	var errs bytes.Buffer
	c.Stderr = &errs
	c.Run()
	return c.ProcessState.ExitCode(), withoutNotes(errs.String())
}

// TestDiskFull: of every file of every command that finds no room the error says which lines are
// kept and how to go on, and the files of before are there still.
func TestDiskFull(t *testing.T) {
	t.Parallel() // it waits for processes
	f := newFolder(t)
	rows := map[string]bool{"attack": true, "certify": true, "explain": true, "merge": true}
	for _, w := range writers(f) {
		path := f.write(w.file, "my notes\n")
		status, stderr := small(t, "0", append(w.words(path), "--overwrite")...)
		if want := map[string]int{"verify": 5, "gate": 5}[w.name]; status != max(want, 1) {
			t.Errorf("%s --%s: status %d, %s", w.name, w.flag, status, stderr)
		}
		stderr = stderr[max(0, strings.LastIndex(stderr, "facet "+w.name)):]
		if strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, "file too large") ||
			!strings.Contains(stderr, "run the command again") {
			t.Errorf("%s --%s: %s", w.name, w.flag, stderr)
		}
		// Rows are written as they come: an older file was given up before.
		given := w.flag == "out" && rows[w.name]
		if f.exists(w.file) && f.read(w.file) != "my notes\n" && !given {
			t.Errorf("%s --%s: the file has changed to %q", w.name, w.flag, f.read(w.file))
		}
		for _, beside := range []string{"", ".meta.json", ".model.json", ".other.json",
			".rows.json"} {
			os.Remove(path + beside)
		}
	}
}

// TestFullDevice: so it is of a device that has no room.
func TestFullDevice(t *testing.T) {
	f := newFolder(t)
	for says, args := range map[string][]string{
		"facet attack: /dev/full: no space left":  {"attack", "--out", "/dev/full"},
		"facet attack: --summary: ":               {"attack", "--summary", "/dev/full"},
		"facet explain: /dev/full: no space left": {"explain", "--out", "/dev/full"},
		"facet explain: --proofs: ":               {"explain", "--proofs", "/dev/full"},
	} {
		status, _, stderr := callFacet(t, append(args, "--train", f.file("train"), "--test",
			f.file("test"), "--model", "tree")...)
		if status != 1 || !strings.HasPrefix(withoutNotes(stderr), says) {
			t.Errorf("%v: status %d, %q, want 1 and %q", args, status, stderr, says)
		}
	}
}

// TestDiskFullOfRows: a run that a full disk ends goes on with --resume once there is room, as the
// sentence says, and so does one whose table found none.
func TestDiskFullOfRows(t *testing.T) {
	t.Parallel() // it waits for processes
	f := newFolder(t)
	grid := table{}
	for i := range 60 {
		grid = append(grid, []float64{float64(2*(i%2) - 1), float64(i%2) * 4, float64(i) / 7})
	}
	f.write("test", grid.libsvm(1))
	want := f.mustRun(f.base("--out", f.file("whole"))...)
	words := append([]string{"attack", "--proofs", f.file("proofs"), "--workers", "1"}, f.base()...)
	status, stderr := small(t, "8", words...)
	checkComplaint(t, status, 1, "", stderr, "file too large", "the rows done are in "+
		f.file("out"), "the same command with --resume goes on")
	if n := strings.Count(f.read("out"), "\n"); n == 0 || n >= 60 {
		t.Fatalf("%d rows are kept", n)
	}
	status, stderr = asIs(t, words...)
	checkComplaint(t, status, 2, "", stderr, "--resume goes on with it", "--overwrite begins anew")
	mustCall(t, append(words, "--resume")...)
	if got := f.attacked("out"); !reflect.DeepEqual(timeless(got), timeless(want)) {
		t.Errorf("%d rows, other than the %d of a run that found room", len(got), len(want))
	}
	words = append([]string{"attack", "--csv", f.file("csv"), "--plot", f.file("p.png")},
		f.base()...)
	status, stderr = small(t, "30", append(words, "--overwrite")...)
	checkComplaint(t, status, 1, "", stderr, "--plot: ", "all rows are in "+f.file("out"),
		"the same command with --resume and --overwrite sums them up")
	status, stderr = asIs(t, append(words, "--resume", "--overwrite")...)
	if status != 0 || !f.exists("p.png") {
		t.Errorf("status %d, %s", status, stderr)
	}
}
