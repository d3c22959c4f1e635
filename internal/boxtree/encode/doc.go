// Package encode turns trees over features that rules of moves bind together into trees over
// features that are free: then boxes of intervals are all that a search has to know.
//
// # Terms
//
//   - code: the number that a feature of the new trees holds in place of a value. The codes of a
//     one-hot group, which becomes one feature, are its members; those of a feature that may be
//     missing are the intervals between its borders, and one more for the missing value.
//   - run: codes next to each other that a test sends the same way.
//
// # Method
//
// A test sends a set of codes left: of a group all but one, of a feature that may be missing all up
// to a border, with the missing value or without. Thresholds part the runs of that set and its
// complement; where a side has several of them, its subtree is copied for each. A test whose answer
// follows from those above is left out, and so is one of a value that is missing and stays so. A
// test that was one of a set of values before stays one test, of a set of codes.
//
// # Invariants
//
//   - An input that keeps the rules reaches, by its codes, a copy of the leaf that it reaches by
//     its values. So sums, and labels, are the same.
//   - The most tested members of a group have the first and the last codes, so that fewer
//     subtrees are copied. No answer depends on that.
package encode
