package classifier_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/seed-1a7dc1f9/facet/classifier"
)

// obliqueModel is the example of ReadOblique's documentation.
const obliqueModel = `{"format":"oblique-tree-ensemble","version":1,"n_features":2,"classes":[-1,1],` +
	`"vote":"soft","trees":[{"weights":[[1,-1],null,null],"threshold":[0.5,0,0],` +
	`"left":[1,-1,-1],"right":[2,-1,-1],"value":[[0.5,0.5],[1,0],[0,1]]}]}`

// exportOblique writes an ensemble as ReadOblique expects it.
func exportOblique(t testing.TB, e *classifier.ObliqueEnsemble) string {
	t.Helper()
	type tree struct {
		Weights   [][]float64 `json:"weights"`
		Threshold []float64   `json:"threshold"`
		Left      []int       `json:"left"`
		Right     []int       `json:"right"`
		Value     [][]float64 `json:"value"`
	}
	var trees []tree
	for i := range e.Len() {
		var out tree
		for _, n := range e.Tree(i).Nodes() {
			out.Weights = append(out.Weights, n.Weights)
			out.Threshold = append(out.Threshold, n.Threshold)
			out.Left, out.Right = append(out.Left, n.Left), append(out.Right, n.Right)
			out.Value = append(out.Value, n.Value)
		}
		trees = append(trees, out)
	}
	o, classes := e.Options(), e.ClassValues()
	for c := len(classes); c < e.Classes(); c++ {
		classes = append(classes, float64(c))
	}
	model := map[string]any{
		"format": "oblique-tree-ensemble", "version": 1, "n_features": e.Dim(), "classes": classes,
		"vote": []string{"soft", "hard", "sum", "logistic", "softmax"}[o.Vote], "trees": trees,
	}
	if o.Vote >= classifier.SumVote {
		model["base"] = o.Base
	}
	text, err := json.Marshal(model)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestReadOblique(t *testing.T) {
	e, err := classifier.ReadOblique(strings.NewReader(obliqueModel))
	if err != nil {
		t.Fatal(err)
	}
	if e.Dim() != 2 || e.Classes() != 2 || e.Len() != 1 || e.Options().Vote != classifier.SoftVote {
		t.Errorf("%d features, %d classes, %d trees, %+v", e.Dim(), e.Classes(), e.Len(), e.Options())
	}
	if got, want := e.ClassValues(), []float64{-1, 1}; !slices.Equal(got, want) {
		t.Errorf("ClassValues = %v, want %v", got, want)
	}
	for _, test := range []struct {
		x    []float64
		want int
	}{{[]float64{1, 0.5}, 0}, {[]float64{1, 0.25}, 1}, {[]float64{-1, 0}, 0}} {
		if got := e.Predict(test.x); got != test.want {
			t.Errorf("Predict(%v) = %d, want %d", test.x, got, test.want)
		}
	}
}

// TestReadObliqueRoundTrip writes and reads random ensembles of every vote.
func TestReadObliqueRoundTrip(t *testing.T) {
	for number := range uint64(100) {
		rng := rand.New(rand.NewPCG(number, 11))
		dim := 1 + rng.IntN(3)
		var trees []*classifier.ObliqueTree
		for range 1 + rng.IntN(3) {
			trees = append(trees, obliqueOf(t, dim, randomOblique(rng, dim, 2, 3)...))
		}
		o := classifier.EnsembleOptions{Vote: classifier.Vote(number % 5)}
		if o.Vote >= classifier.SumVote {
			o.Base = []float64{0.25, -1.0 / 3}
		}
		e, err := classifier.NewObliqueEnsemble(trees, o)
		if err != nil {
			t.Fatal(err)
		}
		back, err := classifier.ReadOblique(strings.NewReader(exportOblique(t, e)))
		if err != nil {
			t.Fatal(err)
		}
		if back.Len() != e.Len() || !reflect.DeepEqual(back.Options(), e.Options()) {
			t.Fatalf("%d trees, options %+v, want %d, %+v", back.Len(), back.Options(), e.Len(), e.Options())
		}
		for i := range e.Len() {
			if !reflect.DeepEqual(back.Tree(i).Nodes(), e.Tree(i).Nodes()) {
				t.Fatalf("tree %d: %+v, want %+v", i, back.Tree(i).Nodes(), e.Tree(i).Nodes())
			}
		}
	}
}

func TestReadObliqueErrors(t *testing.T) {
	edit := func(old, new string) string {
		t.Helper()
		if !strings.Contains(obliqueModel, old) {
			t.Fatalf("the model has no %s", old)
		}
		return strings.Replace(obliqueModel, old, new, 1)
	}
	trees := strings.Index(obliqueModel, `"trees"`)
	tests := []struct {
		name, text, place string
	}{
		{"nothing", "", "byte 0"},
		{"cut short", obliqueModel[:len(obliqueModel)/2], "byte"},
		{"not JSON", `{"format":oblique}`, "byte 11"},
		{"an array", `[]`, "array"},
		{"a string for a number", edit(`"version":1`, `"version":"1"`), "version"},
		{"a fraction for a child", edit(`"left":[1,`, `"left":[1.5,`), "left"},
		{"a number for weights", edit(`[1,-1],null`, `[1,-1],0`), "weights"},
		{"a number too large", edit(`[1,-1],null`, `[1e400,-1],null`), "weights"},
		{"NaN", edit(`[1,-1],null`, `[NaN,-1],null`), "byte"},
		{"another format", edit(`oblique-tree-ensemble`, `sklearn-tree-ensemble`), `"sklearn-tree-ensemble"`},
		{"another version", edit(`"version":1`, `"version":2`), "version is 2"},
		{"no version", edit(`"version":1,`, ``), "version is 0"},
		{"no features", edit(`"n_features":2`, `"n_features":0`), "n_features is 0"},
		{"negative features", edit(`"n_features":2`, `"n_features":-1`), "n_features is -1"},
		{"absurdly many features", edit(`"n_features":2`, `"n_features":1048577`), "n_features is 1048577"},
		{"text after the model", obliqueModel + " {", "more text after the model"},
		{"no classes", edit(`[-1,1]`, `[]`), "no classes"},
		{"classes missing", edit(`"classes":[-1,1],`, ``), "no classes"},
		{"classes descending", edit(`[-1,1]`, `[1,-1]`), "classes"},
		{"classes repeated", edit(`[-1,1]`, `[1,1]`), "classes"},
		{"an unknown vote", edit(`"soft"`, `"loud"`), `vote is "loud"`},
		{"base in a soft vote", edit(`"soft"`, `"soft","base":[0,0]`), "base"},
		{"base of another length", edit(`"soft"`, `"sum","base":[0]`), "base"},
		{"no trees", obliqueModel[:trees] + `"trees":[]}`, "no trees"},
		{"an empty tree", obliqueModel[:trees] + `"trees":[{}]}`, "0 nodes"},
		{"weights missing", edit(`[1,-1],null,null`, `[1,-1],null`), "2 weight vectors"},
		{"thresholds missing", edit(`[0.5,0,0]`, `[0.5,0]`), "2 thresholds"},
		{"left children missing", edit(`"left":[1,-1,-1]`, `"left":[1,-1]`), "2 left"},
		{"right children missing", edit(`"right":[2,-1,-1]`, `"right":null`), "0 right"},
		{"values missing", edit(`[[0.5,0.5],[1,0],[0,1]]`, `[[0.5,0.5],[1,0]]`), "2 values"},
		{"a value missing", edit(`[1,0]`, `[1]`), "node 1"},
		{"a value too many", edit(`[0,1]]`, `[0,1,2]]`), "node 2"},
		{"a node without values", edit(`[1,0]`, `null`), "node 1"},
		{"a weight missing", edit(`[1,-1],null`, `[1],null`), "node 0"},
		{"an inner node without weights", edit(`[1,-1],null`, `null,null`), "node 0"},
		{"a leaf with weights", edit(`[1,-1],null`, `[1,-1],[1,1]`), "node 1"},
		{"a loop", edit(`"left":[1,`, `"left":[0,`), "node 0"},
		{"a child out of range", edit(`"right":[2,`, `"right":[3,`), "node 0"},
		{"one child", edit(`"right":[2,`, `"right":[-1,`), "node 0"},
		{"one child twice", edit(`"right":[2,`, `"right":[1,`), "node 0"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e, err := classifier.ReadOblique(strings.NewReader(test.text))
			if e != nil || !errors.Is(err, classifier.ErrModel) {
				t.Fatalf("ReadOblique = %v, %v, want ErrModel", e, err)
			}
			mentions(t, err, test.place)
		})
	}
}

func TestReadObliqueReportsTheReader(t *testing.T) {
	want := errors.New("the disk is on fire")
	_, err := classifier.ReadOblique(io.MultiReader(strings.NewReader(obliqueModel[:40]), iotest.ErrReader(want)))
	if !errors.Is(err, want) {
		t.Errorf("error = %v, want %v", err, want)
	}
}

// FuzzReadOblique reads anything. What is accepted must predict, name the cell around a point
// and list cells, and come back from a file as it went.
func FuzzReadOblique(f *testing.F) {
	f.Add([]byte(obliqueModel))
	f.Add([]byte(strings.Replace(obliqueModel, "[1,-1]", "[1e308,-1e308]", 1)))
	f.Add([]byte(strings.Replace(obliqueModel, "[1,-1]", "[0,-1e-320]", 1)))
	f.Add([]byte(strings.Replace(obliqueModel, `"soft"`, `"sum","base":[1e308,-1e308]`, 1)))
	f.Add([]byte(strings.Replace(obliqueModel, `"n_features":2`, `"n_features":1000000000000`, 1)))
	f.Fuzz(func(t *testing.T, text []byte) {
		e, err := classifier.ReadOblique(bytes.NewReader(text))
		if err != nil {
			if e != nil || !errors.Is(err, classifier.ErrModel) {
				t.Fatalf("ReadOblique = %v, %v, want ErrModel", e, err)
			}
			return
		}
		if e.Dim() > 1000 {
			return // points of that many features take more memory than a test has
		}
		for _, v := range []float64{0, 0.5, -1, 1e300, -1e300, math.SmallestNonzeroFloat64} {
			x := slices.Repeat([]float64{v}, e.Dim())
			label := e.Predict(x)
			if label < 0 || label >= e.Classes() {
				t.Fatalf("Predict(%v…) = %d of %d classes", v, label, e.Classes())
			}
			if cell, err := e.CellAt(x); err != nil || cell.Label != label || cell.Region.Check(e.Dim()) != nil {
				t.Fatalf("CellAt(%v…) = %+v, %v, want label %d", v, cell, err, label)
			}
		}
		cells := 0
		for cell := range e.Cells() {
			if cells++; cell.Region.Check(e.Dim()) != nil || cell.Label < 0 || cell.Label >= e.Classes() {
				t.Fatalf("cell %+v", cell)
			}
			if cells == 50 {
				break
			}
		}
		again, err := classifier.ReadOblique(strings.NewReader(exportOblique(t, e)))
		if err != nil || !reflect.DeepEqual(again.Options(), e.Options()) || !reflect.DeepEqual(again.Tree(0).Nodes(), e.Tree(0).Nodes()) {
			t.Fatalf("the round trip gives %v, %v", again, err)
		}
	})
}
