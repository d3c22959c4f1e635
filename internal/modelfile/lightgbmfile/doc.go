// Package lightgbmfile reads models of LightGBM: the text that save_model writes, and the JSON
// of dump_model.
//
// The text is lines of a key and a value, first those of the model, then those of each tree. A
// tree has arrays over its splits, split 0 the root, and over its leaves; a child that is
// a leaf counts −1, −2, …:
//
//	num_leaves=2
//	split_feature=0
//	threshold=0.5
//	decision_type=2
//	left_child=-1
//	right_child=-2
//	leaf_value=-1 1
//
// is x₀ ≤ 0.5, in float64, and leaves that add −1 and 1. Inputs up to 1e-35 count as 0. Each split
// says which values are missing, none, zeros, or NaN, and where these go.
//
// A dump is read as the text that says the same. It has all that predicts, but for thresholds from
// 1e300 on, which it has as 1e300: these are +Inf, of a split for missing values only.
//
// # Categories
//
// A set of categories is bits: words cat_boundaries[i] to cat_boundaries[i+1] of cat_threshold,
// where the threshold of the split is i. Codes of the set go left, all others and NaN right. They
// become tests of several thresholds, and so do zeros that go another way than their threshold
// sends them ([models.TestEnds]).
//
// # Sources
//
// src/io/tree.cpp, include/LightGBM/tree.h and src/boosting/gbdt_prediction.cpp of
// microsoft/LightGBM; predictions of versions 3.3 and 4.7.
package lightgbmfile
