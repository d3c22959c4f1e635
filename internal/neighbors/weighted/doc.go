// Package weighted searches for the nearest input that distance-weighted k-nearest
// neighbours give another label.
//
// # Use
//
//	table, err := neighbors.New(ctx, rows, labels)
//	model := weighted.New(table, 3) // of three neighbours
//	q := search.Query{
//		X: x, From: label, Target: -1, // any label but that of x
//		Cost: geometry.In(polytope.L2), Solver: native.Solver{},
//	}
//	s := model.Search(q, orderk.New(table, 3, q)) // plain votes give it a first answer
//	found, err := bestfirst.Run(ctx, s, bestfirst.Limits{Workers: 2})
//	fmt.Println(found.Answer.Example, found.Bound, found.Complete)
//
// # Terms
//
// The k rows nearest to an input z are its neighbours; each adds 1/‖z−p‖ to the sum of its
// label, and the largest sum wins. Rows at one point form a group, which counts as one:
// its nets of two labels cancel exactly. P is a row's displacement from the query X, and
// u = z − X. A goal is a label that would answer the query and the rivals that its
// sum must beat. A span is the interval of a group's squared distances from a box.
//
// # Method
//
// The label is not constant on the cells of any finite set of convex cells, so the
// distance is bounded in two ways, and examples are looked for on their own.
//
// Without boxes (boundsWithoutBoxes): of the neighbours of an answer either so many hold
// other labels than X's that the uniform vote leaves it too; the search of package orderk
// bounds those. Or X's label has as many neighbours as the winner, and the winner's
// nearest row must be near enough to outweigh them; in that case Σ D/d_j is at most the
// winner's votes, which is a convex set for one vote and lies in one for more, whose
// nearest point cutting planes find (ratioNode). The two fronts advance in turn, the lower
// first.
//
// With boxes (node), where these do not meet the best example: a box of displacements is
// dropped where the spans show that every goal is lost. When few sets of neighbours
// are possible each becomes a node of its own, in which the margin Σ net/‖u−P‖ is bounded by
// a linear function (addCut), and the closest point under it and the bisectors around the
// set bounds the node. Otherwise, and until bound and example meet, it is split.
//
// Examples: the way from X to near rows of the wanted labels is searched for the first
// change, and a descent solves for the closest point of its order-k cell under the
// tangents of the sums, in turn (descend). In a node the same Newton steps start from its
// closest point (polish).
//
// When there is no example the boxes end at a horizon of 16 times the extent of the data.
// Beyond it the growth of the sums rules answers out (addFarCut), or the box grows.
//
// # Invariants
//
// Every bound is rounded down: displacements carry the error of their subtraction (pads),
// sums of weights and cuts that of their terms. An answer is final within 2⁻³⁰ of its
// distance, or of the extent of the data (finalShare). Boxes have an absolute floor of
// that size: one that may still hold answers there ends the search with its bound, proven
// or not. So touching sums and sets thinner than the floor may hold the bound down, never
// up. Coordinates are squared and cubed in units of the search (unit), so that they neither
// overflow nor lose digits.
//
// # Example
//
// Rows of label 0 at (−1,0), (0,2) and (0,−2), of label 1 at (4,0) and (9,0); k = 3, X the
// origin, ℓ2. From u = 1.5 on the row at 4 is a neighbour, beside two of label 0, and the
// uniform vote stays 0. Its one vote wins where D/d₁ + D/d₂ ≤ 1 for the two nearest of
// label 0: that set's nearest point, by cuts, is (2.4274, 0), which the way towards (4,0)
// shows as well, and no box is needed (testdata/without_boxes.txt). Two votes of five that
// beat three are bounded too low by ratios: testdata/boxes.txt goes on with boxes.
//
// Sources: Dudani, "The distance-weighted k-nearest-neighbor rule", IEEE Transactions on
// Systems, Man, and Cybernetics 6 (1976); Kelley, "The cutting-plane method for solving
// convex programs", Journal of SIAM 8 (1960); Falk and Soland, "An algorithm for separable
// nonconvex programming problems", Management Science 15 (1969) (boxes and linear bounds).
package weighted
