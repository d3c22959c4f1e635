package main

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// shards runs all parts of grid, with one misclassified row, and returns their files.
func shards(f folder, n int, flags ...string) (files []string) {
	f.t.Helper()
	for i := range n {
		name := fmt.Sprintf("shard%d", i+1)
		f.mustRun(
			append(f.base("--shard", fmt.Sprintf("%d/%d", i+1, n), "--out", f.file(name)),
				flags...)...,
		)
		files = append(files, f.file(name))
	}
	return files
}

// withWrong is grid with a row that is classified wrongly.
func withWrong(f folder) {
	grid(f)
	f.write("test", f.read("test")+"-1 1:3.5\n")
}

// TestMerge: shards joined are the whole run, in order.
func TestMerge(t *testing.T) {
	f := newFolder(t)
	withWrong(f)
	f.mustRun(f.base()...)
	want, whole := timeless(f.inOrder("out")), f.meta("out")
	if len(want) != 13 {
		t.Fatalf("%d lines, want 13", len(want))
	}
	for _, n := range []int{1, 2, 3, 20} {
		files := shards(f, n)
		slices.Reverse(files)
		if status, stdout, stderr := callFacet(
			t, append(append([]string{"merge"}, files...), "--out", f.file("merged"))...,
		); status != 0 || stderr != "" ||
			!strings.HasPrefix(stdout, "rows written to") {
			t.Fatalf("status %d, %s%s", status, stdout, stderr)
		}
		if got := timeless(f.inOrder("merged")); !reflect.DeepEqual(got, want) {
			t.Errorf("%d shards: %v, want %v", n, got, want)
		}
		if got := f.meta("merged"); !reflect.DeepEqual(got, whole) {
			t.Errorf("%d shards: meta %v, want %v", n, got, whole)
		}
	}
	for _, args := range [][]string{
		{"certify", "--radius", "1"}, {"explain", "--model", "tree"},
	} {
		args = append(args, f.base("--untimed")...)
		mustCall(t, args...)
		merge := []string{"merge", "--out", f.file("merged")}
		for _, shard := range []string{"1/2", "2/2"} {
			merge = append(merge, f.file("part"+shard[:1]))
			mustCall(t, append(args, "--shard", shard, "--out", f.file("part"+shard[:1]))...)
		}
		if mustCall(t, merge...); f.read("merged") != f.read("out") {
			t.Errorf("%s: %s, want %s", args[0], f.read("merged"), f.read("out"))
		}
	}
	f.mustRun(f.base()...)
	mustCall(t, append([]string{"merge", "--out", f.file("merged")}, shards(f, 2)...)...)
	// What was merged is a results file like any other.
	os.Rename(f.file("merged"), f.file("out"))
	if got := timeless(f.mustRun(f.base("--resume")...)); len(got) != 12 {
		t.Errorf("%d lines after going on, want 12", len(got))
	}
}

func TestMergeRefuses(t *testing.T) {
	f := newFolder(t)
	withWrong(f)
	files := shards(f, 3)
	f.mustRun(f.base()...)
	f.mustRun(f.base("--shard", "2/3", "--k", "3", "--out", f.file("other flags"))...)
	f.mustRun(f.base("--shard", "1/4", "--out", f.file("fourth"))...)
	copied := func(name, text string) string {
		f.write(name+".meta.json", f.read("shard2.meta.json"))
		return f.write(name, text)
	}
	text := f.read("shard2")
	lines := strings.SplitAfter(text, "\n")
	first := strings.SplitAfter(f.read("shard1"), "\n")
	f.write("bare", text)
	incomplete := copied("incomplete", text[:len(text)/2])
	doubled := copied("doubled", strings.Replace(text, lines[1], first[1], 1))
	foreign := copied("foreign", "row,label\n")
	f.write("merged", "kept")
	for name, c := range map[string]struct {
		shards []string
		says   string
	}{
		"none":          {nil, "which files?"},
		"missing file":  {[]string{f.file("nowhere")}, "nowhere"},
		"first missing": {files[1:], "shard 1/3 is missing"},
		"last missing":  {files[:2], "shard 3/3 is missing"},
		"one missing":   {[]string{files[0], files[2]}, "shard 2/3 is missing"},
		"one twice":     {append(files, files[1]), "are both shard 2/3"},
		"no shard":      {[]string{f.file("out")}, "it is no shard"},
		"other flags":   {[]string{files[0], f.file("other flags"), files[2]}, `--k "3", not "1"`},
		"other number":  {[]string{files[1], files[2], f.file("fourth")}, "is shard 2/3"},
		"no meta":       {[]string{files[0], f.file("bare"), files[2]}, "is gone from beside it"},
		"incomplete": {[]string{files[0], incomplete, files[2]},
			"continue it with facet attack --resume"},
		"a row twice":   {[]string{files[0], doubled, files[2]}, "is in "},
		"foreign lines": {[]string{files[0], foreign, files[2]}, "line 1: not the result of a row"},
	} {
		refused(t, c.says,
			append(append([]string{"merge"}, c.shards...), "--out", f.file("merged"))...)
		if f.read("merged") != "kept" || f.exists("merged.meta.json") {
			t.Fatalf("%s: --out has changed", name)
		}
	}
	refused(t, "which this command reads", "merge", files[0], files[1], files[2], "--out", files[1])
	refused(t, "--out FILE is missing", "merge", files[0])
	f.write("test", f.read("test")+"\n")
	f.mustRun(f.base("--shard", "2/3", "--out", f.file("later"))...)
	refused(t, "made from another file than --test",
		"merge", files[0], f.file("later"), files[2], "--out", f.file("merged"))
}

// TestResumeOfAShard: the part that was begun is the part that goes on.
func TestResumeOfAShard(t *testing.T) {
	f := newFolder(t)
	withWrong(f)
	want := timeless(f.mustRun(f.base("--shard", "2/3")...))
	text := f.read("out")
	f.write("out", text[:len(text)/2])
	for _, shard := range []string{"1/3", "2/4"} {
		attackRefused(t, "it is for shard 2/3, not for shard "+shard,
			f.base("--shard", shard, "--resume")...)
	}
	attackRefused(t, "it is for shard 2/3, not for all rows", f.base("--resume")...)
	if got := timeless(f.mustRun(f.base("--shard", "2/3", "--resume")...)); !reflect.DeepEqual(
		got, want,
	) || len(want) != 4 {
		t.Errorf("lines %v, want the 4 of %v", got, want)
	}
}
