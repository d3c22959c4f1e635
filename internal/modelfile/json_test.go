package modelfile_test

import (
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile"
)

const (
	strictExport = `{"format":"sklearn-tree-ensemble","version":1,"n_features":1,"classes":[0,1],` +
		`"trees":[` + strictTree + `]}`
	strictTree = `{"feature":[0,-2,-2],"threshold":[0.5,-2,-2],"left":[1,-1,-1],"right":[2,-1,` +
		`-1],"value":[[1,1],[1,0],[0,1]]}`
	strictBoost = `{"format":"sklearn-tree-ensemble","version":1,"n_features":1,"classes":[0,1],` +
		`"trees":[{"feature":[0,-2,-2],"threshold":[0.5,-2,-2],` +
		`"left":[1,-1,-1],"right":[2,-1,-1],"value":[[0],[1],[-1]]}],"boosting":{"init":[0,0],` +
		`"learning_rate":1,"class":[1],"decision":"sum"}}`
	strictXGBoost = `{"version":[1,7,4],"learner":{"attributes":{"Name":"mine"},` +
		`"learner_model_param":{"num_feature":"1","num_class":"0","base_score":"5E-1"},` +
		`"objective":{"name":"binary:logistic"},"gradient_booster":{"name":"gbtree",` +
		`"model":{"gbtree_model_param":{"num_trees":"1"},"tree_info":[0],` +
		`"trees":[{"tree_param":{"num_nodes":"3"},"left_children":[1,-1,-1],"right_children":[2,` +
		`-1,-1],"split_indices":[0,0,0],` +
		`"split_conditions":[0.5,1,-1],"default_left":[0,0,0]}]}}}}`
	strictOblique = `{"format":"oblique-tree-ensemble","version":1,"n_features":2,"classes":[0,` +
		`1],"trees":[{"weights":[[1,-1],null,null],` +
		`"threshold":[0.5,0,0],"left":[1,-1,-1],"right":[2,-1,-1],"value":[[0.5,0.5],[1,0],[0,` +
		`1]]}]}`
)

// TestKeysAreTakenAsTheyAre: encoding/json merges keys that are equal but for case, and passes over
// those that it does not know; a model with such keys could mean two things. Its words about types
// are those of Go, not of the file.
func TestKeysAreTakenAsTheyAre(t *testing.T) {
	for _, test := range []struct {
		name, file string
		old, new   string
		fault      string // empty if it is to be read
	}{
		{"export", strictExport, "", "", ""},
		{"boosted export", strictBoost, "", "", ""},
		{"XGBoost, an attribute with the name of a key", strictXGBoost, "", "", ""},
		{"oblique", strictOblique, "", "", ""},
		{"trees twice", strictExport, `"classes"`, `"trees":[],"classes"`, `"trees" again`},
		{"trees in capitals", strictExport, `"trees"`, `"TREES"`, `the key "TREES"`},
		{"trees in two cases", strictExport, `"classes"`, `"Trees":[` + strictTree + `],"classes"`,
			`the key "Trees"`},
		{"a long s for an s", strictExport, `"classes"`, `"claſſes"`, `the key "claſſes"`},
		{"an escape for a letter", strictExport, `"classes"`, `"cla\u0073ses":[1,2],"classes"`,
			`"classes" again`},
		{"threshold twice in a tree", strictExport, `"left"`, `"threshold":[1,2,3],"left"`,
			`"threshold" again`},
		{"Threshold in a tree", strictExport, `"left"`, `"Threshold":[1,2,3],"left"`,
			`the key "Threshold" in "trees"`},
		{"Init of boosting", strictBoost, `"init"`, `"Init"`, `the key "Init" in "boosting"`},
		{"an unknown key", strictExport, `"format"`, `"a":1,"format"`, `the key "a"`},
		{"an unknown key of a tree", strictOblique, `"left"`, `"a":1,"left"`,
			`the key "a" in "trees"`},
		{"XGBoost, num_class twice", strictXGBoost, `"num_class"`, `"num_class":"3","num_class"`,
			`"num_class" again`},
		{"XGBoost, children twice", strictXGBoost, `"right_children"`,
			`"left_children":[],"right_children"`, `"left_children" again`},
		{"oblique, Weights", strictOblique, `"weights"`, `"Weights"`,
			`the key "Weights" in "trees"`},
		{"oblique, vote twice", strictOblique, `"classes"`, `"vote":"soft","vote":"hard","classes"`,
			`"vote" again`},
		{"a string for a number", strictExport, `"n_features":1`, `"n_features":"1"`,
			`"n_features" is a JSON string, want a whole number in its range`},
		{"a number for an array", strictExport, `[0.5,-2,-2]`, `0.5`,
			`"trees.threshold" is a JSON number, want an array`},
		{"an array for an object", strictXGBoost, `{"name":"binary:logistic"}`, `[]`,
			`'[', want an object`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := modelfile.Read(
				strings.NewReader(strings.Replace(test.file, test.old, test.new, 1)),
			)
			if test.fault == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), test.fault) ||
				!strings.Contains(err.Error(), "byte ") {
				t.Fatalf("error = %v, want one that mentions %q and the byte", err, test.fault)
			}
		})
	}
}
