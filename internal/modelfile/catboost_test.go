package modelfile_test

import "testing"

// catboostModel asks whether x₀ > 1, and whether the category x₁ is 3.
const catboostModel = `{"features_info":{"float_features":[{"feature_id":"width","feature_index":0,"flat_feature_index":0,"nan_value_treatment":"AsTrue","borders":[1]}],
 "categorical_features":[{"feature_id":"colour","feature_index":0,"flat_feature_index":1,"values":[593172586]}]},
 "model_info":{"class_params":{"class_names":["no","yes"],"class_to_label":[0,1]},"params":{"loss_function":{"type":"Logloss"}}},
 "oblivious_trees":[{"splits":[{"split_type":"FloatFeature","float_feature_index":0,"border":1},{"split_type":"OneHotFeature","cat_feature_index":0,"value":593172586,"split_index":1}],
 "leaf_values":[-3,-1,2,4]}],"scale_and_bias":[1,[0.5]]}`

// TestCatBoostMutants: no change of one value makes reading panic, or gives a model that does not
// predict.
func TestCatBoostMutants(t *testing.T) {
	mutate(t, catboostModel, func(text string) { checkRead(t, text) })
}
