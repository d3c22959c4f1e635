// Package soundness attacks the library's promise: it draws random classifiers and
// points, asks attack.RegionBased and prune.Adversarial, and compares every claim
// with an oracle in exact arithmetic. Only tests use it.
//
// # Instances
//
// Small instances that are as degenerate as possible: integer rows, ties, equal and
// nearly equal rows, collinear ones, large offsets, mixed scales, domains that
// are flat or open to one side, ties at their ends, tests between which no float64 lies, all sizes
// from the least number to the largest, and rows of categories that models do not know. An instance
// follows from its kind, a seed and a number alone. Kinds names the kinds.
//
// # The oracle
//
// All answers are cells: polyhedra in displacements u = z − x, whose rows are integers after a
// common power of two is taken out. That is exact, since every float64 is a multiple of one. Cells
// are half-open: a bisector is closed if the order of rows decides a tie for the cell, a half-
// space if it says ≤, a side of the domain if its end belongs to it. The right-hand side of an
// open row is b − ε with an infinitesimal ε, so that a cell without an input is infeasible, and
// the distance at ε = 0 is that of the cell's closure. Inputs between two float64, or beyond the
// last one, are real numbers, too. ℓ∞ and ℓ1 are linear programs, solved by the dual simplex method
// on integers; ℓ2 goes from active set to active set by Cramer's rule. No number is rounded.
// Axis-parallel ensembles are boxes of intervals between exact borders. Prices stretch
// coordinates, one way and the other; the meaning of rules is written down once more, from the
// comments of attack.Feature. Models with categories are written as files of XGBoost, LightGBM and
// CatBoost, and read; where their tests send a value is written down once more, from the sources
// of these libraries.
//
// Nearest neighbours of whole numbers have another oracle besides, Predict itself: it is asked
// about all whole and half numbers nearer than a bound.
//
// Questions about all inputs (package attack/property) are asked of small models of all votes, with
// rules, domains, rows near by and orders. The oracle lists, of each feature or one-hot group,
// classes of values that all tests send the same way, and enumerates all pairs of inputs of these
// classes; outputs are added up as whole numbers.
//
// # Faults
//
// A Failure has a Letter:
//
//	a  an input nearer than Bound that answers, by exact arithmetic and by Predict
//	b  Bound above the infimum, be it by an ulp
//	c  Bound +Inf, or a search that ends without an example, where a cell answers
//	d  an example that has another label or distance, or lies outside the domain or breaks a rule
//	e  Optimal, though Distance is not within 1e-9·max(1, Distance) of Bound
//	f  RobustAt true for a radius above the infimum, false for one below it by more
//	   than 1e-9·max(1, radius); the same of several radii asked about in one search
//	g  answers that depend on the number of workers
//	o  counterfactuals that are not in the order of their distances; those and their bounds
//	   are checked as b, c and d say, against inputs that do not change all that an
//	   earlier one changes
//	p  a panic
//	x  an error that blames a classifier of the library
//	h  a search that does not end, with any Timeout
//	!  the oracle contradicts itself
//
// Of questions about all inputs: b, a bound that some pair exceeds; c, none, though there are some;
// d, a pair that breaks a rule, differs where it may not, or has other outputs or labels; e, an
// optimum that is none.
//
// For ranges of regressors: b, an end that an output of real vectors of the region lies beyond; c,
// no input, though there are some; d, an example outside the region or with another output; e, a
// proven end that is none.
//
// For pruning: a, a heavier set than Bound is separated; d, a set that is not
// separated, not maximal or has another weight; e, Optimal though a heavier set
// exists; v, a certificate that Verify refuses.
//
// These are no wrong proofs, but counted:
//
//	E  an error
//	U  a search that ends unproven, without a limit or at its Timeout
//	T  a search that its Timeout of five seconds ended: on an idle machine, one that finds no end
//	G  letter e where the gap is explained by that between neighbouring float64 at
//	   the example, of which no sum exceeds four in each coordinate
package soundness
