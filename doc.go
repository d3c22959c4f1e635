// Package facet answers, exactly and fast, how far an input is from being
// misclassified by a classifier that has no gradient, and defends such
// classifiers. It holds no code: the packages below do.
//
// # The idea
//
// A k-nearest-neighbours classifier or a decision tree divides R^d into convex
// cells and is constant on each. The nearest input with another label is the
// nearest point of the nearest cell with another label. Finding it is a search
// over cells, most of which simple bounds exclude, and a small linear or
// quadratic program for each of the few that are left; when the smallest open
// bound reaches the best point found, that point is proven nearest. Its distance
// is the robustness radius. (Yang, Rashtchian, Wang, Chaudhuri: "Robustness for
// Non-Parametric Classification: A Generic Attack and Defense", AISTATS 2020.)
//
// # Packages
//
//   - polytope: norms, half-spaces, boxes, polyhedra, and their closest points
//     in ℓ∞, ℓ1 and ℓ2; polytope/lpsolve does the same with lp_solve.
//   - classifier: k-nearest neighbours (also distance-weighted), decision trees, random forests,
//     boosted and oblique trees, trained here or read from the files of other libraries
//     (docs/use/models.md), and regressors; how they split into cells, and the interfaces by
//     which your own classifier joins them.
//   - attack: RegionBased, exact or approximate, verdicts within a radius, counterfactuals,
//     and adversarial training; attack/explain says which features force a label;
//     attack/baseline has the attacks that the paper compares with; attack/property answers
//     questions about all inputs; attack/proof checks proofs without the search's code.
//   - prune: adversarial pruning, the removal of the fewest training points that leaves
//     classes well separated, with a certificate; WJC.
//   - metrics: accuracy, empirical robustness, defscore, astuteness, and a batch
//     evaluator.
//
// The programs in examples show each of them at work; start with
//
//	go run ./examples/quickstart
package facet
