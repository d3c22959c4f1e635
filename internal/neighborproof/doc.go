// Package neighborproof writes proofs for nearest neighbours, as docs/proof-format.md
// describes them, for the engines of packages nearest and orderk.
//
// # Method
//
// A proof needs nothing of the search but its bound: with that known, each row of the side
// is refuted as the pivot by a search of its own, depth first, which solves about as many programs
// as the engine did and keeps nothing. (So recording costs nothing.) At a node
//
//   - a program takes the half-spaces that the path has needed so far and goes a little beyond
//     the bound; if it gets there, its multipliers, rounded to few bits, close the node (combine).
//     A half-space that lies beyond the bound alone closes it without a program (add);
//   - if not, half-spaces that the decisions imply and the point violates are added
//     (addImplied): the pivot comes before all other rivals once spare of them come before
//     it, and so on;
//   - if there are none, too many rivals come before the pivot at the point, or too few rows of
//     the side, and the node branches on them (crossing).
//
// Otherwise the point answers, or distances tie there. A point inside of what the half-spaces
// leave tells the two apart (resolve): moved a little in no particular direction, it ties with nothing,
// so what is missing there is missing in a set with an interior. With two classes it is
// rivals or rows of the side again; with more the k rows there may not answer, and one of them must leave
// (exchange) and be overtaken (overtake). Where there is no inside, exact arithmetic finds the
// multipliers with which the left sides vanish (contradiction).
//
// # Invariants
//
// Which rows are crowded or lonely, which lie far, and what a combination proves is decided exactly:
// by floating point where a bound on its rounding allows, by rational numbers where not. Which
// point a node looks at, and which rows come before the pivot there, is floating point, and a
// mistake costs lines, or the proof: then the error wraps prooftext.ErrBound.
//
// # Example
//
// Rows of label 0 at 0, 1 and 5, of label 1 at 4 and 7; k = 3, X = 0. An answer has two rows of
// label 1 and one of label 0: pivot 4 has too few before it where 7 is nearer than it, and all points
// where 7 is nearer than the second rival lie beyond the midpoint of 1 and 7. testdata/line.txt has the
// proof.
package neighborproof
