//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// asProgram makes the test binary behave as the program.
const asProgram = "FACET_TEST_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	os.Exit(m.Run())
}

// TestSignal interrupts the program once the first row is written, and continues it.
func TestSignal(t *testing.T) {
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			f := newFolder(t)
			rows := racetest.Count(6000, 6000) // some 50 µs each
			f.write("train", spiral(200).libsvm(1))
			f.write("test", spiral(rows).libsvm(1))
			args := f.base("--workers", "1", "--include-misclassified", "--summary", f.file("summary"))
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			command := exec.CommandContext(ctx, os.Args[0], append([]string{"attack"}, args...)...)
			command.Env = append(os.Environ(), asProgram+"=1")
			var stdout, stderr bytes.Buffer
			command.Stdout, command.Stderr = &stdout, &stderr
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			for ctx.Err() == nil && !(f.exists("out") && strings.Count(f.read("out"), "\n") > 1) {
				time.Sleep(time.Millisecond)
			}
			if err := command.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			command.Wait()
			checkComplaint(t, command.ProcessState.ExitCode(), 1, stdout.String(), stderr.String(), "interrupted with", fmt.Sprintf("of %d rows", rows), "--resume to continue "+f.file("out"))
			if n := len(f.lines("out")); n == 0 || n == rows || f.exists("summary") {
				t.Fatalf("%d lines of %d, summary %v, want a part and no summary", n, rows, f.exists("summary"))
			}
			got := timeless(f.mustRun(append(args, "--resume")...))
			want := timeless(f.mustRun(args...))
			if !reflect.DeepEqual(got, want) || len(got) != rows {
				t.Errorf("%d lines after going on, other than the %d of an uninterrupted run", len(got), len(want))
			}
		})
	}
}

// spiral returns rows of two classes, no two of them equal.
func spiral(n int) table {
	t := make(table, n)
	for i := range t {
		v := float64(i)
		t[i] = []float64{float64(i % 2), v * math.Cos(v/7), v * math.Sin(v/7), math.Sqrt(v)}
	}
	return t
}

// TestSignalWhileReading interrupts the program while it waits for the rest of a file.
func TestSignalWhileReading(t *testing.T) {
	f := newFolder(t)
	pipe := f.file("pipe")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), os.Args[0], "attack", "--train", pipe, "--test", f.file("test"))
	command.Env = append(os.Environ(), asProgram+"=1")
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(pipe, os.O_WRONLY, 0) // waits for the program to read
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	rows := 0
	for ; err == nil && rows < 5_000_000; rows++ {
		_, err = file.WriteString("1 1:1\n") // until nobody reads any more
	}
	if err == nil {
		t.Errorf("the program reads on after %d rows", rows)
	}
	file.Close()
	command.Wait()
	checkComplaint(t, command.ProcessState.ExitCode(), 1, stdout.String(), stderr.String(), "interrupted before the first point")
}
