package modelfile_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// lightgbmModel is a small file: a tree of three leaves and one of a single leaf.
const lightgbmModel = `tree
version=v4
num_class=1
num_tree_per_iteration=1
label_index=0
max_feature_idx=1
objective=binary sigmoid:1
feature_names=a b=c
feature_infos=[0:1] [0:1]
tree_sizes=300 200

Tree=0
num_leaves=3
num_cat=0
split_feature=1 0
split_gain=2 1
threshold=0.5 -1.25
decision_type=2 8
left_child=1 -1
right_child=-2 -3
leaf_value=-0.25 0.5 0.125
leaf_weight=1 1 1
leaf_count=10 10 10
internal_value=0 0
internal_weight=0 0
internal_count=30 20
is_linear=0
shrinkage=1


Tree=1
num_leaves=1
num_cat=0
split_feature=
split_gain=
threshold=
decision_type=
left_child=
right_child=
leaf_value=-0.0625
is_linear=0
shrinkage=0.1


end of trees

feature_importances:
a=1

parameters:
[boosting: gbdt]
end of parameters
`

func TestReadLightGBM(t *testing.T) {
	e := readAll(t, lightgbmModel)
	if e.Dim() != 2 || e.Classes != 2 || e.Len() != 2 ||
		e.Trees[0].Comparison != trees.AtMostFloat64 {
		t.Errorf("Dim, Classes, Len, Comparison = %d, %d, %d, %d",
			e.Dim(), e.Classes, e.Len(), e.Trees[0].Comparison)
	}
	if e.Vote.Rule != trees.Logistic || e.Vote.Single ||
		!slices.Equal(e.file.ClassValues, []float64{0, 1}) {
		t.Errorf("vote %+v, classes %v", e.Vote, e.file.ClassValues)
	}
	nan := math.NaN()
	for _, test := range []struct{ a, b, want float64 }{
		{-1.25, 0.5, -0.3125}, {math.Nextafter(-1.25, 0), 0.5, 0.0625},
		{0, math.Nextafter(0.5, 1), 0.4375},
		{nan, 0.5, 0.0625}, // NaN is missing for the second split and goes right
		{-2, nan, -0.3125}, // not for the first: it counts as 0
	} {
		if got := e.scores(test.a, test.b); got[0] != 0 || got[1] != test.want {
			t.Errorf("Scores(%v, %v) = %v, want 0, %v", test.a, test.b, got, test.want)
		}
	}
	crlf := strings.ReplaceAll(lightgbmModel, "\n", "\r\n")
	if other := readAll(t, crlf); !slices.Equal(other.scores(0, 0), e.scores(0, 0)) {
		t.Errorf("with Windows' line ends: %v, want %v", other.scores(0, 0), e.scores(0, 0))
	}
}

// TestReadLightGBMNames: features have the names of the training data; those that LightGBM makes up
// for the columns of an array are none.
func TestReadLightGBMNames(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string
	}{
		{lightgbmModel, []string{"a", "b=c"}},
		{replaced(t, lightgbmModel, "=a b=c", "=Column_0 Column_1"), nil},
		{replaced(t, lightgbmModel, "=a b=c", "=Column_0 age"), []string{"Column_0", "age"}},
		{replaced(t, lightgbmModel, "feature_names=a b=c\n", ""), nil},
		{readFile(t, "lightgbm", "multiclass.txt"), []string{"width", "height=of_box"}},
		{lightgbmDump, []string{"a", "größe"}},
		{replaced(t, lightgbmDump, `"a","größe"`, `"Column_0","Column_1"`), nil},
	} {
		if got := readAll(t, test.text).file.FeatureNames; !slices.Equal(got, test.want) {
			t.Errorf("%.40q…: names %q, want %q", test.text, got, test.want)
		}
	}
}

// lightgbmDump is a tree of two leaves as dump_model has it.
const lightgbmDump = `{"name":"tree","version":"v4","num_class":1,"num_tree_per_iteration":1,` +
	`"label_index":0,` +
	`"max_feature_idx":1,"objective":"binary ` +
	`sigmoid:1","average_output":false,"feature_names":["a","größe"],` +
	`"feature_infos":{"a":{"min_value":0,"max_value":1,"values":[]}},` +
	`"tree_info":[{"tree_index":0,"num_leaves":2,` +
	`"num_cat":0,"shrinkage":1,"tree_structure":{"split_index":0,"split_feature":1,` +
	`"threshold":0.5,` +
	`"decision_type":"<=","default_left":true,"missing_type":"None","left_child":{"leaf_index":0,` +
	`"leaf_value":-1},` +
	`"right_child":{"leaf_index":1,"leaf_value":1}}}]}`

// TestReadLightGBMSigmoids: label 1 starts where the probability exceeds 1/2.
func TestReadLightGBMSigmoids(t *testing.T) {
	for _, sigmoid := range []float64{
		0.7, 1, 1.0 / 3, 2.5, 0.3, 0.9, 1.1, 3, 7, 10, 49, 1e-3, 1e5, 1e300, 1.2561699177449768,
		1.7125734464303346, math.SmallestNonzeroFloat64, math.MaxFloat64,
	} {
		v := 0x1.8p-53 / sigmoid
		for range 3 {
			v = math.Nextafter(v, -1)
		}
		for step := -3; step <= 3; step, v = step+1, math.Nextafter(v, math.MaxFloat64) {
			e := readAll(t,
				replaced(t, lightgbmModel, "sigmoid:1", fmt.Sprintf("sigmoid:%v", sigmoid),
					"0.125\n", fmt.Sprintf("%.17g\n", v), "-0.0625", "0"))
			want := 0
			if sigmoid*v > 0x1.8p-53 {
				want = 1
			}
			if sigmoid == 1 && step == 0 {
				continue // where the vote's exp and LightGBM's may round differently
			}
			if got := e.Predict([]float64{0, 0}); got != want {
				t.Errorf("sigmoid %v, margin %v: label %d, want %d", sigmoid, v, got, want)
			}
		}
	}
}

// TestReadLightGBMZeros: inputs up to 1e-35 count as 0, and a split whose missing
// values are zeros is read when it sends them where the threshold does.
func TestReadLightGBMZeros(t *testing.T) {
	zero := float64(float32(1e-35))
	up, down := math.Inf(1), math.Inf(-1)
	for _, test := range []struct {
		threshold string
		last      float64 // the largest input that goes left
	}{
		{"0", zero}, {"1e-36", zero}, {"1.0000000180025095e-35", zero}, {"1.1e-35", 1.1e-35},
		{"-1e-300", math.Nextafter(-zero, down)},
		{"-1.0000000180025095e-35", math.Nextafter(-zero, down)}, {"-1.1e-35", -1.1e-35},
	} {
		e := readAll(t, replaced(t, lightgbmModel, "threshold=0.5", "threshold="+test.threshold))
		left, right := e.scores(0, test.last)[1], e.scores(0, math.Nextafter(test.last, up))[1]
		if left != 0.0625 || right != 0.4375 {
			t.Errorf("threshold %s: margins %v and %v around %v, want 0.0625, 0.4375",
				test.threshold, left, right, test.last)
		}
	}
	values := []float64{0, math.Copysign(0, -1), zero, -zero, math.Nextafter(zero, up),
		math.Nextafter(-zero, down), 0.5, -0.5, 1, -1, 1e-36, 1.1e-35, 2e-35, -1e300, math.NaN()}
	for _, threshold := range []float64{
		0, 1e-36, zero, 1.1e-35, 0.5, -1e-36, -zero, -1.1e-35, -0.5, up,
	} {
		for _, defaultLeft := range []bool{false, true} {
			decision := "decision_type=4"
			if defaultLeft {
				decision = "decision_type=6"
			}
			e := readAll(t,
				replaced(t, lightgbmModel, "decision_type=2", decision, "threshold=0.5",
					"threshold="+strings.ToLower(strings.TrimPrefix(fmt.Sprint(threshold), "+"))))
			for _, v := range values {
				want := v <= threshold
				if !(math.Abs(v) > zero) { // NaN, too
					want = defaultLeft
				}
				if got := e.scores(0, v)[1] == 0.0625; got != want {
					t.Errorf("threshold %v, default left %v: %v goes left: %v, want %v",
						threshold, defaultLeft, v, got, want)
				}
			}
		}
	}
}

// lightgbmSets is the small file with a set of categories, 1, 2, 33 and 40, in place of a
// threshold.
func lightgbmSets(t testing.TB) string {
	return replaced(t, lightgbmModel, "num_cat=0",
		"num_cat=1\ncat_boundaries=0 2\ncat_threshold=6 258", "decision_type=2", "decision_type=1",
		"threshold=0.5", "threshold=0", "[0:1] [0:1]", "[0:1] -1:0:7:3")
}

// TestReadLightGBMCategories: the codes of a set go left, and everything else right.
func TestReadLightGBMCategories(t *testing.T) {
	e := readAll(t, lightgbmSets(t))
	if got := e.file.Categories; !slices.Equal(got, []int{0, 41}) {
		t.Errorf("Categories = %v, want 0, 41", got)
	}
	for v, want := range map[float64]bool{
		0: false, 0.9999999999999999: false, 1: true, 1.5: true, 2.9999999999999996: true, 3: false,
		33: true, 34: false, 40.5: true, 41: false,
		-1: false, -0.5: false, -1.5: false, 1e300: false, 1 << 31: false, math.NaN(): false,
	} {
		if got := e.scores(0, v)[1] == 0.0625; got != want {
			t.Errorf("%v goes left: %v, want %v", v, got, want)
		}
	}
	zero := readAll(t, replaced(t, lightgbmSets(t), "cat_threshold=6 258", "cat_threshold=1 0"))
	for v, want := range map[float64]bool{
		0:                   true,
		-0.9999999999999999: true,
		-1:                  false,
		0.9999999999999999:  true,
		1:                   false,
		math.NaN():          false,
	} {
		if got := zero.scores(0, v)[1] == 0.0625; got != want {
			t.Errorf("with code 0 alone %v goes left: %v, want %v", v, got, want)
		}
	}
	checkFaults(t, lightgbmSets(t), false, map[string]fault{
		"more sets than splits": {"num_cat=1", "num_cat=3", "num_cat: 3"},
		"no boundaries":         {"cat_boundaries=0 2\n", "", "cat_boundaries is missing"},
		"too few words": {"cat_threshold=6 258", "cat_threshold=6",
			"cat_threshold: 1 numbers, want 2"},
		"a negative word": {"cat_threshold=6 258", "cat_threshold=6 -258",
			"cat_threshold: number 1"},
		"boundaries descending": {"cat_boundaries=0 2", "cat_boundaries=0 -1",
			"cat_boundaries: -1 of set 1"},
		"boundaries from 1 on": {"cat_boundaries=0 2", "cat_boundaries=1 2",
			"cat_boundaries: 1 of set 0"},
		"absurdly many words": {"cat_boundaries=0 2", "cat_boundaries=0 32769",
			"cat_boundaries: 32769 of set 1"},
		"a set that is not": {"threshold=0 -1.25", "threshold=1 -1.25",
			"threshold 1, want the number of one of 1 sets"},
		"half a set": {"threshold=0 -1.25", "threshold=0.5 -1.25",
			"threshold 0.5, want the number of one of 1 sets"},
	})
}

// TestReadLightGBMForest: label 1 wins when the mean of its trees says so, not their sum.
func TestReadLightGBMForest(t *testing.T) {
	const tie = 0x1.8p-53 // the largest mean whose probability is 1/2
	for _, test := range []struct {
		first float64 // of two trees, the second 0
		want  int
	}{{0x1p-52, 0}, {2 * tie, 0}, {math.Nextafter(2*tie, 1), 1}, {-1, 0}, {1, 1}} {
		e := readAll(t,
			replaced(t, lightgbmModel, "label_index=0", "average_output", "0.125\n",
				fmt.Sprintf("%.17g\n", test.first), "-0.0625", "0"))
		if got := e.Predict([]float64{0, 0}); got != test.want {
			t.Errorf("a sum of %v: label %d, want %d", test.first, got, test.want)
		}
	}
}

func TestReadLightGBMErrors(t *testing.T) {
	checkFaults(t, lightgbmModel, true, map[string]fault{
		"version 2":  {"version=v4", "version=v2", "line 2: version"},
		"no version": {"version=v4\n", "", "version"},
		"regression": {"binary sigmoid:1", "cross_entropy_lambda", "line 7: objective"},
		"one against all": {"binary sigmoid:1", "multiclassova num_class:1 sigmoid:1",
			"line 7: objective"},
		"multiclass of one": {"binary sigmoid:1", "multiclass num_class:1", "line 7: objective"},
		"no trees": {
			lightgbmModel[strings.Index(lightgbmModel, "tree_sizes"):strings.Index(lightgbmModel,
				"end of")], "", "no trees: every row",
		},
		"linear leaves": {"is_linear=0", "is_linear=1", "tree 0: line 27: is_linear"},
	})
	checkFaults(t, readFile(t, "lightgbm", "multiclass.txt"), true, map[string]fault{
		"a forest of several classes": {"label_index=0", "average_output",
			"line 5: average_output: a random forest of several classes"},
	})
	checkFaults(t, lightgbmModel, false, map[string]fault{
		"a set without sets": {"decision_type=2", "decision_type=1",
			"tree 0: line 18: decision_type: 1 of split 0: threshold 0.5, want the number of one " +
				"of 0 sets"},
		"a name too many":    {"=a b=c", "=a b=c d", "line 8: feature_names: 3 names, want 2"},
		"another first line": {"tree\n", "trees\n", "not the text of LightGBM"},
		"a sigmoid of 0":     {"sigmoid:1", "sigmoid:0", "line 7: objective"},
		"a sigmoid of NaN":   {"sigmoid:1", "sigmoid:nan", "line 7: objective"},
		"no sigmoid":         {" sigmoid:1", "", "line 7: objective"},
		"no classes":         {"num_class=1\n", "", "num_class is missing"},
		"another class count": {"num_class=1\nnum_tree_per_iteration=1\nlabel_index=0\n" +
			"max_feature_idx=1\nobjective=binary sigmoid:1",
			"num_class=2\nnum_tree_per_iteration=2\nlabel_index=0\nmax_feature_idx=1\n" +
				"objective=multiclass num_class:3", "line 7: objective"},
		"a class of no number": {"num_class=1", "num_class=one", "line 3: num_class"},
		"many classes": {"num_class=1\nnum_tree_per_iteration=1",
			"num_class=1000000000\nnum_tree_per_iteration=1000000000",
			"line 4: num_tree_per_iteration"},
		"no classes at all": {"num_class=1\nnum_tree_per_iteration=1",
			"num_class=0\nnum_tree_per_iteration=0", "line 4: num_tree_per_iteration"},
		"trees unlike classes": {"num_tree_per_iteration=1", "num_tree_per_iteration=2",
			"line 4"},
		"no features": {"max_feature_idx=1", "max_feature_idx=-1",
			"line 6: max_feature_idx"},
		"too many features": {"max_feature_idx=1", "max_feature_idx=1048576",
			"line 6: max_feature_idx"},
		"features missing": {"max_feature_idx=1\n", "", "max_feature_idx is missing"},
		"a tree size too many": {"tree_sizes=300 200", "tree_sizes=300 200 100",
			"line 10: tree_sizes"},
		"a tree left out": {"Tree=1", "Tree=2", "line 31: the tree is"},
		"a key twice": {"num_cat=0", "num_cat=0\nnum_cat=0",
			"line 15: num_cat again, after line 14"},
		"a line without =": {"num_cat=0", "num_cat", "tree 0: line 14"},
		"no leaves":        {"num_leaves=3", "num_leaves=0", "tree 0: line 13: num_leaves"},
		"leaves missing":   {"num_leaves=3\n", "", "tree 0: num_leaves is missing"},
		"many leaves": {"num_leaves=3", "num_leaves=2000000000",
			"tree 0: line 15: split_feature: 2 numbers, want 1999999999"},
		"thresholds missing": {"threshold=0.5 -1.25\n", "", "tree 0: threshold is missing"},
		"a threshold too few": {"threshold=0.5 -1.25", "threshold=0.5",
			"tree 0: line 17: threshold: 1 numbers, want 2"},
		"a threshold NaN": {"threshold=0.5", "threshold=nan",
			"tree 0: line 17: threshold: number 0"},
		"a threshold of letters": {"-1.25", "x", "tree 0: line 17: threshold: number 1"},
		"a leaf too many": {"leaf_value=-0.25", "leaf_value=1 -0.25",
			"tree 0: line 21: leaf_value: 4 numbers, want 3"},
		"a leaf infinite": {"leaf_value=-0.25", "leaf_value=-inf",
			"tree 0: line 21: leaf_value: number 0"},
		"a leaf beyond float64": {"leaf_value=-0.25", "leaf_value=1e400",
			"tree 0: line 21: leaf_value: number 0"},
		"a feature out of range": {"split_feature=1 0", "split_feature=2 0",
			"tree 0: line 15: split_feature: 2 of split 0"},
		"a negative feature": {"split_feature=1 0", "split_feature=-1 0", "tree 0: line 15"},
		"a decision of 12": {"decision_type=2", "decision_type=12",
			"tree 0: line 18: decision_type: 12"},
		"a negative decision": {"decision_type=2", "decision_type=-2",
			"tree 0: line 18: decision_type: -2"},
		"a split out of range": {"left_child=1 -1", "left_child=2 -1",
			"tree 0: line 19: left_child: 2 of split 0"},
		"a leaf out of range": {"right_child=-2 -3", "right_child=-2 -4",
			"tree 0: line 20: right_child: -4 of split 1"},
		"a leaf twice": {"right_child=-2 -3", "right_child=-2 -1",
			"tree 0: line 19: left_child: node 1"},
		"a loop": {"left_child=1 -1", "left_child=0 -1",
			"tree 0: line 19: left_child: node 0"},
		"a split lost": {"left_child=1 -1\nright_child=-2 -3", "left_child=-1 -3\nright_child=-2 1",
			"tree 0: line 19: left_child: 2 of 5 nodes"},
		"no end": {"end of trees", "end_of_trees=1", "tree 1: line 47: \"feature_importances:\""},
	})
}

// TestReadLightGBMDamaged reads every beginning of a model, and mutants of its lines.
func TestReadLightGBMDamaged(t *testing.T) {
	end := strings.Index(lightgbmModel, "end of trees") + len("end of trees")
	for n := range lightgbmModel {
		if _, err := read(lightgbmModel[:n]); (err == nil) != (n >= end) {
			t.Fatalf("the first %d bytes: %v; the trees end after %d", n, err, end)
		}
	}
	lines := strings.Split(lightgbmModel[:end], "\n")
	for i, line := range lines {
		key, value, _ := strings.Cut(line, "=")
		first, rest, _ := strings.Cut(value, " ")
		for _, other := range []string{
			"", "x", "-1", "0", "1", "2", "3", "1e300", "nan", "-1000000000000",
			"9223372036854775807", first + " " + first, rest,
		} {
			for _, mutant := range []string{
				key + "=" + other, key + "=" + other + " " + rest, line + " " + other, other,
				line + "\n" + line,
			} {
				lines[i] = mutant
				checkRead(t, strings.Join(lines, "\n"))
			}
		}
		lines[i] = line
	}
}
