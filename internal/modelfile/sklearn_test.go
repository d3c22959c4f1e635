package modelfile_test

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// smallModel is the example of docs/use/models.md.
const smallModel = `{"format":"sklearn-tree-ensemble","version":1,` +
	`"n_features":2,"classes":[-1,1],` +
	`"trees":[{"feature":[0,-2,-2],"threshold":[0.5,-2,-2],` +
	`"left":[1,-1,-1],"right":[2,-1,-1],"value":[[0.5,0.5],[1,0],[0,1]]}]}`

func TestReadSklearn(t *testing.T) {
	e := readAll(t, smallModel)
	if e.Dim() != 2 || e.Classes != 2 || e.Len() != 1 ||
		e.Trees[0].Comparison != trees.AtMostFloat32 {
		t.Errorf("Dim, Classes, Len, Comparison = %d, %d, %d, %d, want 2, 2, 1, 0",
			e.Dim(), e.Classes, e.Len(), e.Trees[0].Comparison)
	}
	if got, want := e.file.ClassValues, []float64{-1, 1}; !slices.Equal(got, want) {
		t.Errorf("ClassValues = %v, want %v", got, want)
	}
	for x, want := range map[float64]int{
		0.5:                    0,
		math.Nextafter(0.5, 1): 0,
		0.5 + 0x1p-24:          1,
		0.4:                    0,
		0.6:                    1,
	} {
		if got := e.Predict([]float64{x, 0}); got != want {
			t.Errorf("Predict(%v) = %d, want %d", x, got, want)
		}
	}
}

// TestColumns: features that were the columns of a data frame have their names.
func TestColumns(t *testing.T) {
	named := strings.Replace(smallModel, `"classes"`,
		`"feature_names":["width","height"],"classes"`, 1)
	boosted := strings.Replace(boosterModel, `"feature_names":[]`,
		`"feature_names":["width","height"]`, 1)
	for _, text := range []string{named, boosted} {
		if got, want := readAll(t, text).file.FeatureNames, []string{
			"width", "height",
		}; !slices.Equal(got, want) {
			t.Errorf("FeatureNames = %v, want %v", got, want)
		}
	}
	checkFaults(t, named, false, map[string]fault{
		"a name missing": {`"width",`, ``, "1 feature_names, n_features is 2"},
	})
}

// TestClassNames: labels that are words have numbers for values.
func TestClassNames(t *testing.T) {
	named := strings.Replace(smallModel, `"classes":[-1,1]`,
		`"classes":[0,1],"class_names":["benign","malignant"]`, 1)
	if got, want := readAll(t, named).file.ClassNames, []string{
		"benign", "malignant",
	}; !slices.Equal(got, want) {
		t.Errorf("ClassNames = %v, want %v", got, want)
	}
	checkFaults(t, named, false, map[string]fault{
		"a name missing": {`"benign",`, ``, "1 class_names for 2 classes"},
		"an empty name":  {`"benign"`, `""`, "of class 0 is empty"},
		"a name twice": {`"benign"`, `"malignant"`,
			"\"malignant\" of class 1 is empty or the name of another"},
		"a number": {`"benign"`, `1`, "class_names"},
	})
	checkFaults(t,
		strings.Replace(knnModel, `"n_features"`, `"class_names":["a","b"],"n_features"`, 1), false,
		map[string]fault{
			"a label without a name": {`["a","b"]`, `["a"]`,
				"has label 1, and there are 1 class_names"},
		})
}

func TestReadSklearnErrors(t *testing.T) {
	checkFaults(t, smallModel, false, map[string]fault{
		"a string for a number":  {`"version":1`, `"version":"1"`, "version"},
		"a fraction for a child": {`"left":[1,`, `"left":[1.5,`, "left"},
		"a number too large":     {`[0.5,-2,-2]`, `[1e400,-2,-2]`, "threshold"},
		"NaN":                    {`[0.5,-2,-2]`, `[NaN,-2,-2]`, "byte"},
		"another format":         {`sklearn-tree-ensemble`, `pmml`, `"pmml"`},
		"another version":        {`"version":1`, `"version":2`, "version is 2"},
		"no version":             {`"version":1,`, ``, "version is 0"},
		"no features":            {`"n_features":2`, `"n_features":0`, "n_features is 0"},
		"absurdly many features": {`"n_features":2`, `"n_features":1048577`,
			"n_features is 1048577"},
		"negative features": {`"n_features":2`, `"n_features":-1`,
			"n_features is -1"},
		"no classes":             {`[-1,1]`, `[]`, "no classes"},
		"classes missing":        {`"classes":[-1,1],`, ``, "no classes"},
		"classes descending":     {`[-1,1]`, `[1,-1]`, "classes"},
		"classes repeated":       {`[-1,1]`, `[1,1]`, "classes"},
		"features missing":       {`"feature":[0,-2,-2]`, `"feature":[0,-2]`, "tree 0"},
		"thresholds missing":     {`[0.5,-2,-2]`, `[0.5,-2]`, "2 thresholds"},
		"left children missing":  {`"left":[1,-1,-1]`, `"left":[1,-1]`, "2 left"},
		"right children missing": {`"right":[2,-1,-1]`, `"right":null`, "0 right"},
		"values missing": {`[[0.5,0.5],[1,0],[0,1]]`, `[[0.5,0.5],[1,0]]`,
			"2 values"},
		"a value missing":       {`[1,0]`, `[1]`, "node 1"},
		"a value too many":      {`[0,1]]`, `[0,1,2]]`, "node 2"},
		"a node without values": {`[1,0]`, `null`, "tree 0: node 1: 0 class"},
		"a null for a number": {`"left":[1,`, `"left":[null,`,
			"byte 140: left: a null"},
		"feature out of range":            {`"feature":[0,`, `"feature":[2,`, "node 0"},
		"an inner node without a feature": {`"feature":[0,`, `"feature":[-2,`, "node 0"},
		"a loop":                          {`"left":[1,`, `"left":[0,`, "node 0"},
		"a child out of range":            {`"right":[2,`, `"right":[3,`, "node 0"},
		"one child":                       {`"right":[2,`, `"right":[-1,`, "node 0"},
		"one child twice":                 {`"right":[2,`, `"right":[1,`, "node 0"},
		"no trees": {smallModel[strings.Index(smallModel, `"trees"`):],
			`"trees":[]}`, "no trees"},
		"an empty tree": {smallModel[strings.Index(smallModel, `"trees"`):], `"trees":[{}]}`,
			"0 nodes"},
		"text after the model": {"]}]}", "]}]} {", "after the end of the model"},
	})
}

const boostedModel = `{"format":"sklearn-tree-ensemble","version":1,"n_features":2,"classes":[3,` +
	`5],` +
	`"boosting":{"init":[0,0.25],"learning_rate":0.5,"class":[1,1],"decision":"probability"},` +
	`"trees":[{"feature":[0,-2,-2],"threshold":[0.5,-2,-2],"left":[1,-1,-1],"right":[2,-1,-1],` +
	`"value":[[0],[-1],[1]]},` +
	`{"feature":[-2],"threshold":[-2],"left":[-1],"right":[-1],"value":[[0.5]]}]}`

func TestReadSklearnBoosting(t *testing.T) {
	e := readAll(t, boostedModel)
	if e.Vote.Rule != trees.Logistic || !slices.Equal(e.file.ClassValues, []float64{3, 5}) {
		t.Errorf("vote %+v, classes %v", e.Vote, e.file.ClassValues)
	}
	for x, want := range map[float64]float64{0.5: 0, 0.6: 1} {
		if got := e.scores(x, 0); !slices.Equal(got, []float64{0, want}) ||
			e.Predict([]float64{x, 0}) != int(want) {
			t.Errorf("scores(%v) = %v, want 0, %v; label %d",
				x, got, want, e.Predict([]float64{x, 0}))
		}
	}
	// A sum of zero is a tie: of probabilities, label 0; of sums, label 1.
	e = readAll(t, replaced(t, boostedModel, "probability", "sum"))
	if got := e.Predict([]float64{0.5, 0}); got != 1 {
		t.Errorf("label of a zero sum = %d, want 1", got)
	}
}

func TestReadSklearnBoostingErrors(t *testing.T) {
	checkFaults(t, boostedModel, false, map[string]fault{
		"one class":           {`"classes":[3,5]`, `"classes":[3]`, "1 class"},
		"an init missing":     {`[0,0.25]`, `[0.25]`, "1 init values"},
		"an init null":        {`[0,0.25]`, `[null,0.25]`, "init: a null"},
		"an init for class 0": {`[0,0.25]`, `[0.1,0.25]`, "init of the first"},
		"an init too large":   {`[0,0.25]`, `[0,1e400]`, "init"},
		"no learning rate":    {`"learning_rate":0.5,`, ``, "no learning_rate"},
		"a learning rate null": {`"learning_rate":0.5,`, `"learning_rate":null,`,
			"learning_rate: a null"},
		"a class missing":      {`"class":[1,1]`, `"class":[1]`, "1 numbers for 2 trees"},
		"class 0 of two":       {`"class":[1,1]`, `"class":[1,0]`, "tree 1: adds to class 0"},
		"a class out of range": {`"class":[1,1]`, `"class":[2,1]`, "tree 0: adds to class 2"},
		"no decision":          {`,"decision":"probability"`, ``, "decision"},
		"another decision":     {`"probability"`, `"chance"`, `"chance"`},
		"a value too many":     {`[[0],[-1],[1]]`, `[[0],[-1],[1,2]]`, "tree 0: node 2: 2 values"},
		"an infinite product": {`"learning_rate":0.5,"class":[1,1],"decision":"probability"},` +
			`"trees":[{"feature":[0,-2,-2],"threshold":[0.5,-2,-2],"left":[1,-1,-1],"right":[2,` +
			`-1,-1],"value":[[0],[-1],[1]]}`, `"learning_rate":1e300,"class":[1,1],` +
			`"decision":"probability"},"trees":[{"feature":[0,-2,-2],"threshold":[0.5,-2,-2],` +
			`"left":[1,-1,-1],"right":[2,-1,-1],"value":[[0],[-1],[1e300]]}`, "tree 0"},
		"a forest that boosts": {`"boosting":{"init":[0,0.25],"learning_rate":0.5,"class":[1,1],` +
			`"decision":"probability"},`, ``, "1 class frequencies, want 2"},
		"boosting is an array": {`"boosting":{`, `"boosting":[],"b":{`, "boosting"},
		"a loop in second tree": {`{"feature":[-2],"threshold":[-2],"left":[-1]`,
			`{"feature":[0],"threshold":[-2],"left":[0]`, "tree 1"},
	})
}

// TestReadSklearnDamaged reads every beginning and every mutant of a model.
func TestReadSklearnDamaged(t *testing.T) {
	for _, model := range []string{smallModel, boostedModel} {
		for n := range len(model) {
			if _, err := read(model[:n]); err == nil {
				t.Fatalf("the first %d bytes are read", n)
			}
		}
		mutate(t, model, func(text string) { checkRead(t, text) })
	}
}

// TestSmallFilesAskForLittle: a number in a file does not make a reader ask for memory.
func TestSmallFilesAskForLittle(t *testing.T) {
	stump := `{"feature":[-2],"threshold":[-2],"left":[-1],"right":[-1],"value":[[1]]}`
	many := func(unit string, n int) string {
		return strings.TrimSuffix(strings.Repeat(unit+",", n), ",")
	}
	ascending := make([]string, 3000)
	for c := range ascending {
		ascending[c] = strconv.Itoa(c)
	}
	text := `{"format":"sklearn-tree-ensemble","version":1,"n_features":1,"classes":[` +
		strings.Join(ascending, ",") + `],` +
		`"boosting":{"init":[` + many("0", 3000) + `],"learning_rate":1,"class":[` +
		many("1", 3000) + `],"decision":"sum"},` +
		`"trees":[` + many(stump, 3000) + `]}`
	if _, err := read(text); err == nil ||
		!strings.Contains(err.Error(), "more than a file of this size") {
		t.Errorf("error = %v", err)
	}
}
