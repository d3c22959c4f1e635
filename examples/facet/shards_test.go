//go:build unix

package main

import (
	"fmt"
	"strings"
	"testing"
)

// shard are the flags of a part of a run whose lines are the same bytes whenever it is run.
func (f folder) shard(i, n int, extra ...string) (name string, args []string) {
	name = fmt.Sprintf("shard%d", i)
	return name, f.base(
		append(
			[]string{"--untimed", "--include-misclassified", "--shard", fmt.Sprintf("%d/%d", i, n),
				"--max-memory", fmt.Sprint(i << 20), "--out", f.file(name)}, extra...,
		)...,
	)
}

// leaveHalf runs a shard and leaves the files that a kill leaves: half of the file, torn in a line,
// and the file of its lock. A run that is killed in earnest may have ended before, on a fast
// machine.
func (f folder) leaveHalf(i, n int) {
	f.t.Helper()
	name, args := f.shard(i, n)
	f.mustRun(args...)
	text := f.read(name)
	f.write(name, text[:len(text)/2])
	f.write(name+".lock", "")
}

// TestSixteenShards: of sixteen shards three end half-way and are continued; joined they are the
// file of one run to the last byte.
func TestSixteenShards(t *testing.T) {
	const n = 16
	f, rows := long(t)
	f.mustRun(f.base("--untimed", "--include-misclassified")...)
	var files []string
	for i := 1; i <= n; i++ {
		name, args := f.shard(i, n)
		if i%6 == 1 {
			f.leaveHalf(i, n)
			args = append(args, "--resume")
		}
		if status, _, stderr := call(t, args...); status != 0 {
			t.Fatalf("shard %d/%d: status %d, %s", i, n, status, stderr)
		}
		files = append(files, f.file(name))
	}
	mustCall(t, append(append([]string{"merge"}, files...), "--out", f.file("merged"))...)
	if f.read("merged") != f.read("out") || strings.Count(f.read("out"), "\n") != rows {
		t.Error("the joined file is not that of one run")
	}
	if f.read("merged.meta.json") != f.read("out.meta.json") {
		t.Errorf("%s stands beside it, not %s", f.read("merged.meta.json"), f.read("out.meta.json"))
	}
}
