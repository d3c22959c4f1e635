package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// stumpFile is the file of a model that says 1 where a feature is above a threshold.
func stumpFile(names string, feature int, threshold float64) string {
	return fmt.Sprintf(`{"format": "facet-model", "version": 1, "kind": "ensemble",
		"n_features": 2, "feature_names": [%s], "classes": [0, 1], "comparison": "x <= t",
		"vote": "soft", "trees": [{"feature": [%d, -1, -1], "threshold": [%v, 0, 0],
		"left": [1, -1, -1], "right": [2, -1, -1], "value": [[1, 1], [1, 0], [0, 1]]}]}`,
		names, feature, threshold)
}

// TestAlso: examples have the label in all models, whose features are found by their names.
func TestAlso(t *testing.T) {
	f := newFolder(t)
	f.write("model", stumpFile(`"a", "b"`, 0, 1))
	f.write("boot-1.json", stumpFile(`"a", "b"`, 0, 2.5))
	f.write("boot-2.json", stumpFile(`"b", "a"`, 0, 0.5))
	f.write("unnamed", strings.Replace(stumpFile("", 1, -3), `"feature_names": [],`, "", 1))
	f.write("strange", stumpFile(`"a", "c"`, 0, 1))
	f.write("rows", "a,b\n0,0\n0,1\n2,0\n")
	base := []string{"--model", f.file("model"), "--test", f.file("rows"), "--norm", "1",
		"--out", f.file("out"), "--overwrite"}
	for _, test := range []struct {
		args []string
		want []float64 // bounds of the rows that are not predicted the target
	}{
		{[]string{"--target", "1"}, []float64{1, 1}},
		{[]string{"--target", "1", "--also", f.file("boot-*.json")}, []float64{3, 2.5}},
		{[]string{"--also", f.file("boot-1.json") + "=1", "--target", "1"}, []float64{2.5, 2.5}},
		{[]string{"--also", f.file("boot-2.json") + "=0", "--target", "1"}, []float64{1, 1.5}},
		{[]string{"--also", f.file("unnamed") + "=0", "--target", "1"}, []float64{4, 5}},
		{[]string{"--target", "1", "--also", "2 of " + f.file("boot-*.json")}, []float64{3, 2.5}},
		{[]string{"--target", "1", "--also", "1 of " + f.file("boot-*.json")}, []float64{1.5, 1}},
		{[]string{"--target", "1", "--also", f.file("unnamed") + "=0", "--also",
			"1 of " + f.file("boot-1.json") + ", " + f.file("boot-2.json") + "=0"},
			[]float64{4, 5}},
	} {
		f.mustRun(append(slices.Clone(base), test.args...)...)
		lines := f.attacked("out")
		for i, want := range test.want {
			if l := lines[i]; l.Bound == nil || !near(l.Bound, want) {
				t.Errorf("%q: row %d has bound %v, want %v", test.args, i, l.Bound, want)
			}
		}
	}
	f.mustRun(append(slices.Clone(base), "--target", "1", "--also", f.file("boot-*.json"),
		"--proofs", f.file("proofs"))...)
	status, said, complaint := callFacet(t, "check", f.file("proofs"), "--model", f.file("model"),
		"--model", f.file("boot-1.json"), "--model", f.file("proofs.also-2.json"))
	if status != 0 || !strings.Contains(said, "2, all true") ||
		!strings.Contains(said, "checks no") {
		t.Errorf("facet check: status %d, %s%s", status, said, complaint)
	}
	for _, refused := range []struct{ also, want string }{
		{"boot-1.json", "with which label does it accept?"},
		{"boot-1.json=7", "7 is no label of it"},
		{"none-*.json", "no file has such a name"},
		{"strange=1", `the rows have no feature "c"`},
		{"3 of boot-*.json", "ask for at least 1 model and at most 2, as many as are named"},
		{"0 of boot-*.json", "ask for at least 1 model"},
		{"1 of boot-1.json, none-*.json", "no file has such a name"},
	} {
		also := f.file(refused.also)
		if some, models, ok := strings.Cut(refused.also, " of "); ok {
			also = some + " of " + f.file(models)
		}
		args := append(slices.Clone(base), "--also", also)
		attackRefused(t, refused.want, args...)
	}
}
