// Package forced decides whether a box of intervals forces the label of a vote of axis-parallel
// trees: whether every input of the box has the label of X.
//
// # Method
//
// There is no distance to it, so this is a depth-first search for an input at which another label
// wins, one label after the other:
//
//  1. Within a box every tree has a best leaf, the one of those that meet the box which adds most
//     to the lead of the other label. If even these do not win together, the box is closed.
//  2. If they have an interval of each feature in common, an input there is asked for its label.
//  3. Otherwise the box is split at a border between two of them, where both halves lose most, by
//     the product of what the trees lose that lose their best leaf. The half in which more can be
//     won comes first. Only trees that test the feature of the split look for their leaf anew.
//
// Questions about one input come one after the other, and their boxes differ in few features. So
// the splits of one question are tried again in the next: where a box was split before, it is split
// in the same place. That costs nothing to choose, and what was closed is closed again mostly.
//
// # Invariants
//
//   - A sum is added anew for each box, and closes it only by what rounding in any order may hide.
//   - What the package finds is proven in either case. [Open] says that it does not know: that a
//     limit ended it, or that the best leaves meet within what rounding may hide, or where no
//     input lies. The search of package boxtree then decides.
//   - Answers depend on the questions asked before only by the example.
//
// # Example
//
// Two trees add 1 where x0 > 1, and 1 where x0 ≤ 0; label 1 wins from 2 on. In a box with both
// leaves the best ones add up to 2, but are disjoint in x0. Below the split at 0 the first tree is
// lost, and above the second one: both halves are closed, so that the box forces label 0.
package forced
