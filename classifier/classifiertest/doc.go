// Package classifiertest tests classifiers of one's own, as testing/fstest tests file systems:
// attack.RegionBased builds its proofs on the promises of a classifier.Decomposable.
//
// Test looks for points at which the list of cells, Predict, and CellAt, if it is
// there, contradict each other: points of no cell, points of a cell
// with another label, cells with different labels that overlap, sides that are
// closed and should be open. It looks at random points, inside the cells, on their
// sides and one float64 beside them. It finds most mistakes and cannot prove that
// there are none.
package classifiertest
