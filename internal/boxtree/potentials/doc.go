// Package potentials bounds the margin that the trees of an ensemble can reach together in a box:
// more tightly than the best leaf of each tree on its own.
//
// # Method
//
// The trees share an input, but a bound by the best leaf of each lets every tree have its own. A
// Lagrangian decomposition (Guignard and Kim, "Lagrangean decomposition", Mathematical Programming
// 1987; Komodakis, Paragios and Tziritas, "MRF energy minimization and beyond via dual
// decomposition", 2011) makes them agree at a price: tree t gets a potential φ(t, f, s) for each
// interval s of each feature f that adds to its leaf there, and the potentials of all trees sum up
// to no less than zero in every interval. Then no input has a larger sum of gains than
//
//	Σ over t of max over leaves l of gain(l) + Σ over f of max over s in l's range of φ(t, f, s)
//
// for all potentials. With all of them zero it is the bound tree by tree.
//
// They are improved feature by feature ([Sweeper.Sweep]), as in max-sum diffusion (Werner, "A
// linear programming approach to max-sum problem", PAMI 2007): let m(t, s) be the value of the best
// leaf of t that meets interval s, without the potentials of f. Of n trees that use f each gets
//
//	φ(t, f, s) = Σ over t of m(t, s) / n − m(t, s)
//
// after which all have the same profile, and the bound is the largest sum that one interval of f
// allows: the best that potentials of f alone can do. Intervals are put into a few bins of equal
// potentials; where distances cost there are twice as many, since prices differ from interval to
// interval, and most borders between them are those nearest to X.
//
// Where distances add up ([Decomposition.Charge]), a bound within a distance r lets the margin pay
// for moving: at a rate of λ no input within r has a larger margin than
//
//	λ·r + max over inputs of (sum of gains − λ·distance)
//
// and λ·distance, a sum over the features, is one more tree of one feature each, whose price the
// block step shares among the trees that use the feature. So a leaf that moves far has to pay its
// part of it. The rate is adapted where a part begins ([Sweeper.Scale]): contributions are
// multiplied with it.
//
// A leaf whose value falls behind the best one of its tree by more than the bound exceeds a goal
// cannot be that of an input that comes to the goal. [Sweeper.Narrow] leaves such leaves out, and
// intervals that no leaf of some tree meets. All trees that use the feature share the difference of
// a bin to the goal, so that no leaf of theirs falls behind by much: [Sweeper.Tighten] takes the
// sum of the profiles in each bin, leaves out outer bins where it is too little, and begins anew in
// the rest if that is less than half.
//
// # Terms
//
//   - contribution: the number that a range adds to the value of its leaf, the largest
//     potential within it less the largest of all intervals, which goes to the constant of the
//     feature. Potentials themselves are not kept.
//   - user: a tree with a range in a feature.
//   - rate, cost, price: the loss of margin by a unit of distance, how far intervals are, and the
//     product.
//   - allowance: the price of the distance within which a margin is bounded.
//   - peak: the intervals of a feature that allow the largest sum.
//   - lanes: a number for each bin, sixteen of them, or thirty-two where there are more bins. A
//     tree uses few entries of a feature, so that most time goes by in its bins: on amd64 with AVX2
//     assembly takes eight at once, with the results of the Go code.
//
// # Invariants
//
//   - A bound holds over the real numbers: gains are rounded up to whole units once, of which the
//     largest has 2²², and everything else is counted in integers.
//   - Without distances that cost, Narrow, Prepare and Sweep compute the sweep of
//     docs/reference/proof-format.md to the last unit: proofs say when, and their checkers do it
//     again. A change here makes proofs that they refuse.
//   - Contributions stay valid in a part of the box ([Sweeper.Narrow]), so that parts begin with
//     the potentials of the whole.
//   - A decomposition takes 12 bytes for each leaf that its box meets and 16 for each range
//     of one that cuts the box, or has a contribution.
package potentials
