package modelfile_test

import (
	"errors"
	"strings"
	"testing"
)

// TestUnknownKeys: a key of a file that no tried version writes is refused by name, with the
// version that wrote it and the newest that was tried. XGBoost 3.4 moved the weights of dart to
// another key: who passes over it reads another model.
func TestUnknownKeys(t *testing.T) {
	for name, c := range map[string]struct{ file, old, new, want string }{
		"XGBoost, a model": {boosterModel, `"tree_info"`, `"tree_weights":[1,2],"tree_info"`,
			`the key "tree_weights" in "model"`},
		"XGBoost, a booster": {boosterModel, `"name":"gbtree"`, `"name":"gbtree","scale":2`,
			`the key "scale" in "gradient_booster"`},
		"XGBoost, a tree": {boosterModel, `"split_type"`, `"leaf_weights":[],"split_type"`,
			`the key "leaf_weights" in "trees"`},
		"XGBoost, a parameter of a tree": {boosterModel, `"num_deleted"`,
			`"num_linear":"1","num_deleted"`, `the key "num_linear" in "tree_param"`},
		"XGBoost, a parameter": {boosterModel, `"num_target"`, `"link":"2","num_target"`,
			`the key "link" in "learner_model_param"`},
		"XGBoost, an objective": {boosterModel, `"reg_loss_param"`, `"calibration"`,
			`the key "calibration" in "objective"`},
		"XGBoost, the file": {boosterModel, `"version"`, `"calibration":{},"version"`,
			`the key "calibration"`},
		"LightGBM, the header": {lightgbmModel, "label_index=0", "tree_weights=2",
			`line 5: the line "tree_weights"`},
		"LightGBM, a tree": {lightgbmModel, "num_cat=0", "num_cat=0\nleaf_bias=1",
			`the line "leaf_bias"`},
		"LightGBM's dump": {lightgbmDump, `"num_class"`, `"tree_weights":[2],"num_class"`,
			`the key "tree_weights"`},
		"LightGBM's dump, a node": {lightgbmDump, `"missing_type"`, `"bias":2,"missing_type"`,
			`the key "bias" in "tree_structure"`},
		"CatBoost, the file": {catboostModel, `{"features_info"`,
			`{"tree_weights":[2],"features_info"`, `the key "tree_weights"`},
		"CatBoost, a feature": {catboostModel, `"feature_index"`, `"shift":2,"feature_index"`,
			`the key "shift" in "float_features"`},
		"CatBoost, the info": {catboostModel, `"class_params"`, `"calibration":2,"class_params"`,
			`the key "calibration" in "model_info"`},
		"scikit-learn": {smallModel, `"trees"`, `"tree_weights":[2],"trees"`,
			`the key "tree_weights"`},
		"facet": {treeModel, `"trees"`, `"tree_weights":[2],"trees"`,
			`the key "tree_weights"`},
		"facet, arrays in JSON": {treeModel, `"trees"`, `"nodes":[3],"trees"`, `nodes or outputs`},
		"an oblique tree":       {obliqueModel, `"left"`, `"bias":[2],"left"`, `"bias" in "trees"`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := read(replaced(t, c.file, c.old, c.new))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("error %v, want %s", err, c.want)
			}
			for library, newest := range map[string]string{
				"XGBoost":  "XGBoost 1.7.4, and 3.4 is",
				"LightGBM": "LightGBM, in the format v4, and v4, of LightGBM 4.7, is",
				"CatBoost": "1.2.10 is", "scikit-learn": "1.9 is",
			} {
				if strings.HasPrefix(name, library) && (!errors.Is(err, errors.ErrUnsupported) ||
					!strings.Contains(err.Error(), newest+" the newest that was tried")) {
					t.Errorf("error %v, want %s the newest", err, newest)
				}
			}
		})
	}
}

// TestUnknownKeyExplains: a file of another layout is none that is malformed.
func TestUnknownKeyExplains(t *testing.T) {
	_, err := read(replaced(t, boosterModel, `"right_children"`, `"children"`))
	if !errors.Is(err, errors.ErrUnsupported) ||
		!strings.Contains(err.Error(), `the key "children" in "trees"`) {
		t.Errorf("error %v", err)
	}
}

// TestKeysOfUsers: attributes of XGBoost and metadata of CatBoost have keys of the user's own, and
// a sum of CatBoost's models names its parts.
func TestKeysOfUsers(t *testing.T) {
	for file, change := range map[string][]string{
		boosterModel: {`"attributes":{`, `"attributes":{"owner":"me",`},
		catboostModel: {`"params":{`, `"owner":"me","model0:params":{"depth":1},"params":{` +
			`"metadata":{"owner":"me"},`},
	} {
		if _, err := read(replaced(t, file, change...)); err != nil {
			t.Error(err)
		}
	}
}
