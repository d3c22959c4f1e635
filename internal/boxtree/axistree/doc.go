// Package axistree finds the nearest input that one axis-parallel tree labels otherwise.
//
// # Use
//
//	tree, err := trees.NewAxis(dim, trees.AtMostFloat64, nodes)
//	q := search.Query{
//		X: x, From: label, Target: -1, // any label but that of x
//		Cost: geometry.In(polytope.L2),
//	}
//	s := axistree.New(tree, q)
//	found, err := bestfirst.Run(ctx, s, bestfirst.Limits{Workers: 2})
//	fmt.Println(found.Answer.Example, found.Bound, found.Complete)
//
// # Method
//
// A search from X is a walk from the root, nearest box first: a node of the search is a node
// of the tree, bounded by the distance to the inputs that reach it. Distances are in closed
// form, rounded down, and no program is solved. In ℓ∞ the distance of a node is the largest
// of those that the tests above it add one by one; in ℓ1 and ℓ2 the features on its path
// count.
//
// # Invariants
//
//   - A node without inputs in the domain is never opened, and a leaf only if its label answers.
//   - A node is bounded no lower than its parent, and never above an input that reaches it.
//
// # Example
//
// A tree tests x0 ≤ 1, and beyond that x1 ≤ 2; only x0 > 1, x1 > 2 is labelled 1. From the
// origin, in ℓ2, the root is at 0, its right child at 1, and the leaf of label 1 at √5: the
// answer is (1, 2), or the part of it beyond both borders. testdata/two_tests.txt shows
// every step.
package axistree
