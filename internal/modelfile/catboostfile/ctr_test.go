package catboostfile_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile/catboostfile"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Hashes of 3 and of 2 in tables.
const of3, of2 = "3644720124901778394", "6692239851685836511"

// counted asks for a statistic of the category x₀, which had class 1 four times of five where it is
// 3, and once where it is 2: 11.25, 3.75, and 7.5 of any other. It has to be above 5 and above 9.
const counted = `{"features_info":{"categorical_features":[{"feature_id":"colour",` +
	`"feature_index":0,"flat_feature_index":0}],"ctrs":[{"borders":[5,9],"ctr_type":"Borders",` +
	`"elements":[{"cat_feature_index":0,"combination_element":"cat_feature_value"}],` +
	`"identifier":"one","prior_denomerator":1,"prior_numerator":0.5,"scale":15,"shift":0,` +
	`"target_border_idx":0}]},` +
	`"ctr_data":{"one":{"counter_denominator":8,"hash_map":["18446744073709551615",7,7,` +
	`"` + of3 + `",1,4,"` + of2 + `",4,1],"hash_stride":3}},` +
	`"model_info":{"class_params":{"class_names":["no","yes"],"class_to_label":[0,1]},` +
	`"params":{"loss_function":{"type":"Logloss"}}},` +
	`"oblivious_trees":[{"splits":[{"split_type":"OnlineCtr","border":5,"split_index":0}],` +
	`"leaf_values":[1,2]},{"splits":[{"split_type":"OnlineCtr","border":9,"split_index":1}],` +
	`"leaf_values":[3,4]}],"scale_and_bias":[1,[0]]}`

// inWords lists the same categories as words, which have these hashes.
var inWords = strings.Replace(counted, `"ctrs"`,
	`"cat_features_hash":[{"hash":3010176887,"value":"red"},{"hash":593172586,"value":"blue"},`+
		`{"hash":77,"value":"of another column"}],"ctrs"`, 1)

// sums returns the sums of the trees for label 1, by codes.
func sums(t *testing.T, text string, codes ...float64) []float64 {
	t.Helper()
	m, found := read(t, text), make([]float64, len(codes))
	for i, code := range codes {
		for _, tree := range m.Trees {
			at := 0
			for n := trees.At(tree, at); n.Left >= 0; n = trees.At(tree, at) {
				beyond := 0
				for _, end := range append([]float64{}, n.Thresholds...) {
					if code > end {
						beyond++
					}
				}
				if n.Thresholds == nil && code > n.Threshold {
					beyond = 1
				}
				if at = n.Left; beyond%2 == 1 {
					at = n.Right
				}
			}
			found[i] += trees.At(tree, at).Value[1]
		}
	}
	return found
}

func TestStatistics(t *testing.T) {
	of := func(old, new string) string { return strings.Replace(counted, old, new, 1) }
	for name, f := range map[string]struct {
		text string
		want []float64 // of the codes 2, 3, 4 and 7
	}{
		"borders": {counted, []float64{1 + 3, 2 + 4, 2 + 3, 2 + 3}},
		"buckets, of the first class": {of(`"Borders"`, `"Buckets"`),
			[]float64{2 + 4, 1 + 3, 2 + 3, 2 + 3}},
		"a mean": {of(`"Borders"`, `"BinarizedTargetMeanValue"`),
			[]float64{2 + 4, 1 + 3, 2 + 3, 2 + 3}},
		"a table of none": {of(`,"`+of3+`",1,4,"`+of2+`",4,1]`, `]`),
			[]float64{2 + 3, 2 + 3, 2 + 3, 2 + 3}},
		"a shift": {of(`"shift":0`, `"shift":1`), []float64{2 + 4, 2 + 4, 2 + 4, 2 + 4}},
		"a counter": {strings.NewReplacer(`"Borders"`, `"Counter"`, `7,7`, `7`, `1,4,`, `4,`,
			`4,1]`, `1]`, `e":3`, `e":2`).Replace(counted),
			[]float64{1 + 3, 2 + 3, 1 + 3, 1 + 3}},
	} {
		if got := sums(t, f.text, 2, 3, 4, 7); !slices.Equal(got, f.want) {
			t.Errorf("%s: sums of 2, 3, 4 and 7 = %v, want %v", name, got, f.want)
		}
	}
}

// TestCodes: a table has all categories, so that there is no code for others.
func TestCodes(t *testing.T) {
	if m := read(t, counted); !slices.Equal(m.Categories, []int{4}) || m.CategoryNames != nil {
		t.Errorf("categories %d, %q, want 4 codes", m.Categories, m.CategoryNames)
	}
}

// TestWords: words of a table are codes in their order, and all others are none of them.
func TestWords(t *testing.T) {
	m := read(t, inWords)
	if want := [][]string{{"blue", "red"}}; !reflect.DeepEqual(m.CategoryNames, want) ||
		!slices.Equal(m.Categories, []int{2}) {
		t.Errorf("categories %d, %q, want 2, %q", m.Categories, m.CategoryNames, want)
	}
	if got, want := sums(t, inWords, 0, 1, 2), []float64{6, 4, 5}; !slices.Equal(got, want) {
		t.Errorf("sums of blue, red and another = %v, want %v", got, want)
	}
	// A one-hot test knows its own words. One code stands for all others, of which the file does
	// not say whose they are: answers have that, and rows may have any word.
	oneHot := strings.Replace(small, `"categorical_features"`,
		`"cat_features_hash":[{"hash":7,"value":"b"},{"hash":593172586,"value":"z"},`+
			`{"hash":8,"value":"a"}],"categorical_features"`, 1)
	m = read(t, oneHot)
	if want := []string{"z", "any other", "a", "b"}; !slices.Equal(m.CategoryNames[1], want) ||
		m.Categories[1] != 2 {
		t.Errorf("%d of words %q, want 2 of %q", m.Categories[1], m.CategoryNames[1], want)
	}
	m = read(t, strings.Replace(oneHot, `"value":"a"`, `"value":"any other"`, 1))
	if want := []string{"z", "(any other)", "any other", "b"}; !slices.Equal(
		m.CategoryNames[1], want) {
		t.Errorf("words %q, want %q", m.CategoryNames[1], want)
	}
}

func TestStatisticsRefused(t *testing.T) {
	for name, f := range map[string]struct {
		old, new, reason string
		unsupported      bool
	}{
		"two columns": {`[{"cat_feature_index":0,`,
			`[{"cat_feature_index":0,"combination_element":"cat_feature_value"},` +
				`{"cat_feature_index":0,`,
			`statistics of several columns together ("colour" with "colour"): train with ` +
				"max_ctr_complexity=1", true},
		"a number": {`[{"cat_feature_index":0,`,
			`[{"combination_element":"float_feature","border":1},{"cat_feature_index":0,`,
			`(another test with "colour"): train with max_ctr_complexity=1`, true},
		"another type": {`"Borders"`, `"Medians"`, `the ctr_type "Medians"`, true},
		"no table": {`"identifier":"one"`, `"identifier":"two"`, `no table "two" of whole rows`,
			false},
		"half a row": {`"hash_stride":3`, `"hash_stride":4`, `no table "one" of whole rows`, false},
		"no hash":    {of3, "x", "a row of hash_map is no hash with 2 counts", false},
		"no count":   {`1,4,`, `1,"4",`, "a row of hash_map is no hash with 2 counts", false},
		"another class": {`"target_border_idx":0`, `"target_border_idx":1`,
			"a ctr_type Borders with 2 counts and target_border_idx 1", false},
		"another feature": {`[{"cat_feature_index":0,`, `[{"cat_feature_index":1,`,
			"ctrs: feature 1, which is no category", false},
		"another border": {`"border":9`, `"border":8`,
			"tree 1: a split is another than that with its split_index, 1", false},
		"another split": {`"split_index":1`, `"split_index":2`,
			"tree 1: a split is another than that with its split_index, 2", false},
		"words": {of3, "12345", `feature "colour" has a category that is no whole number from ` +
			"0 to 99999, and the file has nothing but its hash: save_model(..., pool=pool)",
			true},
	} {
		t.Run(name, func(t *testing.T) {
			refused(t, counted, f.old, f.new, f.reason, f.unsupported)
		})
	}
	if _, err := catboostfile.Read([]byte(counted)); err != nil {
		t.Error(err)
	}
}
