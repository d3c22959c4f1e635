//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// asProgram makes the test binary behave as the program.
const asProgram = "FACET_TEST_COMMAND"

func TestMain(m *testing.M) {
	switch os.Getenv(asProgram) {
	case "":
	case "either":
		command.Exit(runEither)
	default:
		main()
	}
	os.Exit(m.Run())
}

// process is facet in a process of its own.
type process struct {
	*exec.Cmd
	t              *testing.T
	stdout, stderr bytes.Buffer
}

// start starts facet attack. A test that fails does not wait for it longer than a minute.
func start(t *testing.T, args ...string) *process {
	t.Helper()
	return startInto(t, nil, args...)
}

// startInto starts facet attack with a standard output of its own.
func startInto(t *testing.T, stdout io.Writer, args ...string) *process {
	t.Helper()
	return startCommand(t, stdout, append([]string{"attack"}, args...)...)
}

// startCommand starts the command that args begin with.
func startCommand(t *testing.T, stdout io.Writer, args ...string) *process {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	p := &process{Cmd: exec.CommandContext(ctx, os.Args[0], replacing(args)...), t: t}
	p.Env = append(os.Environ(), asProgram+"=either")
	p.Stdout, p.Stderr = &p.stdout, &p.stderr
	if stdout != nil {
		p.Stdout = stdout
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.Process.Kill()
		p.Cmd.Wait()
		cancel()
	})
	return p
}

// end waits for the process and returns its exit status, −1 for one that was killed.
func (p *process) end() int {
	p.Cmd.Wait()
	return p.ProcessState.ExitCode()
}

// long has so many test rows that a run on one worker takes some tenths of a second.
func long(t *testing.T) (f folder, rows int) {
	f, rows = newFolder(t), 1600 // some 150 µs each
	if racetest.Enabled {
		rows = 1000 // which take as long
	}
	f.write("train", spiral(200).libsvm(1))
	f.write("test", spiral(rows).libsvm(1))
	return f, rows
}

// waitForLine waits until a run has written lines.
func (f folder) waitForLine(name string) {
	f.t.Helper()
	for deadline := time.Now().Add(5 * time.Minute); !f.exists(name) ||
		strings.Count(f.read(name), "\n") < 2; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			f.t.Fatal("no line after five minutes")
		}
	}
}

// midway starts a command that writes rows lines to out, and halts it after a few. On a busy
// machine the run can be past its half before this process is given a turn: then it is begun anew.
func (f folder) midway(rows int, args ...string) *process {
	f.t.Helper()
	for range 20 {
		p := startCommand(f.t, nil, args...)
		f.waitForLine("out")
		p.Process.Signal(syscall.SIGSTOP)
		if strings.Count(f.read("out"), "\n") < rows/2 {
			return p
		}
		p.Process.Kill()
		p.end()
		os.Remove(f.file("out"))
		os.Remove(f.file("out.meta.json"))
	}
	f.t.Fatal("20 runs were past their half before they could be halted")
	return nil
}

// goOn lets a halted process go on.
func (p *process) goOn() { p.Process.Signal(syscall.SIGCONT) }

// interrupted starts a run that does not show from outside, and interrupts it. On a busy machine
// the signal can come before the program is ready for any: then the next one waits longer.
func interrupted(t *testing.T, args ...string) *process {
	t.Helper()
	for wait := 250 * time.Millisecond; ; wait *= 2 {
		p := start(t, args...)
		time.Sleep(wait)
		p.Process.Signal(os.Interrupt)
		if p.end() >= 0 || wait > 10*time.Second {
			return p
		}
	}
}

// TestKilled kills runs at random moments, from their first to their last, and continues them: the
// files in the end are those of a run that nobody killed, and no others are left.
func TestKilled(t *testing.T) {
	t.Parallel() // it waits for a process
	const rows = 1500
	f := newFolder(t)
	f.write("train", spiral(200).libsvm(1))
	f.write("test", spiral(rows).libsvm(1))
	base := f.base("--include-misclassified", "--workers", "2")
	began := time.Now()
	if p := start(t, base...); p.end() != 0 {
		t.Fatal(&p.stderr)
	}
	took := time.Since(began)
	want := timeless(f.inOrder("out"))
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	kills, finished := 0, 0
	for kills < racetest.Count(8, 300) {
		os.Remove(f.file("out"))
		for {
			p := start(t, append(base, "--resume")...)
			time.Sleep(time.Duration(rng.Int64N(int64(took))))
			p.Process.Kill()
			status := p.end()
			if status > 0 {
				t.Fatalf("seed %d: status %d after %d kills: %s", seed, status, kills, &p.stderr)
			}
			if status == 0 {
				break
			}
			kills++
		}
		finished++
		if got := timeless(f.inOrder("out")); !reflect.DeepEqual(got, want) || len(got) != rows {
			t.Fatalf(
				"seed %d: %d lines after %d kills, other than the %d of a run that was not killed",
				seed, len(got), kills, rows,
			)
		}
		f.onlyFiles("train", "test", "out", "out.meta.json")
	}
	t.Logf("%d kills, %d files finished", kills, finished)
}

// onlyFiles checks that no other file was left behind.
func (f folder) onlyFiles(names ...string) {
	f.t.Helper()
	entries, err := os.ReadDir(f.path)
	if err != nil {
		f.t.Fatal(err)
	}
	for _, e := range entries {
		if !slices.Contains(names, e.Name()) {
			f.t.Errorf("%s was left behind", e.Name())
		}
	}
}

// TestTwoWriters: the second run on a file ends at once and leaves it alone, under any name of the
// file.
func TestTwoWriters(t *testing.T) {
	t.Parallel() // it waits for a process
	f, rows := long(t)
	if err := os.Symlink(f.file("out"), f.file("link")); err != nil {
		t.Fatal(err)
	}
	first := f.midway(rows,
		append([]string{"attack"}, f.base("--workers", "1", "--include-misclassified")...)...)
	for _, args := range [][]string{f.base(), f.base("--resume"), f.base("--out", f.file("link"))} {
		status, stdout, stderr := call(t, args...)
		checkComplaint(t, status, 2, stdout, stderr, "another run writes to ", "name another file")
	}
	first.goOn()
	if status := first.end(); status != 0 {
		t.Fatalf("status %d: %s", status, &first.stderr)
	}
	if lines := f.inOrder("out"); len(lines) != rows {
		t.Errorf("%d lines, want %d", len(lines), rows)
	}
	if status, _, stderr := call(
		t, f.base("--out", f.file("link"), "--points", "1")...,
	); status != 0 {
		t.Errorf("once the first run has ended: status %d, %s", status, stderr)
	}
	if info, err := os.Lstat(f.file("link")); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link was replaced, not the file: %v, %v", info, err)
	}
}

// pipe makes a named pipe.
func (f folder) pipe(name string) string {
	f.t.Helper()
	if err := syscall.Mkfifo(f.file(name), 0o600); err != nil {
		f.t.Fatal(err)
	}
	return f.file(name)
}

// TestReaderLeaves: a reader that has seen enough ends the run.
func TestReaderLeaves(t *testing.T) {
	f, rows := long(t)
	pipe := f.pipe("pipe")
	p := start(t, f.base("--workers", "1", "--out", pipe)...)
	reader, err := os.Open(pipe)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(reader, make([]byte, 1000)); err != nil {
		t.Fatal(err)
	}
	reader.Close()
	checkComplaint(t, p.end(), 1, p.stdout.String(), p.stderr.String(), "nobody reads it any more")

	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p = startInto(t, write, f.base("--workers", "1", "--out", "/dev/stdout")...)
	write.Close()
	if _, err := io.ReadFull(read, make([]byte, 1000)); err != nil {
		t.Fatal(err)
	}
	read.Close()
	checkComplaint(t, p.end(), 1, "", p.stderr.String(), "nobody reads it any more")
	if rows < 1000 {
		t.Errorf("%d rows may have been written before the reader left", rows)
	}
}

// TestReaderSleeps: one signal ends a run whose reader does not read, or does not come.
func TestReaderSleeps(t *testing.T) {
	t.Parallel() // it waits for a process
	f, _ := long(t)
	pipe := f.pipe("pipe")
	p := start(t, f.base("--workers", "1", "--out", pipe)...)
	reader, err := os.Open(pipe)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if _, err := io.ReadFull(reader, make([]byte, 1000)); err != nil {
		t.Fatal(err)
	}
	time.Sleep(300 * time.Millisecond) // until the pipe is full; sooner, the test is only weaker
	p.Process.Signal(os.Interrupt)
	if status := p.end(); status != 1 ||
		strings.Count(withoutNotes(p.stderr.String()), "\n") != 1 {
		t.Errorf("status %d, %s", status, &p.stderr)
	}

	p = interrupted(t, f.base("--out", f.pipe("forgotten"))...)
	checkComplaint(t, p.end(), 3, p.stdout.String(), p.stderr.String(), "interrupted")
}

// mustTable runs facet attack, whose table goes to standard error, and returns its standard output.
func mustTable(t *testing.T, args ...string) string {
	t.Helper()
	p := start(t, args...)
	if status := p.end(); status != 0 ||
		!strings.Contains(p.stderr.String(), "empirical robustness") {
		t.Fatalf("status %d, %s, want the table on standard error", status, &p.stderr)
	}
	return p.stdout.String()
}

// TestStreams: rows alone go to a pipe or to standard output.
func TestStreams(t *testing.T) {
	f := newFolder(t)
	want := timeless(f.mustRun(f.base("--include-misclassified")...))
	f.write("stdout",
		mustTable(t,
			f.base("--include-misclassified", "--workers", "1", "--out", "/dev/stdout")...))
	if out := mustTable(
		t, f.base("--include-misclassified", "--untimed", "--out", "-")...,
	); strings.Count(out, "\n") != len(points) || f.exists("-") {
		t.Errorf("--out - prints %q, want the rows", out)
	}
	if text := mustTable(t, f.base("--summary", "-")...); !strings.HasPrefix(text, `{"points":4,`) {
		t.Errorf("--summary - prints %q, want the summary alone", text)
	}
	if got := timeless(f.inOrder("stdout")); !reflect.DeepEqual(got, want) {
		t.Errorf("standard output %s, want the rows", f.read("stdout"))
	}
	appended, err := os.OpenFile(f.file("log"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if status := startInto(t, appended, f.base("--out", "/dev/stdout")...).end(); status != 0 {
			t.Errorf("status %d", status)
		}
	}
	if n := strings.Count(f.read("log"), "\n"); n != 2*len(points) {
		t.Errorf("%d lines appended to standard output, want twice %d", n, len(points))
	}
	p := start(t, f.base("--out", "/dev/stdout", "--resume")...)
	checkComplaint(t, p.end(), 2, p.stdout.String(), p.stderr.String(),
		"--resume: /dev/stdout is no file")
	if left, _ := filepath.Glob(f.file("*.lock")); left != nil || f.exists("log.meta.json") {
		t.Errorf("%v was left behind", left)
	}
}

// TestSignal interrupts the program once the first row is written, and continues it.
func TestSignal(t *testing.T) {
	t.Parallel() // it waits for a process
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			f, rows := long(t)
			args := f.base("--workers", "1",
				"--include-misclassified", "--summary", f.file("summary"))
			p := f.midway(rows, append([]string{"attack"}, args...)...)
			p.Process.Signal(signal)
			p.goOn()
			checkComplaint(t, p.end(), 3, p.stdout.String(), p.stderr.String(), "interrupted with",
				fmt.Sprintf("of %d rows", rows), "--resume to continue "+f.file("out"))
			if n := len(f.lines("out")); n == 0 || n == rows || f.exists("summary") {
				t.Fatalf("%d lines of %d, summary %v, want a part and no summary",
					n, rows, f.exists("summary"))
			}
			got := timeless(f.mustRun(append(args, "--resume")...))
			want := timeless(f.mustRun(args...))
			if !reflect.DeepEqual(got, want) || len(got) != rows {
				t.Errorf("%d lines after going on, other than the %d of an uninterrupted run",
					len(got), len(want))
			}
		})
	}
}

// TestSignalWhileReading interrupts the program while it waits for a file: for its first byte, for
// the rest, or for somebody to write it at all.
func TestSignalWhileReading(t *testing.T) {
	t.Parallel() // it waits for a process
	f := newFolder(t)
	pipe := f.pipe("pipe")
	for _, args := range [][]string{
		{"--train", pipe, "--test", f.file("test")},
		{"--train", f.file("train"), "--test", pipe},
		{"--model", pipe, "--test", f.file("test")},
		{"--train", f.file("train"), "--test", f.file("test"), "--rows", pipe},
	} {
		for _, text := range []string{"", "1 1:1\n1 1"} {
			p := start(t, args...)
			file, err := os.OpenFile(pipe, os.O_WRONLY, 0) // waits for the program to read
			if err != nil {
				t.Fatal(err)
			}
			if _, err := file.WriteString(text); err != nil {
				t.Fatal(err)
			}
			p.Process.Signal(os.Interrupt)
			checkComplaint(t, p.end(), 3, p.stdout.String(), p.stderr.String(),
				"interrupted before the first point")
			file.Close()
		}
		p := interrupted(t, args...) // and nobody writes
		checkComplaint(t, p.end(), 3, p.stdout.String(), p.stderr.String(),
			"interrupted before the first point")
	}
}
