// Package xgboostfile reads models of XGBoost: the files of save_model, in JSON or UBJSON.
//
// A file is an object of the learner and the version. The learner has the objective, the numbers
// of features and classes as strings, and a booster: gbtree, or dart, which is a gbtree and
// a weight for each tree. A tree is parallel arrays over its nodes, node 0 the root:
//
//	{"left_children": [1,-1,-1], "right_children": [2,-1,-1], "split_indices": [0,0,0],
//	 "split_conditions": [0.5,-1,1], "default_left": [1,0,0], "split_type": [0,0,0], …}
//
// is x₀ < 0.5 in float32, and leaves that add −1 and 1: a leaf has its value for a split
// condition. NaN goes the default way.
//
// # Categories
//
// A node of split_type 1 has a set of codes, which go right; every other value goes left, codes
// that no category has and negative ones too. A value counts as the code that it is cut off to.
// The sets lie one after the other in the array categories: that of node categories_nodes[i]
// has categories_sizes[i] codes from categories_segments[i] on. They become tests of
// several thresholds ([models.TestEnds]). So versions 1.7 and later predict; 1.5 and 1.6 sent codes
// beyond the set the default way.
//
// # What predicts
//
// All trees of a Booster; of an XGBClassifier that saved itself, those up to the best iteration.
// Sums are float32, in the order of the trees, from the margin of base_score on. A tree of dart
// adds its leaf times its weight, in float32.
//
// # Sources
//
// doc/model.schema, src/tree/tree_model.cc, src/gbm/gbtree.cc, src/predictor/cpu_predictor.cc
// and src/common/categorical.h of dmlc/xgboost; predictions of versions 1.7, 2.1 and 3.2.
package xgboostfile
