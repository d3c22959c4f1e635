// Package oblique searches oblique decision trees and votes of them for the nearest input
// with another label. Their tests compare a sum of features with a threshold, so that
// leaves are intersections of half-spaces.
//
// # Use
//
//	model, err := oblique.NewModel(members, trees.Vote{Rule: trees.Hard}) // once
//	q := search.Query{
//		X: x, From: label, Target: -1, // any label but that of x
//		Cost: geometry.In(polytope.L2), Solver: native.Solver{},
//	}
//	s := oblique.New(model, q)
//	found, err := bestfirst.Run(ctx, s, bestfirst.Limits{Workers: 2})
//	fmt.Println(found.Answer.Example, found.Bound, found.Complete)
//
// # Terms
//
// The test of an inner node is a direction and a border on its line, see [trees.Split].
// All different borders of a direction in a [Model] lie on one line, which they cut into
// elementary intervals. A leaf is an interval for each direction that is tested above it, and so is
// a region of the search: whether a leaf and a region agree on a direction is a
// comparison of integers. How directions meet is for a program to find out, which asks
// for the closest point of a polyhedron.
//
// # One tree
//
// A hard vote of one tree is the tree. A node of the search is a node of the tree. It is bounded by
// the half-space of its last test, and by a program for all of its tests when its turn comes. A
// child that holds the closest point of its parent has the same.
//
// # Votes
//
// A node is a set of decided tests, and its candidates are the leaves that meet their
// region. Each has a lower bound on its distance within the region: that of its farthest
// half-space at first. Within a radius a tree can choose among the candidates that are not
// bounded beyond it; the sum of the best gains of all trees, a step function of the
// radius, crosses the need of a margin at a radius below which the region holds no answer.
// The candidates that are best there, one of each tree, are asked for their distance
// within the region by a program, unless they hold its closest point, until none of them
// raises that radius. If they have a common point at that distance, it is the answer of
// the region. Otherwise the region is divided by the side of one of them that its closest
// point misses most.
//
// # Invariants
//
// A candidate that is dropped does not meet the region within the cutoff. A child has the
// candidates of its parent, their bounds included, since its region is smaller. Bounds are
// those of programs or rounded down. The children of a node depend on the node and
// the cutoff alone, and answers are ordered by their paths. Examples reach their leaves
// however sums are rounded, if the cell is wide enough for that.
//
// # Proofs
//
// A proof has the divisions of the nodes that were opened below the proven bound, and leaves out
// the leaves that the search found far from them. Multipliers are not recorded: a program is solved
// again where counting votes does not do, and exact arithmetic checks its bound.
//
// # Example
//
// Two trees vote for label 1 where x₀+x₁ > 1 and where x₀−x₁ > 1; from the origin label 1
// needs both votes. Either leaf is 1/2 away in ℓ∞, and so no answer is nearer. But they
// meet only at distance 1: the search decides x₀+x₁ > 1, and within that half-space a
// program puts x₀−x₁ > 1 at distance 1. testdata/votes.txt has it step by step.
//
// # Sources
//
// Linear decision trees are those of appendix A of the paper (arXiv:1906.03310). Best-first
// search over the leaves that each tree can still reach is that of Devos, Meert and Davis,
// "Versatile verification of tree ensembles" (ICML 2021), with distances for priorities
// and polyhedra for boxes.
package oblique
