// Package onnxfile reads tree ensembles of the ONNX format: TreeEnsembleClassifier and
// TreeEnsembleRegressor of the operators ai.onnx.ml.
//
// # The file
//
// A file is a protocol buffer of a graph. One node of it is the ensemble; Identity, Cast
// and ZipMap, which pass numbers on, may stand around it. The ensemble's attributes are
// arrays over the nodes of all trees, and over the weights of all leaves.
//
// The graph of an isolation forest, as skl2onnx writes it, has a regressor for each tree, whose
// output is the number of a leaf. The results of the operators between it and the sum are computed
// for each leaf, and from those behind the sum the last sum that is an outlier.
//
// # What becomes of it
//
// Tests compare float32 by one of six operators. All become x ≤ t: x < t is x ≤ the float32 before
// t, and x = t is two thresholds, with a copy of the subtree that both other sides go on to. Trees
// add float32. A classifier may read tensors of double: then comparisons and sums are float64. The
// base values are a tree of one leaf, the last one, since onnxruntime adds them last.
//
// onnxruntime adds the trees in their order, or shares them out among threads and adds
// their sums in the order in which these end. So the votes of these models are of
// [trees.Vote].AnyOrder: the label is that of the first way, and an attack relies on no
// label that another order could change.
//
// For example, an ensemble of two classes whose weights are all of class 0 and none
// negative says label 1 when their sum exceeds 0.5: onnxruntime takes them for
// probabilities of the second class. With a negative weight it says so when the sum exceeds 0.
//
// # Sources
//
// onnx/onnx.proto and onnx/defs/traditionalml/defs.cc of onnx/onnx, and
// onnxruntime/core/providers/cpu/ml/tree_ensemble_*.h of microsoft/onnxruntime.
package onnxfile
