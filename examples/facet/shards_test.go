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
				"--max-bytes", fmt.Sprint(1000 * i), "--out", f.file(name)}, extra...,
		)...,
	)
}

// killHalfWay runs a shard until the system kills it with a part of its rows done.
func (f folder) killHalfWay(i, n, rows int) {
	f.t.Helper()
	name, args := f.shard(i, n, "--workers", "1")
	for range 100 { // now and then a run ends before it is killed
		p := start(f.t, args...)
		f.waitForLine(name)
		p.Process.Kill()
		if p.end() == -1 && strings.Count(f.read(name), "\n") < rows {
			return
		}
	}
	f.t.Fatalf("shard %d/%d always ended before it was killed", i, n)
}

// TestSixteenShards: of sixteen shards three are killed half-way and continued; joined they are the
// file of one run to the last byte.
func TestSixteenShards(t *testing.T) {
	const n = 16
	f, rows := long(t)
	f.mustRun(f.base("--untimed", "--include-misclassified")...)
	var files []string
	for i := 1; i <= n; i++ {
		name, args := f.shard(i, n)
		if i%6 == 1 {
			f.killHalfWay(i, n, rows/n)
			args = append(args, "--resume")
		}
		if status, _, stderr := call(t, args...); status != 0 {
			t.Fatalf("shard %d/%d: status %d, %s", i, n, status, stderr)
		}
		files = append(files, f.file(name))
	}
	if status, stdout, stderr := callFacet(
		t, append(append([]string{"merge"}, files...), "--out", f.file("merged"))...,
	); status != 0 || stdout+stderr != "" {
		t.Fatalf("status %d, %s%s", status, stdout, stderr)
	}
	if f.read("merged") != f.read("out") || strings.Count(f.read("out"), "\n") != rows {
		t.Error("the joined file is not that of one run")
	}
	if f.read("merged.meta.json") != f.read("out.meta.json") {
		t.Errorf("%s stands beside it, not %s", f.read("merged.meta.json"), f.read("out.meta.json"))
	}
}
