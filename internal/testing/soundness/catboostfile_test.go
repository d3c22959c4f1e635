package soundness

import (
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// catboostHash has the numbers that CatBoost writes for some codes.
var catboostHash = map[float64]int64{
	0: -1438285038, 1: 1121341681, 2: -1284790409, 3: 593172586, 5: -1280163355,
}

// catboostTests numbers the features of each kind and their tests.
type catboostTests struct {
	floats, categories []object
	index              []int              // of each feature, among those of its kind
	number             map[[2]float64]int // of each test, by feature and border or code
}

func (c *catboostTests) add(j int, all []float64) {
	for _, v := range all {
		c.number[[2]float64{float64(j), v}] = len(c.number)
	}
}

// catboostFile has all tests once, and at each node the number of its own.
func (in *Codes) catboostFile() object {
	c := in.catboostTests()
	var all []object
	for _, nodes := range in.Trees {
		all = append(all, c.node(nodes, 0))
	}
	return object{
		"features_info": object{"float_features": c.floats, "categorical_features": c.categories},
		"model_info": object{
			"class_params": object{"class_to_label": []int{0, 1}},
			"params":       object{"loss_function": object{"type": "Logloss"}},
		},
		"trees": all, "scale_and_bias": []any{1, []float64{0}},
	}
}

func (in *Codes) catboostTests() *catboostTests {
	c := &catboostTests{index: make([]int, in.Dim), number: map[[2]float64]int{}}
	for j := range in.Dim {
		if in.category(j) {
			continue
		}
		missing, borders := "AsFalse", in.tested(j,
			func(n trees.Node) float64 { return n.Threshold })
		if in.nanRight(j) {
			missing = "AsTrue"
		}
		c.index[j] = len(c.floats)
		c.floats = append(c.floats, object{
			"feature_id": "", "feature_index": c.index[j], "flat_feature_index": j,
			"nan_value_treatment": missing, "borders": borders,
		})
		c.add(j, borders)
	}
	for j := range in.Dim {
		if !in.category(j) {
			continue
		}
		codes := in.tested(j, func(n trees.Node) float64 { return n.Weights[0] })
		var hashes []int64
		for _, code := range codes {
			hashes = append(hashes, catboostHash[code])
		}
		c.index[j] = len(c.categories)
		c.categories = append(c.categories, object{
			"feature_id": "", "feature_index": c.index[j], "flat_feature_index": j,
			"values": hashes,
		})
		c.add(j, codes)
	}
	return c
}

// tested lists the numbers that a feature is compared with, ascending.
func (in *Codes) tested(j int, of func(trees.Node) float64) []float64 {
	all := []float64{}
	for n := range in.tests(j) {
		all = append(all, of(n))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// nanRight tells whether a missing number holds in all tests, which is a matter of the feature.
func (in *Codes) nanRight(j int) bool {
	for n := range in.tests(j) {
		return !n.MissingLeft
	}
	return false
}

func (c *catboostTests) node(nodes []trees.Node, at int) object {
	n := nodes[at]
	if n.Left < 0 {
		return object{"value": margin(n)}
	}
	split := object{"split_type": "FloatFeature", "float_feature_index": c.index[n.Feature]}
	value := n.Threshold
	if split["border"] = value; len(n.Weights) > 0 {
		value = n.Weights[0]
		split = object{"split_type": "OneHotFeature", "cat_feature_index": c.index[n.Feature]}
		split["value"] = catboostHash[value]
	}
	split["split_index"] = c.number[[2]float64{float64(n.Feature), value}]
	return object{"split": split, "left": c.node(nodes, n.Left), "right": c.node(nodes, n.Right)}
}
