package main

import (
	"reflect"
	"testing"
)

func TestRowsAttacked(t *testing.T) {
	f := newFolder(t)
	f.write("list", "4\n\n 3\r\n0")
	f.write("all", "4\n0\n2\n1\n")
	tests := []struct {
		name string
		args []string
		want []int
	}{
		{"correct ones", nil, []int{0, 1, 2, 4}},
		{"misclassified too", []string{"--include-misclassified"}, []int{0, 1, 2, 3, 4}},
		{"first eligible", []string{"--points", "3"}, []int{0, 1, 2}},
		{"more than there are", []string{"--points", "9"}, []int{0, 1, 2, 4}},
		{"listed, misclassified ones as well", []string{"--rows", f.file("list")}, []int{0, 3, 4}},
		{"listed in another order", []string{"--rows", f.file("all"), "--workers", "1"},
			[]int{0, 1, 2, 4}},
		{"not predicted the target", []string{"--target", "1"}, []int{0, 2}},
		{"target and misclassified", []string{"--target", "-1", "--include-misclassified"},
			[]int{1, 3, 4}},
		{"target and points", []string{"--target", "-1", "--points", "1"}, []int{1}},
		{"target and list", []string{"--target", "-1", "--rows", f.file("list")}, []int{3, 4}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			lines := f.mustRun(f.base(tt.args...)...)
			if got := rowsOf(lines); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("rows %v, want %v", got, tt.want)
			}
			for _, l := range lines {
				if !near(l.Distance, radii[l.Row]) || *l.AdversarialLabel != -l.Predicted {
					t.Errorf("row %d: distance %v, label %v from %v, want %v and the other label",
						l.Row, *l.Distance, *l.AdversarialLabel, l.Predicted, radii[l.Row])
				}
			}
		})
	}
}

func TestSettings(t *testing.T) {
	f := newFolder(t)
	// Three classes on a line, with labels that are not in order.
	f.write("three", table{{7, 0}, {-2, 10}, {3.5, 20}}.libsvm(1))
	f.write("inside", table{{7, 4}, {7, 1}}.libsvm(1))
	three := func(extra ...string) []string {
		return append(
			[]string{"--train", f.file("three"), "--test", f.file("inside"), "--out", f.file("out"),
				"--points", "1"}, extra...,
		)
	}
	// The row too many makes test row 0 misclassified, unless it is pruned.
	f.write("noisy", square.libsvm(1)+"1 1:0.5\n")
	// The cell of the row nearest to 0 is not the nearest cell: x₀ ≥ 1 against x₀ + x₁ ≥ 1.5.
	f.write("corner", table{{0, 0, 0}, {1, 2, 0}, {1, 1.5, 1.5}}.libsvm(1))
	f.write("origin", table{{0, 0, 0}}.libsvm(1))
	corner := func(extra ...string) []string {
		return append(
			[]string{"--train", f.file("corner"), "--test", f.file("origin"), "--out",
				f.file("out")}, extra...,
		)
	}
	// A tree compares in float32: the border lies between 2 and the next one.
	tests := []struct {
		name        string
		args        []string
		distance    float64
		adversarial float64
	}{
		{"three classes", three(), 1, -2},
		{"target", three("--target", "3.5"), 11, 3.5},
		{"classes", three("--classes", "3.5, 7,-2"), 1, -2},
		{"domain beyond", three("--domain", "6,100"), 2, -2},
		{"domain half infinite", three("--domain", "-inf,5.5"), 1, -2},
		{"ℓ1", f.base("--points", "1", "--norm", "1"), 1, 1},
		{"ℓ2", f.base("--points", "1", "--norm", "2"), 1, 1},
		{"scaled", f.base("--points", "1", "--scale", "minmax"), 0.25, 1},
		{"approx", f.base("--points", "1", "--attack", "approx"), 1, 1},
		{"approx with one region", corner("--attack", "approx", "--regions", "1"), 1, 1},
		{"approx with two regions", corner("--attack", "approx", "--regions", "2"), 0.75, 1},
		{"3-NN exactly", f.base("--points", "1", "--k", "3"), 1, 1},
		{"weighted 3-NN", three("--k", "3", "--weights", "distance"), 1, -2},
		{"tree", f.base("--points", "1", "--model", "tree"), 1 + 0x1p-23, 1},
		{"shallow gini tree",
			f.base("--points", "1", "--model", "tree", "--criterion", "gini", "--depth", "1",
				"--seed", "5"), 1 + 0x1p-23, 1},
		{
			"pruned", []string{"--train", f.file("noisy"), "--test", f.file("test"), "--out",
				f.file("out"), "--points", "1", "--prune", "0.4"}, 1, 1,
		},
		{"timeout not met", f.base("--points", "1", "--timeout", "1h"), 1, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			lines := f.mustRun(tt.args...)
			if len(lines) != 1 || !near(lines[0].Distance, tt.distance) ||
				*lines[0].AdversarialLabel != tt.adversarial {
				t.Errorf("%+v, want distance %v and label %v", lines, tt.distance, tt.adversarial)
			}
		})
	}
}
