// Package pairs makes trees whose values are the differences of two inputs, or two models: one
// search over them then says how much, at most.
//
// # Method
//
// Two inputs x and x′ share all features but some, which are copied. Of each tree T there is a
// difference tree over the features and the copies, whose leaves hold T(x) − T(x′). It is grown by
// walking T for both inputs at once: a test of a shared feature sends both the same way, so that
// below a node which tests no copied feature both are in one leaf, and differ by 0. Trees that
// differ nowhere vanish. Where the sum of the rest is largest, two inputs differ most. Two models
// are walked so tree by tree, without copies.
//
// Before, features are coded: the values that a feature may hold (by rules, a domain, a distance
// from a row) are cut into the codes 0, 1, 2, … by the thresholds of the trees. So the search sees
// boxes of codes alone, and every code is allowed.
//
// # Terms
//
//   - code: an interval between two thresholds as far as it holds an allowed value, the missing
//     value, or the member of a one-hot group that is 1.
//   - run: codes next to each other that a test sends the same way.
//   - copy: a feature of x′ that need not be that of x. A one-hot group is copied as a whole.
//   - output: a number that trees add up to: the sum of a class, less that of another.
//
// # Invariants
//
//   - Leaves of difference trees are rounded up to multiples of a unit of which float64 hold all
//     sums. So no pair of real vectors has a larger difference of sums, added up without rounding,
//     than the largest sum of the difference trees; and a sum of zeros is zero.
//   - Codes do not depend on the trees' arithmetic: all inputs of a code go the same way
//     at every test of every tree of the space.
package pairs
