package catboostfile_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile/catboostfile"
	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// small asks whether x₀ > 1, whether x₀ > 2, and whether the category x₁ is 3.
const small = `{"features_info":{"float_features":[{"feature_id":"","feature_index":0,` +
	`"flat_feature_index":0,"nan_value_treatment":"AsTrue","borders":[1,2]}],` +
	`"categorical_features":[{"feature_id":"","feature_index":0,"flat_feature_index":1,` +
	`"values":[593172586]}]},` +
	`"model_info":{"class_params":{"class_names":["no","yes"],"class_to_label":[0,1]},` +
	`"params":{"loss_function":{"type":"Logloss"}}},` +
	`"oblivious_trees":[{"splits":[{"split_type":"FloatFeature","float_feature_index":0,` +
	`"border":1},{"split_type":"FloatFeature","float_feature_index":0,"border":2,` +
	`"split_index":1}],` +
	`"leaf_values":[1,2,3,4]},{"splits":[{"split_type":"OneHotFeature","cat_feature_index":0,` +
	`"value":593172586,"split_index":2}],"leaf_values":[5,6]}],"scale_and_bias":[2,[0.5]]}`

// deep is a tree with nodes below nodes, over three classes.
const deep = `{"features_info":{"float_features":[{"feature_id":"width","feature_index":0,` +
	`"flat_feature_index":0,"nan_value_treatment":"AsIs","borders":[1]}]},` +
	`"model_info":{"class_params":{"class_names":[],"class_to_label":[0,2,5]},` +
	`"loss_function":"{\"type\":\"MultiClass\"}"},` +
	`"trees":[{"split":{"split_type":"FloatFeature","float_feature_index":0,"border":1},` +
	`"left":{"value":[1,2,3]},"right":{"value":[0,0,0.5]}}],"scale_and_bias":[1,[0,0,0]]}`

func read(t *testing.T, text string) *models.Model {
	t.Helper()
	m, err := catboostfile.Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func node(
	feature int, threshold float64, left, right int, missingLeft bool, values int,
) trees.Node {
	return trees.Node{
		Feature:     feature,
		Threshold:   threshold,
		Left:        left,
		Right:       right,
		MissingLeft: missingLeft,
		Value:       make([]float64, values),
	}
}

func leaf(values ...float64) trees.Node { return trees.Node{Left: -1, Right: -1, Value: values} }

// TestRead: a test that those above have decided is left out, categories become sets of codes, the
// scale goes into the leaves, and the bias is a tree.
func TestRead(t *testing.T) {
	m := read(t, small)
	is := node(1, 0, 1, 2, true, 2)
	is.Thresholds = []float64{2.5, 3.5} // category 3
	want := []trees.Plain{
		trees.Nodes{node(0, 1, 1, 2, false, 2), leaf(0, 2), node(0, 2, 3, 4, false, 2), leaf(0, 4),
			leaf(0, 8)},
		trees.Nodes{is, leaf(0, 10), leaf(0, 12)},
		trees.Nodes{leaf(0, 0.5)},
	}
	if !reflect.DeepEqual(m.Trees, want) {
		t.Errorf("trees are\n%v, want\n%v", m.Trees, want)
	}
	if m.Dim != 2 || !reflect.DeepEqual(m.ClassNames, []string{"no", "yes"}) ||
		!reflect.DeepEqual(m.Categories, []int{0, 4}) || m.FeatureNames != nil {
		t.Errorf("%d features, classes %v, categories %v, names %v",
			m.Dim, m.ClassNames, m.Categories, m.FeatureNames)
	}
	m = read(t, deep)
	if want := []trees.Plain{
		trees.Nodes{node(0, 1, 1, 2, true, 3), leaf(1, 2, 3), leaf(0, 0, 0.5)},
	}; !reflect.DeepEqual(m.Trees, want) {
		t.Errorf("trees are %v, want %v", m.Trees, want)
	}
	if !reflect.DeepEqual(m.ClassValues, []float64{0, 2, 5}) ||
		!reflect.DeepEqual(m.FeatureNames, []string{"width"}) {
		t.Errorf("classes %v, names %v", m.ClassValues, m.FeatureNames)
	}
}

// TestRegressor: a leaf has one number, without classes.
func TestRegressor(t *testing.T) {
	m := read(t, strings.Replace(small, `"Logloss"`, `"RMSE"`, 1))
	if want := trees.Plain(trees.Nodes{
		node(0, 1, 1, 2, false, 1), leaf(2), node(0, 2, 3, 4, false, 1), leaf(4), leaf(8),
	}); m.Kind != models.Regressor || !reflect.DeepEqual(m.Trees[0], want) {
		t.Errorf("kind %s, %v, want %v", m.Kind, m.Trees[0], want)
	}
	if m.ClassValues != nil || m.ClassNames != nil || m.Vote.Rule != trees.Sum {
		t.Errorf("classes %v, %v, vote %d", m.ClassValues, m.ClassNames, m.Vote.Rule)
	}
}

// TestDropped: columns that no test asks for may have no feature.
func TestDropped(t *testing.T) {
	m := read(t,
		strings.NewReplacer(`"feature_index":0,"flat_feature_index":0`,
			`"feature_index":3,"flat_feature_index":4`,
			`"float_feature_index":0`, `"float_feature_index":3`).Replace(deep))
	if m.Dim != 5 || trees.At(m.Trees[0], 0).Feature != 4 || m.FeatureNames != nil {
		t.Errorf("%d features, %v, names %v", m.Dim, m.Trees, m.FeatureNames)
	}
}

// TestLabels: numbers that do not ascend are names.
func TestLabels(t *testing.T) {
	for text, want := range map[string][]string{
		`["b","1"]`:    {"b", "1"},
		`[1,0]`:        {"1", "0"},
		`[false,true]`: {"false", "true"},
		`[-1,2.5]`:     nil,
	} {
		if m := read(
			t, strings.Replace(small, `["no","yes"]`, text, 1),
		); !reflect.DeepEqual(m.ClassNames, want) {
			t.Errorf("class_names %s became %q, want %q", text, m.ClassNames, want)
		}
	}
}

// TestEqualLeaves: leaves of equal values need no test.
func TestEqualLeaves(t *testing.T) {
	m := read(t, strings.Replace(small, "[1,2,3,4]", "[1,2,3,2]", 1))
	if want := trees.Plain(trees.Nodes{
		node(0, 1, 1, 2, false, 2), leaf(0, 2), leaf(0, 4),
	}); !reflect.DeepEqual(m.Trees[0], want) {
		t.Errorf("%v, want %v", m.Trees[0], want)
	}
}

// TestEveryCategory: a code that is none of those asked for is there for all others.
func TestEveryCategory(t *testing.T) {
	m := read(t, strings.ReplaceAll(small, "593172586", "-1438285038")) // 0, as a signed number
	if want := []int{0, 2}; !reflect.DeepEqual(m.Categories, want) {
		t.Errorf("categories %v, want %v", m.Categories, want)
	}
	m = read(
		t, strings.Replace(small,
			`"split_type":"OneHotFeature","cat_feature_index":0,"value":593172586,"split_index":2`,
			`"split_type":"FloatFeature","float_feature_index":0,"border":1`, 1),
	)
	if want := []int{0, 1}; !reflect.DeepEqual(m.Categories, want) {
		t.Errorf("categories %v of a feature that no test asks for, want %v", m.Categories, want)
	}
}

// TestRefused: models of other kinds and malformed files are refused with their reason.
func TestRefused(t *testing.T) {
	for name, f := range map[string]struct {
		old, new, reason string
		unsupported      bool
	}{
		"another split": {"OneHotFeature", "EstimatedFeature",
			`tree 1: a split_type is "EstimatedFeature", and only FloatFeature`, true},
		"a word for a category": {"593172586", "593172587",
			`feature "1" has a category that is no whole number from 0 to 99999`, true},
		"another loss": {"Logloss", "MultiLogloss",
			`the loss_function "MultiLogloss": Logloss, CrossEntropy`, true},
		"a threshold": {`"class_params"`,
			`"binclass_probability_threshold":0.7,"class_params"`,
			"is 0.7: call set_probability_threshold(0.5)", true},
		"a scale": {"[2,[0.5]]", "[3,[0.5]]",
			"the scale of scale_and_bias is 3, and only powers of two are read", true},
		"a scale beyond all": {"[2,[0.5]]", "[8.98846567431158e+307,[0.5]]",
			"tree 0: a leaf is +Inf", false},
		"no scale": {"[2,[0.5]]", "[]", "scale_and_bias is not a number and 1 more",
			false},
		"a bias too many":     {"[2,[0.5]]", "[2,[0.5,1]]", "scale_and_bias is not", false},
		"a null for a bias":   {"[2,[0.5]]", "[2,null]", "null", false},
		"a null among values": {"[1,2,3,4]", "[1,2,3,null]", "null for a number", false},
		"a value too few": {"[1,2,3,4]", "[1,2,3]",
			"tree 0: 3 leaf_values for 2 splits and 1 values a leaf", false},
		"no class_params": {`"class_params"`, `"training"`, "no class_params",
			false},
		"three classes": {`[0,1]},"params"`, `[0,1,2]},"params"`,
			"class_params: class_to_label has 3 numbers for 2 classes", false},
		"labels that descend": {`[0,1]},"params"`, `[1,0]},"params"`,
			"class_params: class_to_label of class 1 is 0, want whole numbers that ascend", false},
		"a label without a name": {`[0,1]},"params"`, `[0,2]},"params"`,
			"class_params: class_to_label of class 1 is 2", false},
		"more classes than names": {`[0,1]},"params"`, `[0,1],"classes_count":5},"params"`,
			"class_params: classes_count is 5, and there are 2 class_names", false},
		"a leaf beyond all": {"[1,2,3,4]", "[1,2,3,20374531039352858]",
			"tree 0: a leaf is 2.0374531039352856e+16: CatBoost reads whole numbers", false},
		"a class that is a list": {`["no","yes"]`, `[[],[]]`,
			"class 0 has neither a word nor a number", false},
		"labels of two types": {`["no","yes"]`, `["no",true]`,
			"class_params: class_names: no and true are of different types", false},
		"equal classes": {`["no","yes"]`, `["no","no"]`,
			`"no" of class 1 is empty or the name of another`, false},
		"an unknown feature": {`"float_feature_index":0,"border":1`,
			`"float_feature_index":7,"border":1`,
			"tree 0: a split of feature 7, which features_info lacks", false},
		"another border": {`"border":2`, `"border":2.5`,
			"tree 0: a split is another than that with its split_index, 1, in features_info",
			false},
		"another category": {`"value":593172586`, `"value":593172587`,
			"tree 1: a split is another than that with its split_index, 2", false},
		"features that descend": {`"feature_index":0,"flat_feature_index":0`,
			`"feature_index":-1,"flat_feature_index":0`,
			"features_info: feature_index -1 and flat_feature_index 0 do not ascend", false},
		"no such split": {`"split_index":2`, `"split_index":3`,
			"tree 1: a split is another than that with its split_index, 3", false},
		"borders that descend": {`[1,2]`, `[2,1]`,
			"features_info: borders of feature_index 0 do not ascend: 1 after 2", false},
		"borders as float32": {`[1,2]`, `[1,1.00000000001]`,
			"features_info: borders of feature_index 0 do not ascend: 1.00000000001 after 1",
			false},
		"a split without border": {`,"border":1`, ``,
			"tree 0: a split of type FloatFeature without feature or value", false},
		"a column twice": {`"flat_feature_index":1`, `"flat_feature_index":0`,
			"features_info: flat_feature_index 0 is that of another feature", false},
		"a column beyond all": {`"flat_feature_index":1`, `"flat_feature_index":1048576`,
			"flat_feature_index 1048576 is that of another feature, or beyond 1048575", false},
		"another treatment of NaN": {`"AsTrue"`, `"AsNull"`, `nan_value_treatment is "AsNull"`,
			false},
		"two kinds of trees": {`"oblivious_trees"`, `"trees":[{"value":1}],"oblivious_trees"`,
			"2 oblivious_trees and 1 trees", false},
		"repeated keys": {`"scale_and_bias"`, `"scale_and_bias":[1,[0]],"scale_and_bias"`,
			`"scale_and_bias" again`, false},
	} {
		t.Run(name, func(t *testing.T) { refused(t, small, f.old, f.new, f.reason, f.unsupported) })
	}
	for name, f := range map[string]struct{ old, new, reason string }{
		"a child is missing": {`"left":{"value":[1,2,3]},`, "",
			"tree 0: a node lacks a child"},
		"a split is missing": {
			`"split":{"split_type":"FloatFeature","float_feature_index":0,"border":1},`, "",
			"tree 0: a node with children lacks a split",
		},
		"a leaf of another length": {"[1,2,3]", "[1,2]", "tree 0: a leaf of 2 values, want 3"},
		"one class":                {"[0,2,5]", "[0]", "class_params: 1 classes, want at least 2"},
		"no features": {`{"feature_id":"width","feature_index":0,` +
			`"flat_feature_index":0,"nan_value_treatment":"AsIs","borders":[1]}`, "",
			"features_info: no features"},
		"a loss that is no JSON": {`"{\"type\":\"MultiClass\"}"`, `"MultiClass"`,
			"loss_function: invalid character"},
	} {
		t.Run(name, func(t *testing.T) { refused(t, deep, f.old, f.new, f.reason, false) })
	}
}

// TestRefusesTheFirst: of two features that are refused the first is named, whenever it is read.
func TestRefusesTheFirst(t *testing.T) {
	for range 16 {
		refused(t, small, `"values":[593172586]}`, `"values":[7]},{"feature_id":"",`+
			`"feature_index":1,"flat_feature_index":2,"values":[7]}`,
			`feature "1" has a category that is no whole number`, true)
	}
}

func refused(t *testing.T, text, old, new, reason string, unsupported bool) {
	t.Helper()
	if !strings.Contains(text, old) {
		t.Fatalf("the file has no %s", old)
	}
	_, err := catboostfile.Read([]byte(strings.ReplaceAll(text, old, new)))
	if err == nil || !strings.Contains(err.Error(), reason) ||
		errors.Is(err, errors.ErrUnsupported) != unsupported {
		t.Errorf("error = %v, want one that says %q, unsupported: %v", err, reason, unsupported)
	}
}
