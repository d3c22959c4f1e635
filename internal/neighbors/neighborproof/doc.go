// Package neighborproof writes proofs for nearest neighbours, as docs/reference/proof-format.md
// describes them, for the engines of packages nearest and orderk.
//
// # Method
//
// A proof needs only the bound of the search: with that known, each supporting row
// is refuted as the pivot by a search of its own, depth first, which solves about as many programs
// as the engine did and keeps none. (So recording is free.) At a node
//
//   - a program takes the half-spaces that the path has needed so far and goes a little beyond
//     the bound; if it gets there, its multipliers, rounded to few bits, close the node (combine).
//     A half-space that lies beyond the bound alone closes it without a program (add);
//   - if not, half-spaces that the decisions imply and the point violates are added
//     (addImplied): the pivot comes before all other rivals once allowed of them come before
//     it, and so on;
//   - if there are none, too many rivals come before the pivot at the point, or too few supporting
//     rows, and the node branches on them (crossing).
//
// Otherwise the point answers, or distances tie there. A point at some distance from all borders,
// moved a little in no particular direction, ties with no row (resolve): with two classes, it shows
// rivals or supporting rows to branch on; with more, the k rows nearest to it may not answer, and
// one of them must leave (exchange) and be overtaken (overtake). Where no such point is found, the
// half-spaces may meet in their borders alone. Exact arithmetic then finds multipliers that make
// 0 < 0 of them, or 0 ≤ 0 where one of them is open (contradict), or a point that satisfies them
// all, at which rows are ordered as the classifier does, ties by their numbers.
//
// # Invariants
//
// Which rows are crowded or lonely, which lie far, and whether a combination proves the bound is
// decided exactly: by floating point where a bound on its rounding allows, by rational numbers
// where not (exact.Sign). Which point a node looks at, and which rows come before the pivot there,
// is floating point, and a mistake costs lines, or the proof: then the error wraps
// prooftext.ErrBound.
//
// # Example
//
// testdata/two_labels.txt has a proof for the example of package orderk: k = 3, two rows are
// required and one rival is allowed. Rows 5 and 6 are crowded by rivals 2 and 1. For pivot 4, the
// row (5,−1), rival 2 or rival 1 comes after it; that rival 2 does lies beyond 2.14; that rival 2
// comes before it, and rival 1 after it, and then rival 0 after it too, as no other rival is
// allowed before it, does so together. testdata/three_labels.txt has one in which three rows that
// vote for three labels have to be separated.
package neighborproof
