// Package cart grows axis-parallel decision trees and forests, node for node as
// scikit-learn 1.2 does from the same seed.
//
// # Method
//
// CART (Breiman et al.) grows a tree depth first. A node has rows, those that its
// ancestors send there. Its impurity says how mixed their classes are: [Entropy] or
// [Gini]. A split sends the rows whose feature is at most a threshold to the left
// child; the best one leaves least impurity in the children, weighted by their rows. A
// node becomes a leaf at the depth limit, with too few rows, when it is pure, or when
// no feature varies.
//
// Rounding decides between splits that are equally good, so that all is done in
// scikit-learn's arithmetic: features are rounded to float32, thresholds are the middle
// of neighbouring values, logarithms are correctly rounded, features come in the order
// of its generator. To be faster than it nonetheless, a split is first given a score in
// integers that grows as impurity falls; only scores that lie within the slack of
// rounding are compared as scikit-learn would.
//
// A forest (Breiman) draws as many rows as there are, with replacement, for each tree
// and tries √d features at a node. A robust split (Chen et al.) counts for the impurity that it
// removes in the worst of four cases, in which an adversary moves the rows that lie within ε of the
// threshold.
//
// # Invariants
//
// The rows of a node are one run of the samples, in ascending order, and so are those
// of its children. A feature is sorted once, before growing: it has ranks from then on,
// which a node sorts by radix. A feature found constant in a node stays constant below it
// and is not drawn there again. Nothing depends on the number of goroutines.
//
// For example take the values 0, 1, 2, 3 of one feature and the labels 0, 0, 1, 1. The
// root has an entropy of 1. The thresholds 0.5 and 2.5 leave 0.69 of it, weighted by
// rows, and 1.5 leaves none: the tree is that split and two pure leaves. With ε = 0.5 the middle
// rows can change sides at 1.5, no impurity is removed, and the tree is a leaf.
// testdata/transcript.txt has a longer example, node by node.
//
// Sorting takes O(d·n log n) time, growing O(d·n) for each level, and memory is O(d·n).
//
// # References
//
// L. Breiman, J. H. Friedman, R. A. Olshen, C. J. Stone: Classification and Regression
// Trees. Wadsworth, 1984.
//
// L. Breiman: Random forests. Machine Learning 45 (2001), 5–32, doi:10.1023/A:1010933404324.
//
// H. Chen, H. Zhang, D. Boning, C.-J. Hsieh: Robust decision trees against adversarial
// examples. ICML 2019, arXiv:1902.10660.
package cart
