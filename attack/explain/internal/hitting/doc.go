// Package hitting finds sets that meet all of some sets: hitting sets of least weight.
//
// # Method
//
// Branch and bound (Reiter, "A theory of diagnosis from first principles", Artificial Intelligence
// 32, 1987, builds the same tree breadth first): of the sets that are not met yet, one with the
// fewest elements left is met by each of its elements in turn, and an element that was tried is
// left out in the branches after it. Sets without a common element each cost at least their
// lightest one: that bounds a branch.
//
// A hitting set may be asked to contain none of other sets, so that it is no larger copy of one
// that is known.
//
// # Example
//
// {0, 1}, {1, 2} and {2, 3} are met by {1, 2}, {0, 2} and {1, 3}. Where {1, 2} is known and not
// wanted, and all weigh the same, the first of the others is the answer.
package hitting
