// Package classifier holds the classifiers that facet can attack: k-nearest
// neighbours, decision trees, random forests, boosted trees, oblique trees and
// their ensembles, trained here or read from other libraries' files, and the
// interfaces by which a user's own classifier joins them.
//
// # Interfaces
//
// A Classifier predicts. A Decomposable one also lists the convex cells on which
// it is constant, which is all that the exact attack needs (Yang et al.,
// "Robustness for Non-Parametric Classification: A Generic Attack and Defense",
// AISTATS 2020, section 4: an (s,m)-decomposition). The classifiers of this package are
// searched cell by cell, nearest first, which changes no answer, and WeightedKNN, which has
// no such cells, with certified bounds.
//
// Other methods are asserted at run time. CellAt(x []float64) (Cell, error) returns a cell that
// contains x, labelled Predict(x), without listing all of them; the approximate attack needs only
// this. Categories() []int, such as that of an Ensemble which was read from a file, says of each
// feature how many codes 0, 1, 2, … it has, 0 for a number: attacks then change codes, each at a
// price, unless they are told otherwise. K() int, of nearest neighbours, is how many of them the
// direct attack goes to.
//
// # Conventions
//
// Labels are 0..Classes()−1; votes tie to the smaller label. Neighbours are
// Euclidean and ordered by (distance, row of the training set). Inputs of Predict
// have Dim() finite coordinates; the attack and metrics packages check theirs
// before they call it.
//
// A cell is half-open: closed or open side by side, as the classifier decides on its border.
// Every real input of it counts, be it a tie of k-NN, a single value of a feature or an end of a
// domain. A cell without an input (an interval between two thresholds that no input rounds
// into) is none.
//
// # Concurrency
//
// A classifier does not change once built and is safe for concurrent use.
package classifier
