// Package nearest searches for the nearest input that 1-nearest-neighbour classification
// gives another label.
//
// # Use
//
//	table, err := neighbors.New(ctx, rows, labels)
//	q := search.Query{
//		X: x, From: label, Target: -1, // any label but that of x
//		Cost: geometry.In(polytope.L2), Solver: native.Solver{},
//	}
//	s := nearest.New(table, q)
//	found, err := bestfirst.Run(ctx, s, bestfirst.Limits{Workers: 2})
//	fmt.Println(found.Answer.Example, found.Bound, found.Complete)
//
// # Method
//
// A candidate is a row with a label that answers the query, a rival a row with any other
// label. An input answers as soon as some candidate is nearer than every rival.
// Bisectors between candidates only cut such sets into pieces, so they are left out: the
// answer is the minimum, over the candidates j, of the distance to the cell
//
//	{z : ‖z−x_j‖ ≤ ‖z−x_i‖ for all rivals i}.
//
// The search is best first. Its nodes are
//
//   - the nodes of the k-d trees that hold the candidates, bounded by the nearest rival, those of
//     them together that are bounded so little that all will have a turn;
//   - candidates, bounded first by the nearest rival, then by the 32 nearest;
//   - the other rows of a leaf of which some are bounded within the horizon;
//   - candidates whose turn still comes: X is projected on their cell by a Solver, which
//     asks for the bisectors that its point violates (cell.Separate).
//
// For a rival i the bisector lies at distance (‖x−x_j‖² − ‖x−x_i‖²) / (2‖x_i−x_j‖_q), q
// dual to the norm, which is the bound; over a box of candidates it is the smallest
// numerator over the largest denominator.
//
// On the way to a near candidate the nearest rivals say where an answer begins. That distance is
// foreseen, and steps from a part of it on are horizons: rows that are bounded beyond the next one
// wait together, and are nodes of their own only if the search gets that far. No bound rests on it,
// so it may be wrong.
//
// The projection lies on the border of the cell. The candidate itself lies inside, so a
// step towards it is the example (witness), first one with a margin that rounding cannot
// take away.
//
// Where a radius is all that is asked (search.Query.Any), candidates and rivals first play for X
// (neighbors.Table.PlayFictitiously): any answer within the radius will do. Where any input will
// do, candidates are taken into the domain first, and lines are followed through it
// (AnswerAnywhere). If that finds no answer, one pass leaves out the candidates that a few rivals
// or a sum of bisectors bound beyond the radius (neighbors.Refuter), and the others become nodes.
//
// # Invariants
//
// The order of a candidate is its row, that of a tree node 0. The children of a node
// depend on the node alone, apart from those that the cutoff leaves out. A candidate
// with an equal rival before it is never nearest and has no cell. Where a solver finds
// that bisectors contradict each other, exact arithmetic must agree; otherwise the node
// stays undecided.
//
// # Proofs
//
// A proof of the bound is made of the bound and the table: package neighborproof refutes each
// candidate anew that the near rivals leave.
//
// # Example
//
// Candidates at (4,0), (3,−2) and (8,1), rivals at (1,0), (3,3) and (−1,−2), X at the origin,
// ℓ∞. The nearest rival (1,0) bounds the candidates by 2.5, 1.5 and 4. The second has its
// turn, all rivals leave its bound at 1.5, and so does its projection (1.5, −1.5). The
// others are bounded beyond it: four nodes and one program prove the distance.
// testdata/six_rows.txt has the steps.
//
// Sources: Yang, Rashtchian, Wang and Chaudhuri, "Robustness for non-parametric
// classification", AISTATS 2020 (the cells); Wang, Liu, Yi, Zhou and Hsieh, "Evaluating the
// robustness of nearest neighbor classifiers: a primal-dual perspective", 2019 (bisectors as
// bounds).
package nearest
