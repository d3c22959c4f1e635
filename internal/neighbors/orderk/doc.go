// Package orderk searches for the nearest input that the vote of k > 1 nearest neighbours
// gives another label.
//
// # Use
//
//	table, err := neighbors.New(ctx, rows, labels)
//	q := search.Query{
//		X: x, From: label, Target: -1, // any label but that of x
//		Cost: geometry.In(polytope.L2), Solver: native.Solver{},
//	}
//	s := orderk.New(table, 3, q) // of three neighbours
//	found, err := bestfirst.Run(ctx, s, bestfirst.Limits{Workers: 2})
//	fmt.Println(found.Answer.Example, found.Bound, found.Complete)
//
// # Terms
//
// A supporting row has a label that answers the query, a rival any other. The k neighbours of an
// answer hold at least so many supporting rows as are required (neighbors.Quota), so some
// supporting row, the pivot, is the last that is required, and at most as many rivals as are
// allowed beside those, k less those that are required, are nearer. A partner is a supporting row
// that comes before the pivot; members are the k neighbours, outsiders all other rows.
//
// # Method
//
// A node is a pivot and decisions on other rows: rivals that come before the pivot
// (as many as are allowed at most), rivals that do not, partners, members and outsiders. Each
// decision is one bisector, those of the first kind once a point violates them, and the point X+u
// nearest to X that satisfies all of them bounds the node. It costs one program, warm-started from
// the node above. At X+u the rows before the pivot are counted (countBefore):
//
//   - too many rivals: one of the deepest, one more than are allowed, must come after the pivot;
//     the first of them that does makes a node (branchOnRival), and those before it precede the
//     pivot;
//   - too few partners: others must come before it (branchOnPartner). The rows that may are
//     bounded one by one and put in the order of these bounds; a node has one of them come before
//     the pivot, and for the rest that it still needs none behind that one;
//   - neither: with two classes the point answers. With more, or where the k nearest rows
//     tie with others that come first, some member must leave (branchOnMember),
//     and another row overtake it (branchOnOutsider).
//
// Where both of the first two hold, the one whose nodes are bounded better is made. Nodes
// are bounded one constraint ahead before they are solved (opener.ahead). Where three partners
// are missing, two rows ahead of the one that makes a node must do as well, so the first two rows
// make none, and where no three are bounded within the answer so far there is no node at all; the
// nodes below look at no rows but those. Rows are bounded a few at a time, in the order of bounds
// that hold for the node above, or for the pivot under all other decisions (partnerBranch,
// outsiderBranch). The nodes are exponentially many in k in the worst case.
//
// The first node looks for a first answer between X and supporting rows, and gathers the rows that
// matter within its distance (candidateSet). From one node in 64 the search dives for a better
// answer. Where three rows are required, 512 nodes tell easy searches from hard ones, and half as
// many where four are: then sets of rows are decided about in place of the nodes that wait
// (settle), from better first answers on.
//
// Where a radius is all that is asked (ask), any answer within it will do. Where any input will do,
// supporting rows are taken into the domain first, and lines are followed through it
// (AnswerAnywhere). Where many supporting rows may matter, they and rivals play for X first
// (neighbors.Table.PlayFictitiously). If that finds no answer, supporting rows and pairs of them
// that sums of bisectors bound beyond the radius (neighbors.Refuter) are no candidates, or no
// partners. The rest is decided without nodes if it is little (decision), as hard searches are:
// each set of as many rows as are required has a program, which takes the bisectors with rivals
// that its point violates. Where it leaves no point within the radius, its multipliers name the
// rows and the few rivals that show it, a conflict. All sets of these rows have it, and one of its
// rivals must be allowed. Where more conflicts than that share no rival, or no rivals as few as may
// be allowed take part in all, the set is refuted. A point before which no more rivals than allowed
// come is an answer, once the bisectors have a margin. Sets that this leaves open, as votes of
// several labels may, are searched.
//
// # Invariants
//
// Siblings share the inputs of their parent among them: each decides one row more than the sibling
// before it, the other way round, or leaves the rest to it, which needs no row more. Orders are
// ranges; a node takes those of its pivot and hands them on, so that the order of answers is that
// of their paths. Rows count as before one another only by more than rounding; on a tie neither
// does (comesBefore). Decisions hold for all rounding errors (rank).
//
// # Proofs
//
// A proof of the bound needs no record of the search: package neighborproof refutes each pivot
// anew, depth first, with decisions of the same kinds, and decides exactly.
//
// # Example
//
// Rows of label 0 at (−1,0), (1,2) and (1,−2), of label 1 at (4,1), (5,−1), (6,2) and (9,9);
// k = 3, X the origin, ℓ2. Two rows are required, one rival is allowed. The first answer
// lies at 2.547 and leaves two pivots, (4,1) and (5,−1), which is bounded by 2.1. For
// (5,−1) with (1,−2) before it and (1,2) after it, the point nearest to X has
// (−1,0) before the pivot as well; that it comes after is one more constraint, and the
// solution at 2.140 has two rows of label 1 and one rival: the answer. The nodes of the
// other pivot are bounded by 2.25. testdata/two_labels.txt has the steps,
// testdata/three_labels.txt those of a search that branches on members.
//
// Sources: Yang, Rashtchian, Wang and Chaudhuri, "Robustness for non-parametric
// classification", AISTATS 2020 (order-k cells); Land and Doig, "An automatic method of
// solving discrete programming problems", Econometrica 28 (1960) (branch and bound);
// Goldfarb and Idnani, Mathematical Programming 27 (1983) (the programs' dual method).
package orderk
