// Package oc1 grows oblique decision trees by hill climbing.
//
// # Method
//
// An oblique tree sends a row x left where weights·x ≤ threshold. To find the best such
// hyperplane is NP-hard, so OC1 (Murthy, Kasif and Salzberg) climbs: from the best test
// of a single feature, and from random hyperplanes. A step of a climb moves the
// hyperplane along one direction, the weight of a feature, the threshold, or in a local
// optimum a random one, to where least impurity is left. Along a direction every row
// changes sides at most once; a [sweep] sorts these changes and looks at the gaps between
// them. The climb ends when no step improves or after a fixed number of rounds, and the best end
// wins.
//
// Several trees are bagged (Breiman): each grows on rows drawn with replacement.
//
// # Invariants
//
// A step is taken only where impurity falls, so that climbs end; OC1 itself also moves
// where it stays. Thresholds lie halfway between the rows that they part, and the
// weights of a result are scaled by a power of two, which changes no prediction. Sums
// are those of predictions, [precise.Dot]; planes whose sums overflow are left out. Trees
// depend on the seed and not on the number of goroutines.
//
// For example let the rows (0,0), (1,1), (3,3) have label 0 and (0,2), (1,3), (2,4) label
// 1. The best single feature is x₁ ≤ 1.5, which leaves 3.25 bits in 6 rows. Moving the
// weight of x₀ turns that line into −0.875·x₀ + x₁ ≤ 1.5, which leaves none.
// testdata/transcript.txt tells this search step by step.
//
// With d features and n rows one round of a climb takes O(d·n log n) time for each level.
//
// # References
//
// S. K. Murthy, S. Kasif, S. Salzberg: A system for induction of oblique decision trees.
// Journal of Artificial Intelligence Research 2 (1994), 1–32, doi:10.1613/jair.63.
//
// L. Breiman: Bagging predictors. Machine Learning 24 (1996), 123–140,
// doi:10.1007/BF00058655.
package oc1
