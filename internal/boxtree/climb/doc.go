// Package climb looks for an input near X that a vote of axis-parallel trees labels otherwise: a
// good first answer, without a proof, for a search that has one.
//
// # Method
//
//  1. In ℓ1 and ℓ2 the search moves one feature at a time, from X on, by the move that gains
//     most margin for its distance (ratio.go).
//  2. In ℓ∞, where moves within a ball are free, and where that fails, it ascends the
//     smallest margin within a ball, coordinate by coordinate; the ball grows until this succeeds
//     and then shrinks as long as it does (local.go).
//  3. At last each feature goes back toward X as far as the margins stay sure.
//  4. Where any answer within a radius will do, it ascends in the ball of that radius, once.
//  5. Large searches in ℓ1 and ℓ2 ask for a nearer one ([Search.Nearer]): from the answer each
//     feature goes back to X, and 1 finds moves that make up for it.
//
// # Terms
//
//   - cell: where the search is, by one interval of each feature.
//   - profile: the values of the margins in each interval of one feature, by one walk through each
//     tree that has several leaves there.
//   - cached sums: the gains of the trees at the cell. Where few trees test a feature,
//     as [Uses] says, a move asks only these. Elsewhere each tree has, by feature, the span in
//     which it keeps its leaf, and is walked only where a move, or a profile, leaves that.
//
// # Invariants
//
//   - A cell that is found should answer: sums are added in another order than the ensemble adds
//     them, so who asks confirms it.
//   - The cell that is found depends on the query, the margins and the radii alone.
package climb
