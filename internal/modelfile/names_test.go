package modelfile_test

import (
	"reflect"
	"strings"
	"testing"
)

// TestReadNamesOfCategories: the libraries' names of codes of categories are read with a model.
func TestReadNamesOfCategories(t *testing.T) {
	booster := func(cats string) string {
		return replaced(t, boosterModel, `"tree_info"`, `"cats":`+cats+`,"tree_info"`)
	}
	const both = `"feature_segments":[0,2,5],"sorted_idx":[0,1,0,1,2]}`
	const words = `{"enc":[{"offsets":[0,2,6],"values":[78,89,79,115,108,111]},`
	light := func(last, param string) string {
		text := replaced(t, lightgbmModel, "[0:1] [0:1]", "-1:1:0 [0:1.5]")
		text = replaced(t, text, "split_feature=1 0", "split_feature=1 1")
		return replaced(t, text, "[boosting: gbdt]\n", "[boosting: gbdt]\n"+param) + "\n" + last
	}
	const first = "[categorical_feature: 0]\n"
	const two = `pandas_categorical:[["New York, NY", "Åbo"]]` + "\n"
	const three = `pandas_categorical:[["a","b","c"]]` + "\n"
	second := func(info, last string) string {
		return strings.Replace(light(last, first), "[0:1.5]", info, 1)
	}
	words3 := [][]string{{"a", "b", "c"}, nil}
	facet := strings.Replace(treeModel, `"comparison"`,
		`"categories":[3],"category_names":[["a","","<b>"]],"comparison"`, 1)
	none := [][]string(nil)
	for name, test := range map[string]struct {
		text string
		want [][]string
	}{
		"XGBoost": {booster(words + `{"type":15,"values":[-3,7,20]}],` + both),
			[][]string{{"NY", "Oslo"}, {"-3", "7", "20"}}},
		"XGBoost, fractions": {booster(words + `{"type":1,"values":[0.5,7,1e3]}],` + both),
			[][]string{{"NY", "Oslo"}, {"0.5", "7", "1000"}}},
		"XGBoost, of a number": {booster(words + `{"offsets":[],"values":[]}],` + both),
			[][]string{{"NY", "Oslo"}, nil}},
		"XGBoost, large numbers": {booster(words + `{"type":1,"values":[1,2,9007199254740993]}],` +
			both), [][]string{{"NY", "Oslo"}, nil}},
		// XGBoost cuts these at wrong places.
		"XGBoost, beyond ASCII": {booster(`{"enc":[{"offsets":[0,1,3],"values":[65,-61,-123]},` +
			`{"offsets":[0,1,2,3],"values":[65,66,67]}],` + both),
			[][]string{nil, {"A", "B", "C"}}},
		"XGBoost, one word twice": {booster(`{"enc":[{"offsets":[0,1,2],"values":[65,65]},` +
			`{"offsets":[0,1,2,3],"values":[65,66,67]}],` + both),
			[][]string{nil, {"A", "B", "C"}}},
		"XGBoost, ends in disorder": {booster(`{"enc":[{"offsets":[2,0,9],"values":[65,66]},` +
			`{"offsets":[0,1,2,3],"values":[65,66,67]}],` + both),
			[][]string{nil, {"A", "B", "C"}}},
		"XGBoost, a feature lacks": {booster(strings.TrimSuffix(words, ",") + `],` + both), none},

		"LightGBM":               {light(two, first), [][]string{{"New York, NY", "Åbo"}, nil}},
		"LightGBM, no parameter": {light(two, ""), [][]string{{"New York, NY", "Åbo"}, nil}},
		"LightGBM, truths": {light("pandas_categorical:[[false, true]]\n", first),
			[][]string{{"False", "True"}, nil}},
		"LightGBM, numbers": {light("pandas_categorical:[[0.5, 20, 1e3]]", first),
			[][]string{{"0.5", "20", "1000"}, nil}},
		// The second column is the same in all rows: the file lists no codes of it.
		"LightGBM, a single category": {light(`pandas_categorical:[["a","b"],["c"]]`,
			"[categorical_feature: 0,1]\n"), [][]string{{"a", "b"}, {"c"}}},
		"LightGBM, a list too many": {
			light(`pandas_categorical:[["a","b"],["c","d"]]`, first), none},
		"LightGBM, ordered ones behind": {
			second("[0:1]", `pandas_categorical:[["a","b"],["c","d"]]`),
			[][]string{{"a", "b"}, nil}},
		// The second column may be ordered categories, and the first an integer.
		"LightGBM, ordered":              {second("[0:2]", three), none},
		"LightGBM, a flag":               {second("[0:1]", two), none},
		"LightGBM, one code":             {second("[1:1]", three), none},
		"LightGBM, the same":             {second("none", three), none},
		"LightGBM, numbers from below 0": {second("[-1:2]", three), words3},
		"LightGBM, numbers beyond":       {second("[0:3]", three), words3},
		"LightGBM, too few":              {light(`pandas_categorical:[["a"]]`, first), none},
		"LightGBM, none":                 {light("pandas_categorical:null\n", first), none},
		"LightGBM, no list":              {light("pandas_categorical:{}\n", first), none},
		"LightGBM, dates":                {light("pandas_categorical:[[null, {}]]\n", first), none},
		"LightGBM, twice":                {light(`pandas_categorical:[["a","a"]]`, first), none},
		"LightGBM, no such one":          {light(two, "[categorical_feature: 7]\n"), none},
		"facet":                          {facet, [][]string{{"a", "", "<b>"}}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := readAll(t, test.text).file.CategoryNames; !reflect.DeepEqual(got, test.want) {
				t.Errorf("CategoryNames = %q, want %q", got, test.want)
			}
		})
	}
	checkFaults(t, facet, false, map[string]fault{
		"a list too many": {`[["a","","<b>"]]`, `[["a"],[]]`, "2 category_names, n_features is 1"},
		"numbers":         {`["a","","<b>"]`, `[1]`, "category_names"},
	})
}
