// Package attack finds adversarial examples: for a classifier and an input x, an
// input as near to x as possible that the classifier labels differently.
//
// # The region-based attack
//
// RegionBased (Yang et al., "Robustness for Non-Parametric Classification: A
// Generic Attack and Defense", AISTATS 2020, section 4) searches the convex cells
// on which a classifier is constant. Exact returns the nearest point of the
// nearest cell with another label, and the distance of that cell, the robustness
// radius, with a proof; Approx tries only the cells around the training points
// nearest to x.
//
// # What a move costs
//
// Options.Features say what it costs to move each feature and where it may go: prices up and down, limits,
// frozen features, grids, one-hot groups, categories and missing values. Distances are then
// costs, and examples keep the rules. The norm polytope.L0 counts what changes.
// RegionBased.Counterfactuals returns several examples that differ in what they change.
//
//	                                     trees and ensembles     k-NN, weighted k-NN, oblique trees
//	                                     of axis-parallel trees  and ensembles, a user's own cells
//	prices, the same both ways           every norm              every norm
//	prices that differ by direction      every norm              ℓ∞ and ℓ1
//	+Inf: a direction does not exist     every norm              every norm
//	frozen features, limits              every norm              every norm
//	grids, one-hot groups, categories    every norm              refused
//	missing values                       every norm              refused
//	polytope.L0                          yes                     refused
//
// All of it is exact, with certified bounds at every limit, and so are RobustAt and Radii. What is refused
// is refused by a sentence. A user's own Searcher says what it knows by search.Follower; one that does not is
// asked for its cells instead. Approx and the attacks of package baseline know no rules. Proofs know
// frozen features, limits and directions, and prices of trees that test one feature at a time.
//
// # Baselines
//
// Package baseline has the attacks that the paper compares with (table 1). They
// prove nothing: their Bound is 0.
//
// # Adversarial training
//
// AdversarialTraining is a classifier.Trainer that adds the adversarial examples
// of a classifier's training rows to them and trains again.
//
// # Results
//
// An example is always one that the classifier's own Predict labels as the attack
// says. The cell it lies in may be open towards x, so that its infimum,
// Result.Bound, is attained by no input: the example then lies a rounding error
// inside, and Result.Distance is its own distance.
//
// # Concurrency
//
// Attacks may be used by many goroutines at once. Their results do not depend on
// the number of workers, unless a limit ends the search early.
package attack
