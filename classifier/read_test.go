package classifier_test

import (
	"bytes"
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
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// A small file of each format.
const (
	sklearnFile = `{"format":"sklearn-tree-ensemble","version":1,"n_features":2,"classes":[-1,1],` +
		`"trees":[{"feature":[0,-2,-2],"threshold":[0.5,-2,-2],` +
		`"left":[1,-1,-1],"right":[2,-1,-1],"value":[[0.5,0.5],[1,0],[0,1]]}]}`
	xgboostFile = `{"version": [1, 7, 4], "learner": {
		"learner_model_param": {"base_score": "5E-1", "num_class": "0", "num_feature": "1"},
		"objective": {"name": "binary:logistic"},
		"gradient_booster": {"name": "gbtree", "model": {"tree_info": [0], "trees": [
			{"left_children": [1, -1, -1], "right_children": [2, -1, -1], "default_left": [0, 0, 0],
			 "split_indices": [0, 0, 0], "split_conditions": [0.5, -1, 1]}]}}}}`
	lightgbmFile = `tree
version=v4
num_class=1
max_feature_idx=0
objective=binary sigmoid:1

Tree=0
num_leaves=2
num_cat=0
split_feature=0
threshold=0.5
decision_type=2
left_child=-1
right_child=-2
leaf_value=-1 1

end of trees
`
	obliqueFile = `{"format":"oblique-tree-ensemble","version":1,"n_features":2,"classes":[-1,1],` +
		`"vote":"soft","trees":[{"weights":[[1,-1],null,null],"threshold":[0.5,0,0],` +
		`"left":[1,-1,-1],"right":[2,-1,-1],"value":[[0.5,0.5],[1,0],[0,1]]}]}`
	treeFile = `{"format":"facet-model","version":1,"kind":"tree","n_features":1,"comparison":"x ` +
		`< t",` +
		`"trees":[{"feature":[0,-1,-1],"threshold":[0.5,0,0],"left":[1,-1,-1],"right":[2,-1,-1],` +
		`"value":[[1,1],[1,0],[0,1]]}]}`
	knnFile = `{"format":"facet-model","version":1,"kind":"knn","n_features":2,"k":1,"rows":[[0,` +
		`0],[1,1]],"labels":[0,1]}`
)

// TestReadAnyFormat: Read tells the formats apart, and the type says which model was in the file.
func TestReadAnyFormat(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       classifier.Classifier
		values     []float64
	}{
		{"scikit-learn", sklearnFile, &classifier.Ensemble{}, []float64{-1, 1}},
		{"XGBoost", xgboostFile, &classifier.Ensemble{}, []float64{0, 1}},
		{"LightGBM", lightgbmFile, &classifier.Ensemble{}, []float64{0, 1}},
		{"oblique", obliqueFile, &classifier.ObliqueEnsemble{}, []float64{-1, 1}},
		{"tree", treeFile, &classifier.Tree{}, nil},
		{"k-NN", knnFile, &classifier.KNN{}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, err := classifier.Read[classifier.Classifier](strings.NewReader(test.text),
				classifier.ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if reflect.TypeOf(c) != reflect.TypeOf(test.want) {
				t.Errorf("type %T, want %T", c, test.want)
			}
			if got := classifier.NamesOf(c).ClassValues; !slices.Equal(got, test.values) {
				t.Errorf("ClassValues = %v, want %v", got, test.values)
			}
		})
	}
}

func TestReadErrors(t *testing.T) {
	nowhere := trees.Fault{Tree: -1, Node: -1, Byte: -1}
	at := func(set func(e *trees.Fault)) trees.Fault {
		e := nowhere
		set(&e)
		return e
	}
	inByte := func(n int) trees.Fault {
		return at(func(e *trees.Fault) { e.Byte = n })
	}
	inTree := func(tree int) trees.Fault {
		return at(func(e *trees.Fault) { e.Tree = tree })
	}
	inNode := func(node int) trees.Fault {
		return at(func(e *trees.Fault) { e.Tree, e.Node = 0, node })
	}
	edit := func(text, old, new string) string {
		if !strings.Contains(text, old) {
			t.Fatalf("the model has no %s", old)
		}
		return strings.Replace(text, old, new, 1)
	}
	for name, test := range map[string]struct {
		text, mention string
		where         trees.Fault
	}{
		"nothing":               {"", "the file is empty", nowhere},
		"prose":                 {"hello", "byte 0", inByte(0)},
		"other JSON":            {`{"a": 1}`, "without a format", nowhere},
		"an unknown format":     {`{"format": "pmml"}`, `"pmml"`, nowhere},
		"a number for a format": {`{"format": 1}`, "format is 1", nowhere},
		"an array":              {`[1]`, "array", nowhere},
		"cut short":             {sklearnFile[:40], "byte 40", inByte(40)},
		"UBJSON cut short": {"{L\x00\x00\x00\x00\x00\x00\x00\x07learner{",
			"ends in the middle", inByte(18)},
		"binary": {"binf\x9a\x99", "save_model", inByte(0)},
		"a bad export": {edit(sklearnFile, `"version":1`, `"version":2`),
			"version is 2", nowhere},
		"a bad booster": {`{"learner":{},"version":[1,7,4]}`, "gradient_booster",
			nowhere},
		"a bad text": {"tree\nversion=v1\nend of trees\n", "version",
			at(func(e *trees.Fault) { e.Line = 2 })},
		"a text of Windows": {"tree\r\nversion=v3\r\n", "end of trees",
			at(func(e *trees.Fault) { e.Line = 2 })},
		"a loop": {edit(sklearnFile, `"left":[1`, `"left":[0`), "child 0",
			inNode(0)},
		"a column cut short": {edit(sklearnFile, `"left":[1,-1,-1]`, `"left":[1,-1]`),
			"2 left", inTree(0)},
		"weights for features": {
			edit(sklearnFile, `"feature":[0,-2,-2]`, `"weights":[[1,0],null,null]`), "0 features",
			inTree(0),
		},
		"an inner node, no weights": {edit(obliqueFile, `[1,-1],null`, `null,null`), "0 weights",
			inNode(0)},
		"a weight missing": {edit(obliqueFile, `[1,-1],null`, `[1],null`), "1 weights",
			inNode(0)},
		"no kind": {edit(treeFile, `"kind":"tree",`, ``), `kind is ""`,
			nowhere},
		"another kind": {edit(treeFile, `"kind":"tree"`, `"kind":"shrub"`), "shrub",
			nowhere},
		"no comparison": {edit(treeFile, `"comparison":"x < t",`, ``),
			`comparison is ""`, nowhere},
		"missing_left cut short": {
			edit(treeFile, `"threshold"`, `"missing_left":[true],"threshold"`),
			"1 of infinite or missing_left", inTree(0),
		},
		"two trees in one": {edit(treeFile, `"trees":[`, `"trees":[{},`), "2 trees",
			nowhere},
		"a tree without trees": {edit(edit(treeFile, `"trees":[`, `"trees":null}`),
			treeFile[strings.Index(treeFile, `{"feature"`):], ""), "no trees", nowhere},
		"a tree of neighbours": {edit(knnFile, `"knn"`, `"tree"`), "comparison", nowhere},
		"neighbours of a tree": {edit(treeFile, `"tree"`, `"knn"`), "no rows", nowhere},
		"an unknown vote": {
			edit(treeFile, `"kind":"tree"`, `"kind":"ensemble","vote":"loud"`), "loud", nowhere,
		},
		"no k":                      {edit(knnFile, `"k":1,`, ``), "k is 0", nowhere},
		"more neighbours than rows": {edit(knnFile, `"k":1`, `"k":3`), "k = 3", nowhere},
		"a row cut short": {edit(knnFile, `[1,1]`, `[1]`), "row 1 has 1 values",
			nowhere},
		"a label missing":  {edit(knnFile, `[0,1]}`, `[0]}`), "1 labels", nowhere},
		"a negative label": {edit(knnFile, `[0,1]}`, `[0,-1]}`), "row 1", nowhere},
		"a null in a row": {edit(knnFile, `[1,1]`, `[1,null]`), "rows: a null",
			inByte(87)},
		"a sum that overflows": {edit(obliqueFile, `"soft"`, `"sum","base":[1e308,0]`),
			"overflow", nowhere},
		"an infinite value of a tree": {edit(treeFile, `[1,0]`, `[1e999,0]`), "value", inByte(194)},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := classifier.Read[classifier.Classifier](strings.NewReader(test.text),
				classifier.ReadOptions{})
			var where *trees.Fault
			if c != nil || !errors.Is(err, classifier.ErrModel) || !errors.As(err, &where) {
				t.Fatalf("Read = %v, %v, want a trees.Fault", c, err)
			}
			instance.Mentions(t, err, test.mention)
			got := *where
			if got.Err = nil; got != test.where {
				t.Errorf("the fault of %v is at %+v, want %+v", err, got, test.where)
			}
		})
	}
}

func TestReadReportsTheReader(t *testing.T) {
	want := errors.New("the disk is on fire")
	for _, start := range []string{"", "{", "tree\n", sklearnFile[:40]} {
		file := io.MultiReader(strings.NewReader(start), iotest.ErrReader(want))
		c, err := classifier.Read[classifier.Classifier](file, classifier.ReadOptions{})
		if c != nil || !errors.Is(err, classifier.ErrModel) || !errors.Is(err, want) {
			t.Errorf("after %q: %v, %v, want ErrModel and %v", start, c, err, want)
		}
	}
}

// changed returns a text with one piece replaced.
func changed(text, old, by string) string { return strings.Replace(text, old, by, 1) }

// TestReadVote: sums of which the file does not say how they make a label vote as they are told.
func TestReadVote(t *testing.T) {
	own := changed(lightgbmFile, "objective=binary sigmoid:1\n", "")
	three := changed(changed(own, "num_class=1", "num_class=3"), "num_tree_per_iteration=1",
		"num_tree_per_iteration=3")
	three = changed(three, "end of trees", `Tree=1
num_leaves=1
num_cat=0
leaf_value=0.25

Tree=2
num_leaves=1
num_cat=0
leaf_value=0

end of trees`)
	xgboost := changed(xgboostFile, "binary:logistic", "reg:squarederror")
	for _, test := range []struct {
		text  string
		vote  classifier.Vote
		x     float64
		label int
		sums  []float64
	}{
		{own, classifier.LogisticVote, 0, 0, []float64{0, -1}},
		{own, classifier.LogisticVote, 1, 1, []float64{0, 1}},
		{own, classifier.SumVote, 1, 1, []float64{0, 1}},
		{three, classifier.SoftmaxVote, 0, 1, []float64{-1, 0.25, 0}},
		{three, classifier.SumVote, 1, 0, []float64{1, 0.25, 0}},
		{xgboost, classifier.LogisticVote, 0, 0, []float64{0, -0.5}}, // base_score is 0.5
		{xgboost, classifier.LogisticVote, 1, 1, []float64{0, 1.5}},
	} {
		e, err := classifier.Read[*classifier.Ensemble](strings.NewReader(test.text),
			classifier.ReadOptions{Vote: test.vote})
		if err != nil {
			t.Fatalf("%.60q…: %v", test.text, err)
		}
		x := slices.Repeat([]float64{test.x}, e.Dim())
		if got := e.Predict(x); got != test.label || !slices.Equal(e.Scores(x), test.sums) {
			t.Errorf("%.60q…, vote %d: label %d and sums %v, want %d and %v",
				test.text, test.vote, got, e.Scores(x), test.label, test.sums)
		}
	}
	for name, test := range map[string]struct {
		text string
		vote classifier.Vote
		says string
	}{
		"a vote in the file": {lightgbmFile, classifier.LogisticVote, "the file says itself"},
		"an exponential": {changed(lightgbmFile, "binary sigmoid:1", "poisson"),
			classifier.LogisticVote, "what becomes of their sum"},
		"a mean": {changed(own, "tree\n", "tree\naverage_output\n"),
			classifier.LogisticVote, "the file says itself"},
		"classes of one sum": {own, classifier.SoftmaxVote, "one sum"},
		"one sum of classes": {three, classifier.LogisticVote, "sums of 3 classes"},
		"nearest neighbours": {knnFile, classifier.LogisticVote, "the file says itself"},
	} {
		_, err := classifier.Read[*classifier.Ensemble](strings.NewReader(test.text),
			classifier.ReadOptions{Vote: test.vote})
		if !errors.Is(err, classifier.ErrOption) || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v, want an error that says %q", name, err, test.says)
		}
	}
	_, err := classifier.Read[*classifier.Ensemble](strings.NewReader("tree"),
		classifier.ReadOptions{Vote: classifier.LogisticVote})
	if !errors.Is(err, classifier.ErrModel) {
		t.Errorf("no model: %v", err)
	}
	for _, text := range []string{own, three} {
		_, err := classifier.Read[classifier.Classifier](strings.NewReader(text),
			classifier.ReadOptions{})
		if !errors.Is(err, errors.ErrUnsupported) ||
			!strings.Contains(err.Error(), "--vote logistic") {
			t.Errorf("Read: %v, want one that says what to do", err)
		}
	}
	m, err := classifier.Read[classifier.Model](strings.NewReader(own), classifier.ReadOptions{})
	if r, ok := m.(*classifier.Regressor); !ok ||
		r.Predict(slices.Repeat([]float64{1}, r.Dim())) != 1 {
		t.Errorf("a Model of sums: %T, %v", m, err)
	}
}

// TestUnsupported: files that a library can write but Read cannot take are not called malformed.
func TestUnsupported(t *testing.T) {
	for text, says := range map[string]string{
		changed(lightgbmFile, "version=v4", "version=v2"): "classifier: " +
			"unsupported model: line 2: version",
		changed(xgboostFile, "binary:logistic", "binary:logitraw"): "classifier: " +
			"unsupported model: objective",
		changed(xgboostFile, `"num_feature": "1"`, `"num_feature": "0"`): "classifier: malformed " +
			"model: learner_model_param",
	} {
		if _, err := classifier.Read[classifier.Classifier](strings.NewReader(text),
			classifier.ReadOptions{}); !errors.Is(
			err, classifier.ErrModel,
		) || !strings.HasPrefix(err.Error(), says) {
			t.Errorf("error %v, want %q", err, says)
		}
	}
}

// FuzzRead reads anything. A model must predict, name a cell around each point if
// it has cells, and come back from a file as it went.
func FuzzRead(f *testing.F) {
	transcript, err := os.ReadFile("../internal/modelfile/testdata/transcript.txt")
	if err != nil {
		f.Fatal(err)
	}
	// of each format a file, and the result of reading it
	for part := range strings.SplitSeq(string(transcript), strings.Repeat("-", 80)) {
		if end := strings.LastIndex(part, "\n\nFormat "); end >= 0 {
			f.Add([]byte(strings.TrimSpace(part[:end])))
		}
	}
	for _, text := range []string{
		strings.Replace(sklearnFile, "[0.5,-2", "[-1e39,-2", 1),
		strings.Replace(sklearnFile, `"n_features":2`, `"n_features":1000000000000`, 1),
		strings.Replace(obliqueFile, "[1,-1]", "[1e308,-1e308]", 1),
		strings.Replace(obliqueFile, `"soft"`, `"sum","base":[1e308,-1e308]`, 1),
		strings.Replace(treeFile, `"threshold"`,
			`"infinite":[1,0,0],"missing_left":[true,false,false],"threshold"`, 1),
		strings.Replace(knnFile, `"knn"`, `"weighted-knn"`, 1),
		"{L\x00\x00",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := classifier.Read[classifier.Classifier](bytes.NewReader(text),
			classifier.ReadOptions{})
		if err != nil {
			if c != nil || !errors.Is(err, classifier.ErrModel) {
				t.Fatalf("Read = %v, %v, want ErrModel", c, err)
			}
			return
		}
		if c.Dim() > 1000 || c.Classes() > 1000 {
			return // points of that many features take more memory than a test has
		}
		var points [][]float64
		for _, v := range []float64{0, 0.5, -1, 1e300, -1e300, math.SmallestNonzeroFloat64} {
			points = append(points, slices.Repeat([]float64{v}, c.Dim()))
		}
		for _, x := range points {
			label := c.Predict(x)
			if label < 0 || label >= c.Classes() {
				t.Fatalf("Predict(%v) = %d of %d classes", x, label, c.Classes())
			}
			locator, ok := c.(locator)
			if !ok {
				continue
			}
			if cell, err := locator.CellAt(x); err != nil || cell.Label != label ||
				geometry.Check(cell.Region, c.Dim()) != nil {
				t.Fatalf("CellAt(%v) = %+v, %v, want label %d", x, cell, err, label)
			}
		}
		roundTrip(t, c, points)
	})
}
