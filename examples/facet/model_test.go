package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"
)

// exportedTree has its border at x₀ = 2.
func exportedTree(features int, classes string) string {
	return fmt.Sprintf(`{"format":"sklearn-tree-ensemble","version":1,"n_features":%d,"classes":%s,
"trees":[{"feature":[0,-2,-2],"threshold":[2,-2,-2],"left":[1,-1,-1],"right":[2,-1,-1],"value":[[0.5,0.5],[1,0],[0,1]]}]}`, features, classes)
}

func TestModelFile(t *testing.T) {
	f := newFolder(t)
	tree := f.write("tree.json", exportedTree(2, "[-1,1]"))
	narrow := f.write("narrow.json", exportedTree(1, "[-1,1]"))
	wide := f.write("wide.json", exportedTree(9, "[-1,1]"))
	test := []string{"--test", f.file("test"), "--out", f.file("out")}
	tests := []struct {
		name  string
		args  []string
		scale float64
	}{
		{"without --train", append(test, "--model", tree), 1},
		{"fewer features than the rows", append(test, "--model", narrow), 1},
		{"more features than the rows", append(test, "--model", wide), 1},
		{"with --train", f.base("--model", tree), 1},
		{"approx", f.base("--model", tree, "--attack", "approx"), 1},
		{"approx around pruned rows", f.base("--model", tree, "--attack", "approx", "--prune", "1"),
			1},
		{"ℓ2", append(test, "--model", tree, "--norm", "2"), 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			lines := f.mustRun(tt.args...)
			if len(lines) != 4 {
				t.Errorf("%d lines, want 4", len(lines))
			}
			for _, l := range lines {
				want := radii[l.Row]
				if l.Predicted == -1 {
					want += 0x1p-23 // float32(x) ≤ 2 ends there
				} else {
					want -= 0x1p-23
				}
				if l.Distance == nil || *l.Distance-want > 1e-7 || want-*l.Distance > 1e-9 ||
					l.Label != points[l.Row][0] {
					t.Errorf("row %d: %+v, want %v", l.Row, l, want)
				}
			}
		})
	}
}

// TestForeignModels evaluates models of other libraries on rows of their own: each row is
// attacked, with a proof, and changes to another of the model's labels.
func TestForeignModels(t *testing.T) {
	for _, tt := range []struct {
		file              string
		features, classes int
	}{
		{"xgboost/depth3.json", 2, 2},
		{"xgboost/softprob3.json", 3, 3},
		{"lightgbm/binary.txt", 3, 2},
		{"lightgbm/multiclass.txt", 2, 3},
		{"boosting/three.json", 5, 3},
	} {
		t.Run(tt.file, func(t *testing.T) {
			f := newFolder(t)
			rng := rand.New(rand.NewPCG(1, 1))
			var rows table
			for i := range 12 {
				row := []float64{float64(i % tt.classes)}
				for range tt.features {
					row = append(row, 2*rng.Float64()-0.5)
				}
				rows = append(rows, row)
			}
			model := filepath.Join("..", "..",
				"internal", "modelfile", "testdata", filepath.FromSlash(tt.file))
			lines := f.mustRun("--model", model, "--test", f.write("rows.csv", rows.csv("")),
				"--out", f.file("out"), "--include-misclassified")
			if len(lines) != len(rows) {
				t.Fatalf("%d lines, want %d", len(lines), len(rows))
			}
			for _, l := range lines {
				if !l.Optimal || (l.Distance == nil) != (l.AdversarialLabel == nil) ||
					(l.Distance != nil && *l.AdversarialLabel == l.Predicted) {
					t.Errorf("%+v", l)
				}
			}
		})
	}
}

// TestObliqueTrees trains oblique trees, and reads one whose border is x₀ + x₁ = 2.
func TestObliqueTrees(t *testing.T) {
	f := newFolder(t)
	model := f.write("oblique.json", `{"format":"oblique-tree-ensemble","version":1,"n_features":2,"classes":[-1,1],
"trees":[{"weights":[[1,1],null,null],"threshold":[2,0,0],"left":[1,-1,-1],"right":[2,-1,-1],"value":[[0.5,0.5],[1,0],[0,1]]}]}`)
	for _, l := range f.mustRun(
		"--test", f.file("test"), "--out", f.file("out"), "--model", model,
		"--include-misclassified",
	) {
		want := math.Abs(points[l.Row][1]+points[l.Row][2]-2) / 2
		if !l.Optimal || l.Distance == nil || math.Abs(*l.Distance-want) > 1e-7 {
			t.Errorf("row %d: %+v, want distance %v", l.Row, l, want)
		}
	}
	for _, l := range f.mustRun(f.base("--model", "oblique", "--trees", "3")...) {
		if !l.Optimal || l.Distance == nil {
			t.Errorf("row %d: %+v, want a proven distance", l.Row, l)
		}
	}
}

// TestBaselines runs the attacks that give no proof: never nearer than the exact one.
func TestBaselines(t *testing.T) {
	f := newFolder(t)
	exact := map[string]map[int]float64{}
	models := map[string][]string{
		"knn": {"--model", "knn"}, "tree": {"--model", "tree"},
		"weighted": {"--model", "knn", "--k", "3", "--weights", "distance"},
	}
	for name, flags := range models {
		exact[name] = map[int]float64{}
		for _, l := range f.mustRun(f.base(append(flags, "--scale", "minmax")...)...) {
			exact[name][l.Row] = *l.Distance
		}
	}
	for _, tt := range []struct{ attack, model string }{
		{"direct", "knn"}, {"kernel", "knn"}, {"blackbox", "knn"}, {"blackbox", "tree"},
		{"papernot", "tree"},
		{"direct", "weighted"}, {"kernel", "weighted"}, {"blackbox", "weighted"},
	} {
		found := 0
		for _, l := range f.mustRun(
			f.base(append(models[tt.model], "--attack", tt.attack, "--scale", "minmax")...)...,
		) {
			if l.Status != "attack" || l.Bound != nil || l.Optimal {
				t.Errorf("%v: %+v", tt, l)
			}
			if l.Distance != nil {
				if found++; *l.Distance < exact[tt.model][l.Row]-1e-6 {
					t.Errorf("%v: %+v is nearer than the nearest, %v",
						tt, l, exact[tt.model][l.Row])
				}
			}
		}
		if found == 0 {
			t.Errorf("%v found nothing", tt)
		}
	}
}
