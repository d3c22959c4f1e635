package classifier_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/seed-1a7dc1f9/facet/classifier"
)

// smallModel is the example of ReadTree's documentation.
const smallModel = `{"format":"sklearn-tree-ensemble","version":1,"n_features":2,"classes":[-1,1],` +
	`"trees":[{"feature":[0,-2,-2],"threshold":[0.5,-2,-2],` +
	`"left":[1,-1,-1],"right":[2,-1,-1],"value":[[0.5,0.5],[1,0],[0,1]]}]}`

// changed replaces a part of smallModel, which must hold it.
func changed(t *testing.T, old, new string) string {
	t.Helper()
	if !strings.Contains(smallModel, old) {
		t.Fatalf("the model has no %s", old)
	}
	return strings.Replace(smallModel, old, new, 1)
}

func TestReadTree(t *testing.T) {
	tree, err := classifier.ReadTree(strings.NewReader(smallModel))
	if err != nil {
		t.Fatal(err)
	}
	if tree.Dim() != 2 || tree.Classes() != 2 || tree.Comparison() != classifier.AtMostFloat32 {
		t.Errorf("Dim, Classes, Comparison = %d, %d, %d, want 2, 2, Float32", tree.Dim(), tree.Classes(), tree.Comparison())
	}
	if got, want := tree.ClassValues(), []float64{-1, 1}; !slices.Equal(got, want) {
		t.Errorf("ClassValues = %v, want %v", got, want)
	}
	for x, want := range map[float64]int{0.5: 0, math.Nextafter(0.5, 1): 0, 0.5 + 0x1p-24: 1, 0.4: 0, 0.6: 1} {
		if got := tree.Predict([]float64{x, 0}); got != want {
			t.Errorf("Predict(%v) = %d, want %d", x, got, want)
		}
	}
	back, err := classifier.ReadTree(strings.NewReader(export(t, tree)))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(back, tree) {
		t.Errorf("read back: %+v, want %+v", back, tree)
	}
}

// export writes a tree as ReadTree expects it.
func export(t testing.TB, tree *classifier.Tree) string {
	t.Helper()
	var parts struct {
		Feature   []int       `json:"feature"`
		Threshold []float64   `json:"threshold"`
		Left      []int       `json:"left"`
		Right     []int       `json:"right"`
		Value     [][]float64 `json:"value"`
	}
	for _, n := range tree.Nodes() {
		parts.Feature = append(parts.Feature, n.Feature)
		parts.Threshold = append(parts.Threshold, n.Threshold)
		parts.Left = append(parts.Left, n.Left)
		parts.Right = append(parts.Right, n.Right)
		parts.Value = append(parts.Value, n.Value)
	}
	text, err := json.Marshal(map[string]any{
		"format": "sklearn-tree-ensemble", "version": 1, "n_features": tree.Dim(),
		"classes": tree.ClassValues(), "trees": []any{parts},
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestReadTreeErrors(t *testing.T) {
	edit := func(old, new string) string { return changed(t, old, new) }
	tests := []struct {
		name, text, place string
	}{
		{"nothing", "", "byte 0"},
		{"cut short", smallModel[:len(smallModel)/2], "byte"},
		{"not JSON", `{"format":sklearn}`, "byte 11"},
		{"an array", `[]`, "array"},
		{"a string for a number", edit(`"version":1`, `"version":"1"`), "version"},
		{"a fraction for a child", edit(`"left":[1,`, `"left":[1.5,`), "left"},
		{"a number too large", edit(`[0.5,-2,-2]`, `[1e400,-2,-2]`), "threshold"},
		{"NaN", edit(`[0.5,-2,-2]`, `[NaN,-2,-2]`), "byte"},
		{"another format", edit(`sklearn-tree-ensemble`, `pmml`), `"pmml"`},
		{"another version", edit(`"version":1`, `"version":2`), "version is 2"},
		{"no version", edit(`"version":1,`, ``), "version is 0"},
		{"no features", edit(`"n_features":2`, `"n_features":0`), "n_features is 0"},
		{"absurdly many features", edit(`"n_features":2`, `"n_features":1048577`), "n_features is 1048577"},
		{"text after the model", smallModel + " {", "more text after the model"},
		{"negative features", edit(`"n_features":2`, `"n_features":-1`), "n_features is -1"},
		{"no classes", edit(`[-1,1]`, `[]`), "no classes"},
		{"classes missing", edit(`"classes":[-1,1],`, ``), "no classes"},
		{"classes descending", edit(`[-1,1]`, `[1,-1]`), "classes"},
		{"classes repeated", edit(`[-1,1]`, `[1,1]`), "classes"},
		{"no trees", smallModel[:strings.Index(smallModel, `"trees"`)] + `"trees":[]}`, "no trees"},
		{"an empty tree", smallModel[:strings.Index(smallModel, `"trees"`)] + `"trees":[{}]}`, "0 nodes"},
		{"features missing", edit(`"feature":[0,-2,-2]`, `"feature":[0,-2]`), "tree 0"},
		{"thresholds missing", edit(`[0.5,-2,-2]`, `[0.5,-2]`), "2 thresholds"},
		{"left children missing", edit(`"left":[1,-1,-1]`, `"left":[1,-1]`), "2 left"},
		{"right children missing", edit(`"right":[2,-1,-1]`, `"right":null`), "0 right"},
		{"values missing", edit(`[[0.5,0.5],[1,0],[0,1]]`, `[[0.5,0.5],[1,0]]`), "2 values"},
		{"a value missing", edit(`[1,0]`, `[1]`), "node 1"},
		{"a value too many", edit(`[0,1]]`, `[0,1,2]]`), "node 2"},
		{"a node without values", edit(`[1,0]`, `null`), "tree 0: value: a null 11 bytes"},
		{"a null for a number", edit(`"left":[1,`, `"left":[null,`), "tree 0: left: a null"},
		{"feature out of range", edit(`"feature":[0,`, `"feature":[2,`), "node 0"},
		{"an inner node without a feature", edit(`"feature":[0,`, `"feature":[-2,`), "node 0"},
		{"a loop", edit(`"left":[1,`, `"left":[0,`), "node 0"},
		{"a child out of range", edit(`"right":[2,`, `"right":[3,`), "node 0"},
		{"one child", edit(`"right":[2,`, `"right":[-1,`), "node 0"},
		{"one child twice", edit(`"right":[2,`, `"right":[1,`), "node 0"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tree, err := classifier.ReadTree(strings.NewReader(test.text))
			if tree != nil || !errors.Is(err, classifier.ErrModel) {
				t.Fatalf("ReadTree = %v, %v, want ErrModel", tree, err)
			}
			mentions(t, err, test.place)
		})
	}
}

// TestReadTreeRefusesForests: several trees are no malformed file, but not a tree either.
func TestReadTreeRefusesForests(t *testing.T) {
	tree := smallModel[strings.Index(smallModel, `"trees":[`)+len(`"trees":[`) : len(smallModel)-2]
	_, err := classifier.ReadTree(strings.NewReader(strings.TrimSuffix(smallModel, "]}") + "," + tree + "]}"))
	if !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("error = %v, want errors.ErrUnsupported", err)
	}
	mentions(t, err, "2 trees")
}

func TestReadTreeReportsTheReader(t *testing.T) {
	want := errors.New("the disk is on fire")
	_, err := classifier.ReadTree(io.MultiReader(strings.NewReader(smallModel[:40]), iotest.ErrReader(want)))
	if !errors.Is(err, want) {
		t.Errorf("error = %v, want %v", err, want)
	}
}

// FuzzReadTree reads anything. What is accepted must predict, and list cells that hold the
// points it predicts.
func FuzzReadTree(f *testing.F) {
	f.Add([]byte(smallModel))
	f.Add([]byte(strings.Replace(smallModel, "[0.5,-2", "[-1e39,-2", 1)))
	f.Add([]byte(strings.Replace(smallModel, `"n_features":2`, `"n_features":1000000000000`, 1)))
	text, err := os.ReadFile("testdata/sklearn/grid.json")
	if err != nil {
		f.Fatal(err)
	}
	var g golden
	if err := json.Unmarshal(text, &g); err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(g.Models[0].Tree))
	f.Fuzz(func(t *testing.T, text []byte) {
		tree, err := classifier.ReadTree(bytes.NewReader(text))
		if err != nil {
			if tree != nil || !errors.Is(err, classifier.ErrModel) {
				t.Fatalf("ReadTree = %v, %v, want ErrModel", tree, err)
			}
			return
		}
		if tree.Dim() > 1000 {
			return // points of that many features take more memory than a test has
		}
		for _, v := range []float64{0, 0.5, -1, 1e300, -1e300, math.SmallestNonzeroFloat64} {
			x := slices.Repeat([]float64{v}, tree.Dim())
			label, found := tree.Predict(x), 0
			if label < 0 || label >= tree.Classes() {
				t.Fatalf("Predict(%v…) = %d of %d classes", v, label, tree.Classes())
			}
			for cell := range tree.Cells() {
				if cell.Region.Contains(x) {
					if found++; cell.Label != label {
						t.Fatalf("a cell around %v… has label %d, want %d", v, cell.Label, label)
					}
				}
			}
			if cell, err := tree.CellAt(x); found != 1 || err != nil || cell.Label != label || !cell.Region.Contains(x) {
				t.Fatalf("%v… lies in %d cells, CellAt = %v, %v", v, found, cell, err)
			}
		}
		again, err := classifier.ReadTree(strings.NewReader(export(t, tree)))
		if err != nil || !reflect.DeepEqual(again.Nodes(), tree.Nodes()) {
			t.Fatalf("the round trip gives %v, %v", again, err)
		}
	})
}
