package modelfile_test

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// boosterModel is a small file of XGBoost 1.7: two trees, the second a single leaf
// that is left of a pruned one.
const boosterModel = `{"learner":{"attributes":{"best_iteration":"1","best_ntree_limit":"2"},` +
	`"feature_names":[],"feature_types":[],` +
	`"gradient_booster":{"model":{"gbtree_model_param":{"num_parallel_tree":"1","num_trees":"2",` +
	`"size_leaf_vector":"0"},"tree_info":[0,0],"trees":[` +
	`{"base_weights":[0E0,-4E-1,4E-1],"categories":[],"categories_nodes":[],` +
	`"categories_segments":[],"categories_sizes":[],"default_left":[1,0,0],"id":0,` +
	`"left_children":[1,-1,-1],"loss_changes":[1E1,0E0,0E0],"parents":[2147483647,0,0],` +
	`"right_children":[2,-1,-1],"split_conditions":[5E-1,-2E-1,3E-1],` +
	`"split_indices":[1,0,0],"split_type":[0,0,0],"sum_hessian":[4E1,2E1,2E1],` +
	`"tree_param":{"num_deleted":"0","num_feature":"2","num_nodes":"3","size_leaf_vector":"0"}},` +
	`{"base_weights":[0E0,0E0,0E0],"categories":[],"categories_nodes":[],` +
	`"categories_segments":[],"categories_sizes":[],"default_left":[0,1,1],"id":1,` +
	`"left_children":[-1,-1,-1],"loss_changes":[0E0,0E0,0E0],"parents":[2147483647,0,0],` +
	`"right_children":[-1,-1,-1],"split_conditions":[1E-1,0E0,0E0],` +
	`"split_indices":[0,2147483647,2147483647],"split_type":[0,0,0],"sum_hessian":[4E1,2E1,2E1],` +
	`"tree_param":{"num_deleted":"2","num_feature":"2","num_nodes":"3","size_leaf_vector":"0"}}` +
	`]},"name":"gbtree"},"learner_model_param":{"base_score":"5E-1","boost_from_average":"1",` +
	`"num_class":"0","num_feature":"2","num_target":"1"},` +
	`"objective":{"name":"binary:logistic","reg_loss_param":{"scale_pos_weight":"1"}}},` +
	`"version":[1,7,4]}`

func TestReadXGBoost(t *testing.T) {
	e := readAll(t, boosterModel)
	if e.Dim() != 2 || e.Classes != 2 || e.Len() != 2 ||
		e.Trees[0].Comparison != trees.BelowFloat32 || !e.Trees[1].IsLeaf(0) {
		t.Errorf("Dim, Classes, Len, Comparison = %d, %d, %d, %d",
			e.Dim(), e.Classes, e.Len(), e.Trees[0].Comparison)
	}
	if e.Vote.Rule != trees.Logistic || !e.Vote.Single ||
		!slices.Equal(e.file.ClassValues, []float64{0, 1}) {
		t.Errorf("vote %+v, classes %v", e.Vote, e.file.ClassValues)
	}
	left := float64(float32(-0.2) + float32(0.1))
	right := float64(float32(0.3) + float32(0.1))
	for x, want := range map[float64]float64{
		0.4:                    left,
		0.5:                    right,
		math.Nextafter(0.5, 0): right,
		0.5 - 0x1p-25:          left,
		0.5 - 0x1p-26:          right,
		math.NaN():             left,
	} {
		if got := e.scores(0, x); got[0] != 0 || got[1] != want {
			t.Errorf("Scores(%v) = %v, want 0, %v", x, got, want)
		}
	}
}

// TestReadXGBoostOfAllVersions: the same model as other versions of the library write it.
func TestReadXGBoostOfAllVersions(t *testing.T) {
	want := readAll(t, boosterModel)
	for name, changes := range map[string][]string{
		"1.0, truth values": {`[1,7,4]`, `[1,0,2]`, `[1,0,0]`, `[true,false,false]`, `[0,1,1]`,
			`[false,true,true]`, `"split_type":[0,0,0],`, ``, `,"num_target":"1"`, ``, `"5E-1"`,
			`"0.500000"`},
		"2.0": {`[1,7,4]`, `[2,0,3]`, `,"size_leaf_vector":"0"}`, `}`,
			`"num_nodes":"3","size_leaf_vector":"0"`, `"num_nodes":"3","size_leaf_vector":"1"`},
		"3.1, array base": {`[1,7,4]`, `[3,1,0]`, `"5E-1"`, `"[5E-1]"`, `"tree_info"`,
			`"iteration_indptr":[0,1,2],"cats":{},"tree_info"`},
		"a space before it": {`{"learner"`, "\n { \"learner\""},
		"named features": {`"feature_names":[],"feature_types":[]`,
			`"feature_names":["a","b"],"feature_types":["float","int"]`},
		"no parallel number":  {`"num_parallel_tree":"1",`, ``},
		"num_class 1":         {`"num_class":"0"`, `"num_class":"1"`},
		"a classifier's file": {`"attributes":{`, `"attributes":{"scikit_learn":"{}",`},
	} {
		t.Run(name, func(t *testing.T) {
			got := readAll(t, replaced(t, boosterModel, changes...))
			for _, v := range []float64{0.4, 0.5, 0.6, math.NaN()} {
				if x := []float64{
					v, v,
				}; !slices.Equal(got.scores(x...), want.scores(x...)) ||
					got.Predict(x) != want.Predict(x) {
					t.Errorf("Scores(%v) = %v, want %v", x, got.scores(x...), want.scores(x...))
				}
			}
		})
	}
}

// TestReadXGBoostBaseScores: one for all classes, or one for each.
func TestReadXGBoostBaseScores(t *testing.T) {
	three := []string{`"num_class":"0"`, `"num_class":"2"`, `"binary:logistic"`, `"multi:softmax"`,
		`[0,0]`, `[0,1]`}
	for text, want := range map[string][]float64{
		`"5E-1"`: {0.5, 0.5}, `"[2.5E-1]"`: {0.25, 0.25}, `"[-1.5E0,2E0]"`: {-1.5, 2},
		`"[1E-1, 0]"`: {float64(float32(0.1)), 0},
	} {
		e := readAll(t, replaced(t, boosterModel, append(three, `"5E-1"`, text)...))
		if !slices.Equal(e.Vote.Base, want) || e.Vote.Rule != trees.Sum || e.Classes != 2 {
			t.Errorf("base_score %s: vote %+v, want base %v", text, e.Vote, want)
		}
	}
	e := readAll(t, replaced(t, boosterModel, `"5E-1"`, `"3E-1"`))
	if got, want := e.Vote.Base, float64(float32(math.Log(0.3/0.7))); got[0] != 0 ||
		math.Abs(got[1]-want) > 1e-7 {
		t.Errorf("the base of probability 0.3 is %v, want 0, %v", got, want)
	}
}

// TestReadXGBoostLogOdds compares margins of base scores with XGBoost's own.
func TestReadXGBoostLogOdds(t *testing.T) {
	lines := strings.Fields(readFile(t, "xgboost", "base_scores.txt"))
	for i := 0; i < len(lines); i += 2 {
		want, err := strconv.ParseFloat(lines[i+1], 32)
		if err != nil {
			t.Fatal(err)
		}
		if got := readAll(
			t, replaced(t, boosterModel, `"5E-1"`, `"`+lines[i]+`"`),
		).Vote.Base[1]; got != want {
			t.Errorf("the margin of base score %s is %v, want %v", lines[i], got, want)
		}
	}
	if len(lines) < 600 {
		t.Errorf("%d base scores", len(lines)/2)
	}
}

// TestReadXGBoostBestIteration: an XGBClassifier that saved itself predicts with the
// trees up to its best iteration, a Booster with all.
func TestReadXGBoostBestIteration(t *testing.T) {
	if e := readAll(
		t, replaced(t, boosterModel, `"best_iteration":"1"`, `"best_iteration":"0"`),
	); e.Len() != 2 {
		t.Errorf("a booster has %d trees, want 2", e.Len())
	}
	if e := readAll(
		t, replaced(t, boosterModel, `"best_iteration":"1"`,
			`"best_iteration":"0","scikit_learn":"{}"`),
	); e.Len() != 1 {
		t.Errorf("a classifier has %d trees, want 1", e.Len())
	}
	if e := readAll(
		t, replaced(t, boosterModel, `"best_iteration":"1"`, `"scikit_learn":"{}"`),
	); e.Len() != 2 {
		t.Errorf("a classifier without a best iteration has %d trees, want 2", e.Len())
	}
}

// boosterSets is the small file with a set of categories in place of a threshold.
func boosterSets(t testing.TB, set, size string) string {
	return replaced(t, boosterModel, `"split_type":[0,0,0]`, `"split_type":[1,0,0]`,
		`"categories":[],"categories_nodes":[],"categories_segments":[],"categories_sizes":[]`,
		`"categories":`+set+
			`,"categories_nodes":[0],"categories_segments":[0],"categories_sizes":[`+size+`]`,
		`[5E-1,-2E-1,3E-1]`, `[NaN,-2E-1,3E-1]`)
}

// TestReadXGBoostCategories: the codes of a set go right, all others left, and NaN the default way.
func TestReadXGBoostCategories(t *testing.T) {
	e := readAll(t, boosterSets(t, "[5,1,2]", "3"))
	right := e.scores(0, 5)[1]
	for v, want := range map[float64]bool{
		0: false, 1: true, 2.9: true, 3: false, 4.99: false, 5: true, 5.5: true, 6: false,
		1e30: false, 1 << 24: false, -1: false, -0.5: false, math.NaN(): false,
		1 - 0x1p-26: true, // which float32 rounds to 1
		6 - 0x1p-26: false,
	} {
		if got := e.scores(0, v)[1] == right; got != want {
			t.Errorf("%v goes right: %v, want %v", v, got, want)
		}
	}
	for _, test := range []struct {
		set, size string
		codes     []int
	}{
		{"[5,1,2]", "3", []int{0, 6}}, {"[2,0,1]", "3", []int{0, 4}}, {"[0]", "1", []int{0, 2}},
		{"[]", "0", nil},
	} {
		if got := readAll(t, boosterSets(t, test.set, test.size)).file.Categories; !slices.Equal(
			got, test.codes,
		) {
			t.Errorf("set %s: Categories = %v, want %v", test.set, got, test.codes)
		}
	}
	known := replaced(t, boosterSets(t, "[0,1]", "2"), `"gbtree_model_param"`,
		`"cats":{"enc":[],"feature_segments":[0,0,3]},"gbtree_model_param"`)
	if got := readAll(t, known).file.Categories; !slices.Equal(got, []int{0, 3}) {
		t.Errorf("Categories = %v, want 0, 3", got)
	}
	checkFaults(t, boosterSets(t, "[5,1,2]", "3"), false, map[string]fault{
		"a set too long": {`"categories_sizes":[3]`, `"categories_sizes":[4]`,
			"tree 0: node 0: categories 0 to 4 of 3"},
		"a set before all": {`"categories_segments":[0]`, `"categories_segments":[-1]`,
			"tree 0: node 0: categories -1 to 2 of 3"},
		"a set without place": {`"categories_segments":[0]`, `"categories_segments":[]`,
			"1 categories_nodes, 0 categories_segments"},
		"a set of a leaf": {`"categories_nodes":[0]`, `"categories_nodes":[1]`,
			"categories_nodes: node 1 has no set"},
		"a set of no node": {`"categories_nodes":[0]`, `"categories_nodes":[3]`,
			"categories_nodes: node 3 has no set"},
		"a negative code": {`[5,1,2]`, `[5,-1,2]`, "tree 0: node 0: category -1"},
		"a large code":    {`[5,1,2]`, `[5,1048576,2]`, "tree 0: node 0: category 1048576"},
	})
}

// TestReadXGBoostDart: leaves are multiplied by the weight of their tree, in float32.
func TestReadXGBoostDart(t *testing.T) {
	text := replaced(t, boosterModel, `"gradient_booster":{`, `"gradient_booster":{"gbtree":{`,
		`"name":"gbtree"}`, `"name":"gbtree"},"name":"dart","weight_drop":[0.3,0.7]}`)
	want := float32(-0.2)*float32(0.3) + float32(0.1)*float32(0.7)
	if got := readAll(t, text).scores(0, 0)[1]; got != float64(want) {
		t.Errorf("margin %v, want %v", got, want)
	}
	checkFaults(t, text, false, map[string]fault{
		"a weight too few": {`[0.3,0.7]`, `[0.3]`, "weight_drop has 1 numbers for 2 trees"},
	})
	// Later versions call it a gbtree.
	for name, changes := range map[string][]string{
		"3.3, beside the model": {`[1,7,4]`, `[3,3,0]`, `"name":"gbtree"`,
			`"name":"gbtree","weight_drop":[0.3,0.7]`},
		"3.4, within the model": {`[1,7,4]`, `[3,4,1]`, `"tree_info"`,
			`"weight_drop":[0.3,0.7],"tree_info"`},
	} {
		own := append(changes, `"attributes":{`, `"attributes":{"scikit_learn":"{}",`)
		for _, changes := range [][]string{changes, own} { // wrappers predict the same
			text := replaced(t, boosterModel, changes...)
			if got := readAll(t, text).scores(0, 0)[1]; got != float64(want) {
				t.Errorf("%s: margin %v, want %v", name, got, want)
			}
			checkFaults(t, text, false, map[string]fault{
				name + ", a weight too few": {`[0.3,0.7]`, `[0.3]`,
					"weight_drop has 1 numbers for 2 trees"},
			})
		}
	}
	twice := replaced(t, boosterModel, `[1,7,4]`, `[3,4,1]`, `"name":"gbtree"`,
		`"name":"gbtree","weight_drop":[1,1]`, `"tree_info"`, `"weight_drop":[1,1],"tree_info"`)
	if _, err := read(twice); err == nil || !strings.Contains(err.Error(), "and within it") {
		t.Errorf("weights in both places: %v", err)
	}
}

// TestReadXGBoostDartOfWrappers: an XGBClassifier adds the base of the sum to each leaf and
// subtracts it again, before it multiplies the leaf by the weight of its tree; Booster.predict does
// not.
func TestReadXGBoostDartOfWrappers(t *testing.T) {
	text := replaced(t, boosterModel, `"gradient_booster":{`, `"gradient_booster":{"gbtree":{`,
		`"name":"gbtree"}`, `"name":"gbtree"},"name":"dart","weight_drop":[0.3,0.7]}`,
		`"5E-1"`, `"1E-5"`)
	own := readAll(t, replaced(t, text, `"attributes":{`, `"attributes":{"scikit_learn":"{}",`))
	base := float32(own.Vote.Base[1])
	want := base
	for i, leaf := range []float32{-0.2, 0.1} {
		moved := float32(base+leaf) - base
		want += float32(moved * []float32{0.3, 0.7}[i])
	}
	if got := own.scores(0, 0)[1]; got != float64(want) {
		t.Errorf("margin %v, want %v", got, want)
	}
	if plain := readAll(t, text).scores(0, 0)[1]; plain == float64(want) {
		t.Errorf("Booster.predict has the margin %v, too", plain)
	}
}

// TestReadXGBoostCertain: since version 3.2 a base_score too near to 0 or 1 counts as the nearest
// that is not, as where all labels are 0.
func TestReadXGBoostCertain(t *testing.T) {
	for score, want := range map[string]float32{
		"0":           -13.81551,
		"1E-10":       -13.81551,
		"1E-6":        -13.81551,
		"1":           13.74516,
		"9.999999E-1": 13.74516,
	} {
		e := readAll(t, replaced(t, boosterModel, `"5E-1"`, `"[`+score+`]"`, `[1,7,4]`, `[3,2,0]`))
		if got := e.Vote.Base[1]; math.Abs(got-float64(want)) > 1e-6 {
			t.Errorf("base_score %s: sums start from %v, want %v", score, got, want)
		}
	}
	counts := replaced(t, boosterModel, `"5E-1"`, `"0"`, `binary:logistic`, `count:poisson`)
	if _, err := read(counts); !errors.Is(err, errors.ErrUnsupported) ||
		!strings.Contains(err.Error(), "train with labels that are not all 0") {
		t.Errorf("counts that are all 0: %v", err)
	}
}

// TestReadXGBoostHinge: label 1 wins a positive margin, and base_score is one.
func TestReadXGBoostHinge(t *testing.T) {
	// to which −0.2 and 0.1 are added
	for base, want := range map[string]int{"5E-2": 0, "1.5E-1": 1, "2E0": 1} {
		if got := readAll(
			t, replaced(t, boosterModel, `binary:logistic`, `binary:hinge`, `"base_score":"5E-1"`,
				`"base_score":"`+base+`"`),
		).Predict([]float64{0, 0}); got != want {
			t.Errorf("base_score %s: label %d, want %d", base, got, want)
		}
	}
}

func TestReadXGBoostErrors(t *testing.T) {
	_, boosterTrees, _ := strings.Cut(boosterModel, `"trees":`)
	boosterTrees, _, _ = strings.Cut(boosterTrees, `},"name":"gbtree"`)
	checkFaults(t, boosterModel, true, map[string]fault{
		"version 0":       {`[1,7,4]`, `[0,90,0]`, "version is [0 90 0]"},
		"version 4":       {`[1,7,4]`, `[4,0,0]`, "version is [4 0 0]"},
		"no version":      {`,"version":[1,7,4]`, ``, "version is []"},
		"linear":          {`"name":"gbtree"`, `"name":"gblinear"`, "a linear model (gblinear)"},
		"another booster": {`"name":"gbtree"`, `"name":"gbforest"`, `name is "gbforest"`},
		"a configuration": {`"feature_types":[],"gradient_booster":{"model"`,
			`"generic_param":{},"gradient_booster":{"none"`, "what XGBoost's save_config writes"},
		"another missing": {`"attributes":{`,
			`"attributes":{"scikit_learn":"{\"missing\": -1.0, \"n_jobs\": null}",`,
			"for which -1.0 is missing"},
		"no trees": {`"tree_info":[0,0],"trees":` + boosterTrees, `"tree_info":[],"trees":[]`,
			"no trees: every row has the same output"},
		"no probability": {`"5E-1"`, `"0"`,
			"base_score: 0, which XGBoost takes as it is before version 3.2"},
		"all but certain": {`"5E-1"`, `"9.999999E-1"`,
			"load the file with version 3.2 or later, and save_model"},
		"survival":       {`binary:logistic`, `survival:cox`, "survival times"},
		"raw margins":    {`binary:logistic`, `binary:logitraw`, "binary:logitraw"},
		"several labels": {`"num_target":"1"`, `"num_target":"2"`, "num_target is 2"},
		"leaves of vectors": {`"num_nodes":"3","size_leaf_vector":"0"`,
			`"num_nodes":"3","size_leaf_vector":"2"`, "tree 0: size_leaf_vector is 2"},
	})
	checkFaults(t, boosterModel, false, map[string]fault{
		"no features": {`"num_feature":"2","num_target"`, `"num_target"`,
			"num_feature is 0"},
		"features are a number": {`"num_feature":"2","num_target"`,
			`"num_feature":2,"num_target"`, "learner_model_param"},
		"features are a word": {`"num_feature":"2","num_target"`,
			`"num_feature":"two","num_target"`, `num_feature: "two"`},
		"too many features": {`"num_feature":"2","num_target"`,
			`"num_feature":"1048577","num_target"`, "num_feature is 1048577"},
		"many classes": {`"num_class":"0"`, `"num_class":"1000000000"`,
			"num_class is 1000000000"},
		"negative classes":     {`"num_class":"0"`, `"num_class":"-1"`, "num_class is -1"},
		"two classes of one":   {`"num_class":"0"`, `"num_class":"2"`, "with 2 trees a round"},
		"many classes of none": {`binary:logistic`, `multi:softprob`, "with 1 trees a round"},
		"base score below 0":   {`"5E-1"`, `"-1E-9"`, "-1e-09 is no probability"},
		"base score above 1":   {`"5E-1"`, `"1.0000002E0"`, "is no probability"},
		"base score NaN":       {`"5E-1"`, `"NaN"`, "base_score"},
		"base score too large": {`"5E-1"`, `"1E39"`, "base_score"},
		"two base scores":      {`"5E-1"`, `"[5E-1,5E-1]"`, "2 numbers for 1 classes"},
		"an open array":        {`"5E-1"`, `"[5E-1"`, "no array"},
		"an empty array":       {`"5E-1"`, `"[]"`, "base_score"},
		"no base score":        {`"base_score":"5E-1",`, ``, "base_score"},
		"num_trees":            {`"num_trees":"2"`, `"num_trees":"3"`, "num_trees is 3"},
		"tree_info too short":  {`"tree_info":[0,0]`, `"tree_info":[0]`, "tree_info has 1"},
		"tree_info out of range": {`"tree_info":[0,0]`, `"tree_info":[0,1]`,
			"tree 1: tree_info is 1"},
		"odd rounds": {`"num_parallel_tree":"1"`, `"num_parallel_tree":"3"`,
			"want a multiple"},
		"best iteration": {`"best_iteration":"1"`,
			`"best_iteration":"2","scikit_learn":""`, "best_iteration is 2 of 2"},
		"best iteration, a word": {`"best_iteration":"1"`,
			`"best_iteration":"best","scikit_learn":""`, "best_iteration"},
		"num_nodes": {`"num_nodes":"3"`, `"num_nodes":"4"`, "tree 0: num_nodes is 4"},
		"num_deleted": {`"num_deleted":"2"`, `"num_deleted":"1"`,
			"tree 1: 2 of 3 nodes"},
		"a node lost": {`"left_children":[1,-1,-1]`, `"left_children":[2,-1,-1]`,
			"tree 0: node 0: child 2"},
		"one child": {`"left_children":[1,-1,-1]`, `"left_children":[-1,-1,-1]`,
			"tree 0: node 0: child -1"},
		"a loop": {`"left_children":[1,-1,-1]`, `"left_children":[0,-1,-1]`,
			"tree 0: node 0: child 0"},
		"a child out of range": {`"left_children":[1,-1,-1]`, `"left_children":[3,-1,-1]`,
			"tree 0: node 0: child 3 of 3"},
		"a feature out of range": {`"split_indices":[1,0,0]`, `"split_indices":[2,0,0]`,
			"tree 0: node 0: split_indices is 2"},
		"rounds of two trees": {`"tree_info":[0,0]`, `"iteration_indptr":[0,2],"tree_info":[0,0]`,
			"iteration_indptr: 2 trees before round 1"},
		"dart": {`"name":"gbtree"`, `"name":"dart"`,
			"weight_drop has 0 numbers for 2 trees"},
		"weights of no dart": {`"name":"gbtree"`, `"weight_drop":[1,1],"name":"gbtree"`,
			"weight_drop in a gbtree"},
		"a third kind of split": {`"split_type":[0,0,0]`, `"split_type":[2,0,0]`,
			"tree 0: node 0: split_type is 2"},
		"a set that is not there": {`"split_type":[0,0,0]`, `"split_type":[1,0,0]`,
			"tree 0: node 0: a set of categories that is not"},
		"a child too many": {`"left_children":[1,-1,-1]`, `"left_children":[1,-1,-1,-1]`,
			"tree 0: num_nodes is 3, and there are 4"},
		"right children missing": {`"right_children":[2,-1,-1],`, ``,
			"tree 0: 3 left_children, 0 right_children"},
		"a null condition": {`"split_conditions":[5E-1,-2E-1,3E-1]`,
			`"split_conditions":[5E-1,null,3E-1]`, `split_conditions: "null"`},
		"a NaN leaf": {`"split_conditions":[5E-1,-2E-1,3E-1]`,
			`"split_conditions":[5E-1,NaN,3E-1]`, "tree 0: node 1: frequency of class 1 is NaN"},
		"a huge leaf": {`"split_conditions":[5E-1,-2E-1,3E-1]`,
			`"split_conditions":[5E-1,1E39,3E-1]`, `split_conditions: "1E39"`},
		"a default of 2": {`"default_left":[1,0,0]`, `"default_left":[2,0,0]`,
			`default_left: "2", want 0 or 1`},
		"a fraction for a child": {`"left_children":[1,-1,-1]`, `"left_children":[1.5,-1,-1]`,
			`left_children: "1.5"`},
		"text after the model": {`[1,7,4]}`, `[1,7,4]} {`, "after the end of the model"},
		"not JSON":             {`"version"`, `version`, "byte"},
	})
}

// TestReadXGBoostInAnyOrder: nodes may be numbered in any way that starts with the root.
func TestReadXGBoostInAnyOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, r := range readRecordings(t, "xgboost") {
		var document map[string]any
		if err := json.Unmarshal([]byte(readFile(t, "xgboost", r.File)), &document); err != nil {
			t.Fatal(err)
		}
		at := func(v any, keys ...string) any {
			for _, key := range keys {
				v = v.(map[string]any)[key]
			}
			return v
		}
		for _, tree := range at(document, "learner", "gradient_booster", "model", "trees").([]any) {
			shuffle(rng, tree.(map[string]any))
		}
		text, err := json.Marshal(document)
		if err != nil {
			t.Fatal(err)
		}
		r.check(t, readAll(t, string(text)))
	}
}

// shuffle renumbers the nodes of a tree but the root.
func shuffle(rng *rand.Rand, tree map[string]any) {
	n := len(tree["left_children"].([]any))
	to := append([]int{0}, rng.Perm(n-1)...)
	for i := range to[1:] {
		to[i+1]++
	}
	for _, key := range []string{
		"left_children", "right_children", "split_indices", "split_conditions", "default_left",
	} {
		old := tree[key].([]any)
		moved := make([]any, n)
		for i, v := range old {
			if child, _ := v.(float64); strings.HasSuffix(key, "_children") && child >= 0 {
				v = to[int(child)]
			}
			moved[to[i]] = v
		}
		tree[key] = moved
	}
}

// TestReadXGBoostDamaged reads every beginning and every mutant of a model.
func TestReadXGBoostDamaged(t *testing.T) {
	t.Parallel()
	for n := range len(boosterModel) {
		if _, err := read(boosterModel[:n]); err == nil {
			t.Fatalf("the first %d bytes are read", n)
		}
	}
	mutate(t, boosterModel, func(text string) { checkRead(t, text) })
}
