//go:build unix

package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// callProcess runs facet as a program of its own.
func callProcess(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	p := startCommand(t, nil, args...)
	status = p.end()
	return status, p.stdout.String(), p.stderr.String()
}

// mustProcess runs facet, which is to succeed in silence, and returns its output.
func mustProcess(t *testing.T, args ...string) string {
	t.Helper()
	status, stdout, stderr := callProcess(t, args...)
	if status != 0 || withoutNotes(stderr) != "" {
		t.Fatalf("facet %v = %d, %s", args, status, stderr)
	}
	return stdout
}

// jsonLines decodes a line at a time.
func jsonLines[T any](t *testing.T, text string) (lines []T) {
	t.Helper()
	for line := range strings.Lines(text) {
		var v T
		d := json.NewDecoder(strings.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&v); err != nil || !strings.HasSuffix(line, "\n") {
			t.Fatalf("%v in %q", err, line)
		}
		lines = append(lines, v)
	}
	return lines
}

// checkTable checks the cells beside names in a table.
func checkTable(t *testing.T, table string, want map[string]string) {
	t.Helper()
	for name, value := range want {
		found := false
		for line := range strings.Lines(table) {
			rest, ok := strings.CutPrefix(line, name+" ")
			found = found || ok && strings.Join(strings.Fields(rest), " ") == value
		}
		if !found {
			t.Errorf("the table says no %q of %q:\n%s", value, name, table)
		}
	}
}

// TestStandardOutput: a file that goes to standard output has it alone, and the table for people
// goes to standard error.
func TestStandardOutput(t *testing.T) {
	f := newFolder(t)
	train, test := f.file("train"), f.file("test")
	shard := shards(f, 1, "--untimed")[0]
	for _, args := range [][]string{
		{"predict", "--train", train, "--test", test, "--out"},
		{"prune", "--train", train, "--prune", "0.1", "--out"},
		{"train", "--train", train, "--model", "tree", "--save"},
		{"merge", shard, "--out"},
		{"range", "--model", houses, "--radius", "1", "--test", districts, "--untimed", "--out"},
	} {
		name := args[0] + " file"
		table := mustProcess(t, append(args, f.file(name))...)
		status, stdout, stderr := callProcess(t, append(args, "-")...)
		if want := f.read(name); status != 0 || stdout != want {
			t.Errorf("facet %v - = %d, prints %q, want %q", args, status, stdout, want)
		}
		if strings.Count(stderr, "\n") != strings.Count(table, "\n") {
			t.Errorf("facet %v -: %q on standard error, want a table as %q", args, stderr, table)
		}
	}
	for _, args := range [][]string{
		{"attack", "--train", train, "--test", test},
		{"prune", "--train", train, "--prune", "0.1"},
	} {
		status, _, stderr := callProcess(t, append(args, "--proofs", "-")...)
		if status != 2 || !strings.Contains(stderr, "--proofs needs a file") {
			t.Errorf("facet %v --proofs - = %d, %s", args, status, stderr)
		}
	}
}
