package modelfile_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile"
	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
)

// obliqueModel is the example of docs/use/models.md.
const obliqueModel = `{"format":"oblique-tree-ensemble","version":1,"n_features":2,"classes":[-1,` +
	`1],` +
	`"vote":"soft","trees":[{"weights":[[1,-1],null,null],"threshold":[0.5,0,0],` +
	`"left":[1,-1,-1],"right":[2,-1,-1],"value":[[0.5,0.5],[1,0],[0,1]]}]}`

func TestReadObliqueErrors(t *testing.T) {
	checkFaults(t, obliqueModel, false, map[string]fault{
		"a string for a number":  {`"version":1`, `"version":"1"`, "version"},
		"a fraction for a child": {`"left":[1,`, `"left":[1.5,`, "left"},
		"a number for weights":   {`[1,-1],null`, `[1,-1],0`, "weights"},
		"a number too large":     {`[1,-1],null`, `[1e400,-1],null`, "weights"},
		"NaN":                    {`[1,-1],null`, `[NaN,-1],null`, "byte"},
		"another version":        {`"version":1`, `"version":2`, "version is 2"},
		"no version":             {`"version":1,`, ``, "version is 0"},
		"no features":            {`"n_features":2`, `"n_features":0`, "n_features is 0"},
		"negative features":      {`"n_features":2`, `"n_features":-1`, "n_features is -1"},
		"absurdly many features": {`"n_features":2`, `"n_features":1048577`,
			"n_features is 1048577"},
		"no classes":             {`[-1,1]`, `[]`, "no classes"},
		"classes missing":        {`"classes":[-1,1],`, ``, "no classes"},
		"classes descending":     {`[-1,1]`, `[1,-1]`, "classes"},
		"classes repeated":       {`[-1,1]`, `[1,1]`, "classes"},
		"an unknown vote":        {`"soft"`, `"loud"`, `vote is "loud"`},
		"base in a soft vote":    {`"soft"`, `"soft","base":[0,0]`, "base"},
		"base of another length": {`"soft"`, `"sum","base":[0]`, "base"},
		"weights missing":        {`[1,-1],null,null`, `[1,-1],null`, "2 weight vectors"},
		"thresholds missing":     {`[0.5,0,0]`, `[0.5,0]`, "2 thresholds"},
		"left children missing":  {`"left":[1,-1,-1]`, `"left":[1,-1]`, "2 left"},
		"right children missing": {`"right":[2,-1,-1]`, `"right":null`, "0 right"},
		"values missing":         {`[[0.5,0.5],[1,0],[0,1]]`, `[[0.5,0.5],[1,0]]`, "2 values"},
		"a value missing":        {`[1,0]`, `[1]`, "node 1"},
		"a value too many":       {`[0,1]]`, `[0,1,2]]`, "node 2"},
		"a node without values":  {`[1,0]`, `null`, "node 1"},
		"a leaf with weights":    {`[1,-1],null`, `[1,-1],[1,1]`, "node 1"},
		"a loop":                 {`"left":[1,`, `"left":[0,`, "node 0"},
		"a child out of range":   {`"right":[2,`, `"right":[3,`, "node 0"},
		"one child":              {`"right":[2,`, `"right":[-1,`, "node 0"},
		"one child twice":        {`"right":[2,`, `"right":[1,`, "node 0"},
		"no trees": {obliqueModel[strings.Index(obliqueModel, `"trees"`):],
			`"trees":[]}`, "no trees"},
		"an empty tree": {obliqueModel[strings.Index(obliqueModel, `"trees"`):], `"trees":[{}]}`,
			"0 nodes"},
	})
}

const (
	treeModel = `{"format":"facet-model","version":1,"kind":"tree","n_features":1,` +
		`"comparison":"x < t",` +
		`"trees":[{"feature":[0,-1,-1],"threshold":[0.5,0,0],"left":[1,-1,-1],"right":[2,-1,-1],` +
		`"missing_left":[true,false,false],"value":[[1,1],[1,0],[0,1]]}]}`
	knnModel = `{"format":"facet-model","version":1,"kind":"knn","n_features":2,"k":1,"rows":[[0,` +
		`0],[0.1,1]],"labels":[0,1]}`
)

func TestFeatureNames(t *testing.T) {
	named := strings.Replace(treeModel, `"comparison"`, `"feature_names":["width"],"comparison"`, 1)
	if got := readAll(t, named).file.FeatureNames; !slices.Equal(got, []string{"width"}) {
		t.Errorf("FeatureNames = %v, want width", got)
	}
	checkFaults(t, named, false, map[string]fault{
		"a name too many": {`["width"]`, `["width","height"]`, "2 feature_names, n_features is 1"},
		"a number":        {`["width"]`, `[1]`, "feature_names"},
	})
}

func TestCategories(t *testing.T) {
	text := strings.Replace(treeModel, `"comparison"`, `"categories":[3],"comparison"`, 1)
	if got := readAll(t, text).file.Categories; !slices.Equal(got, []int{3}) {
		t.Errorf("Categories = %v, want 3", got)
	}
	checkFaults(t, text, false, map[string]fault{
		"a number too many": {`[3]`, `[3,0]`, "2 categories, n_features is 1"},
		"a negative number": {`[3]`, `[-3]`, "feature 0 has -3 codes"},
		"absurdly many":     {`[3]`, `[1048577]`, "feature 0 has 1048577 codes"},
	})
	checkFaults(t, knnModel, false, map[string]fault{
		"of neighbours": {`"k":1`, `"k":1,"categories":[0,2]`, `categories of kind "knn"`},
	})
}

// TestWriteWritesWhatWasRead: a file of facet's comes back to the last byte.
func TestWriteWritesWhatWasRead(t *testing.T) {
	for _, text := range []string{
		treeModel, knnModel,
		strings.Replace(treeModel, `[0.5,0,0]`, `[0,0,0],"infinite":[-1,0,0]`, 1),
		strings.Replace(treeModel, `1,"comp`, `1,"feature_names":["a"],"categories":[2],`+
			`"category_names":[["x","<y>"]],"comp`, 1),
	} {
		m, err := modelfile.Read(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if err := modelfile.Write(&out, m); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSpace(out.String()); got != text {
			t.Errorf("written: %s, want %s", got, text)
		}
	}
}

// FuzzRead reads anything. Models predict, and those of facet are written again.
func FuzzRead(f *testing.F) {
	for _, text := range append([]string{
		strings.Replace(boostedModel, "probability", "sum", 1),
		strings.Replace(boosterModel, `"5E-1"`, `"[5E-1]"`, 1), lightgbmModel,
		readFile(f, "lightgbm", "multiclass.txt"),
		boosterSets(f, "[5,1,2]", "3"), readFile(f, "xgboost3", "dart_sets.ubj.gz"),
		readFile(f, "xgboost3", "one_hot.ubj.gz"), readFile(f, "xgboost3", "depth3.json.gz"),
		lightgbmSets(f), readFile(f, "lightgbm4", "zero_sets_missing.txt.gz"),
		readFile(f, "lightgbm4", "sets.json.gz"), readFile(f, "lightgbm4", "sets_missing.txt.gz"),
		readFile(f, "lightgbm", "zeros.txt"),
		arraysOf(f, arraysText), "{L\x00\x00", readFile(f, "onnx", "missing_mixed_four.onnx.gz"),
		readFile(f, "onnx", "regressor_tree.onnx.gz"),
		lightgbmSets(f) + "\npandas_categorical:[[\"a\",\"b\"],[false,1.5]]\n",
		strings.Replace(boosterModel, `"tree_info"`, `"cats":{"enc":[{"offsets":[0,1],"values":`+
			`[65]},{"type":15,"values":[3,7]}],"feature_segments":[0,1,3]},"tree_info"`, 1),
	}, small...) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := modelfile.Read(strings.NewReader(text))
		if err != nil {
			return
		}
		if m.Kind == models.Ensemble || m.Kind == models.Tree {
			checkRead(t, text)
		}
		var out strings.Builder
		if err := modelfile.Write(&out, m); err != nil {
			t.Fatal(err)
		}
		if _, err := modelfile.Read(strings.NewReader(out.String())); err != nil {
			t.Fatalf("%v: %s", err, out.String())
		}
	})
}
