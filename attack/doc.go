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
// # Costs of moves
//
// Options.Features say how much a move of each feature costs and where it may go: prices up and
// down, limits, frozen features, grids, one-hot groups, categories and missing values. Distances
// are then costs, and examples keep the rules. Options.Changes counts the features that change in
// place of a norm. RegionBased.Counterfactuals returns several examples that change different
// features.
//
// Options.Linear are rules between features, such as x_0 ≤ x_1 + 3: whoever asks, for an example, a
// radius or a reason, asks about the inputs that keep them.
//
// Trees and ensembles of axis-parallel trees follow all rules, in every norm, and count changes.
// The others, and a user's own cells, follow prices, limits, frozen features, directions that do
// not exist and, but for weighted k-NN, linear rules; in ℓ2 prices must be the same both ways.
// docs/use/costs.md has a table, made of the rules that the classifiers of the library follow.
//
// All of it is exact, with certified bounds at every limit, and so is RobustAt. A refusal is an
// error, which is a sentence. Approx and the attacks of package baseline know no rules. Proofs know
// frozen features, limits and directions, and prices of trees that test one feature at a time.
//
// # Several classifiers
//
// Options.Also are other classifiers that are to accept an example, too: models that were trained
// on other samples of the rows, so that the answer outlasts the next training, or an isolation
// forest, so that it is no anomaly. A Requirement may be that so many of some accept it. All of
// them are one search, as exact as that of one.
//
// # Reasons
//
// Package explain says which features force the label of x, for all values of the others, and the
// intervals within which the label stays.
//
// # Baselines
//
// Package baseline has the attacks that the paper compares with (table 1). Their Bound is 0, since
// they prove none.
//
// # Adversarial training
//
// AdversarialTraining adds the adversarial examples of a classifier's training rows to them and
// trains again. Its Train is a classifier.Trainer.
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
