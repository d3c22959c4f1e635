package modelfile_test

import "testing"

// catboostModel asks whether x₀ > 1, and whether the category x₁ is 3.
const catboostModel = `{"features_info":{"float_features":[{"feature_id":"width","feature_index":0,"flat_feature_index":0,"nan_value_treatment":"AsTrue","borders":[1]}],
 "categorical_features":[{"feature_id":"colour","feature_index":0,"flat_feature_index":1,"values":[593172586]}]},
 "model_info":{"class_params":{"class_names":["no","yes"],"class_to_label":[0,1]},"params":{"loss_function":{"type":"Logloss"}}},
 "oblivious_trees":[{"splits":[{"split_type":"FloatFeature","float_feature_index":0,"border":1},{"split_type":"OneHotFeature","cat_feature_index":0,"value":593172586,"split_index":1}],
 "leaf_values":[-3,-1,2,4]}],"scale_and_bias":[1,[0.5]]}`

// catboostStatistics asks whether a statistic of the category x₀ is above 9, as it is of 3.
const catboostStatistics = `{"features_info":{"categorical_features":[{"feature_id":"colour","feature_index":0,"flat_feature_index":0}],"cat_features_hash":[{"hash":593172586,"value":"3"}],
 "ctrs":[{"borders":[9],"ctr_type":"Borders","elements":[{"cat_feature_index":0,"combination_element":"cat_feature_value"}],"identifier":"one","prior_denomerator":1,"prior_numerator":0.5,"scale":15,"shift":0,"target_border_idx":0}]},
 "ctr_data":{"one":{"counter_denominator":8,"hash_map":["3644720124901778394",1,4],"hash_stride":3}},
 "model_info":{"class_params":{"class_names":["no","yes"],"class_to_label":[0,1]},"params":{"loss_function":{"type":"Logloss"}}},
 "oblivious_trees":[{"splits":[{"split_type":"OnlineCtr","border":9,"split_index":0}],"leaf_values":[-1,2]}],"scale_and_bias":[1,[0.5]]}`

// TestCatBoostMutants: no change of one value makes reading panic, or gives a model that does not
// predict.
func TestCatBoostMutants(t *testing.T) {
	mutate(t, catboostModel, func(text string) { checkRead(t, text) })
	mutate(t, catboostStatistics, func(text string) { checkRead(t, text) })
}
