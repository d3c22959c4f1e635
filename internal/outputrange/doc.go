// Package outputrange finds the largest and the smallest sum that the trees of a regressor
// have in a region: a box, a ball, or what they have in common.
//
// # Method
//
// Which sum is the largest is NP-hard to decide, as the search of package boxtree is. This is
// branch and bound over boxes of slots (package slots), as in Devos, Meert and Davis, "Versatile
// verification of tree ensembles" (ICML 2021), the part with the largest bound first:
//
//  1. Within a part every tree has a best leaf. Added up in the order of the trees, with the
//     rounding of the model, they bound all sums of the part: rounding keeps the order of
//     numbers. So this bound has no slack, and is the model's own sum where the best leaves meet.
//  2. If they meet, an input where they do attains the bound, and the part is solved.
//  3. Otherwise potentials (package potentials) bound the part more tightly, over the real
//     numbers; what rounding may add is added. They say where to split, and where to look for
//     a large sum: a local search moves one feature at a time from there.
//  4. Parts that are bounded by the largest sum known are dropped.
//
// # Terms
//
//   - gain: what a leaf adds to the sum, or takes where the smallest is asked for.
//   - part: a box of slots, and the potentials of the trees in it.
//   - torn: a feature in which the best leaves have no slot in common.
//
// # Invariants
//
//   - Sums are compared as the model adds them: the end that is found is that of the model's
//     outputs, to the last bit, and does not depend on the machine.
//   - A region is one of real numbers, its ball exact. A part is dropped only if no real number in
//     it has a larger sum than an input that was found, or if it holds no float64, and then its
//     bound is part of the result.
//   - Each end is searched by one goroutine.
//
// # Example
//
// Two trees add 1 where x0 > 1, and 2 where x0 ≤ 0. In [−1, 2] the best leaves add up to 3, but
// x0 is torn. Behind the split at 0 only 1 is left; below, 2 is the largest sum, at x0 = 0.
package outputrange
