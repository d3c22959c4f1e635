// Package metrics turns the answers of attacks into numbers: accuracy, empirical
// robustness, defscore and astuteness, as in Yang et al., "Robustness for
// Non-Parametric Classification: A Generic Attack and Defense", AISTATS 2020,
// sections 5 and 6. Evaluate attacks many points on every core.
//
// # Definitions
//
// The robustness radius ρ(f, x) is the distance from x to the nearest input that
// f labels otherwise than x. Empirical robustness is the mean distance of the adversarial
// examples that an attack found; for an exact attack it is the mean radius.
// The defscore of a defence is the empirical robustness of the defended
// classifier over that of the undefended one. The astuteness at radius r is the share of the points
// with ρ(f, x) ≥ r and f(x) = y (Definition 1).
//
// # Robust at r?
//
// Often the radius itself is not wanted, but whether it exceeds 0.1. With Options.Radii an attack
// stops as soon as that is known, and Evaluate asks it about all rows, each with the
// Timeout of the attack. Result.Verdict then answers for a row: yes, no, or undecided.
// RobustAccuracy sums up: certified is the share that is classified correctly and proven robust,
// possible the share that is not proven otherwise.
//
// # Certainty
//
// A result that is not optimal brackets the radius: Bound ≤ ρ ≤ Distance. Means are given
// of both, and Astuteness counts certified rows apart from
// possible ones. Nothing here takes an example that was found for a proof, or
// one that was not found for robustness.
//
// # Concurrency
//
// Classifiers and attacks are used by many goroutines at once, as theirs allow.
// Numbers and results do not depend on how many: sums are formed in the
// order of the points.
package metrics
