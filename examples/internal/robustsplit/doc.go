// Package robustsplit grows trees and forests by robust splitting as the paper's
// authors did for Table 2: with a modified scikit-learn whose splitter is not the
// rule of Chen et al. that the paper names, and that classifier.TreeOptions.Robust
// follows. It is of no use but to repeat the printed numbers.
//
// The splitter differs from that rule in these ways:
//
//   - The numbers N₀ and N₁ of rows of the two classes in a node are counted over
//     other rows: over those whose numbers are the positions of the node's rows in
//     the array that is sorted and divided as the tree grows.
//   - The adversary moves d₀ and d₁ rows of the two classes, of those strictly
//     within ε of the threshold, so that the shares of the classes that go left come
//     closest. The search looks at d₁ near N₁·(l₀+d₀)/N₀ + l₁, where l₁ should be
//     subtracted, and only at d₀ that are positions of rows of class 0.
//   - Thresholds between equal values are tried, and every feature at every node.
//   - The last row of the left child is given to the right one.
//
// The order of equal values matters for all of that, and so the sorting is
// scikit-learn's, an introsort that does not keep it.
package robustsplit
