// Package boxtree is the search over boxes of threshold intervals: it finds the nearest input that
// a vote of axis-parallel trees labels otherwise, which boxes force a label, and the largest sum
// that trees have in a region.
//
// # Use
//
//	vote, err := trees.NewEnsemble(members, trees.Vote{Rule: trees.Hard})
//	model := boxtree.NewModel(vote) // once, for all queries
//	q := search.Query{
//		X: x, From: label, Target: -1, // any label but that of x
//		Cost: geometry.In(polytope.L2),
//	}
//	s, err := boxtree.New(model, q)
//	found, err := bestfirst.Run(ctx, s, bestfirst.Limits{Workers: 2})
//	fmt.Println(found.Answer.Example, found.Bound, found.Complete)
//
// # Nearest answer
//
// Deciding whether an answer lies within a radius is NP-hard (Kantchelian, Tygar and Joseph, ICML
// 2016). The search is branch and bound over boxes of intervals (package grid), with the leaves
// that a box leaves to each tree, as in Devos, Meert and Davis, "Versatile verification of tree
// ensembles" (ICML 2021), but by distance:
//
//  1. A local search finds a first answer (package climb), and in large searches in ℓ1 and ℓ2 a
//     nearer one from there.
//  2. Nearer answers lie in the ball up to it. The leaves of every tree that meet the ball
//     are gathered, once; all boxes lie in it.
//  3. A box is bounded by the radius from which on the best leaf of every tree within that
//     radius, each tree on its own, could win all margins of a label.
//  4. If these leaves have a common point at that distance, it is the answer of the box. If no
//     point is common, the box is split at a border between two of them, where both halves lose
//     most; if it is farther, the box is split toward it.
//
// Of many trees, or deep ones, the best leaves agree so little that these bounds are weak. A search
// with many choices ([manyPairs]; that is known at the root) bounds its nodes by potentials as
// well, a Lagrangian decomposition over the features: see package potentials. In ℓ1 and ℓ2 trees
// share the price of moving, too; many of these searches end soon without, so they begin with them
// at a depth ([lateStart]), or before, in smaller searches too, where bounds grow so slowly that
// many levels lie ahead: every node on the way down is asked.
//
// In ℓ1 and ℓ2 the first potentials of a branch may bound it by little, as in random forests. Then
// the choices that meet it are gathered anew, in groups of several trees ([opener.join]), and
// potentials begin again: leaves of one group exclude each other, and are farther together than
// each is.
//
//  5. A node inherits the potentials of the node it was split from, and sweeps them a few times.
//     They say where to split: where the trees lose most on both sides. Leaves that cannot win any
//     more are left out, and the box shrinks to the others, without outer intervals of a feature
//     where the trees cannot win together.
//  6. In ℓ∞, potentials for the leaves within a distance refute it fast when no answer is that
//     near, and are of little use when there are some. So a node is divided by distance, too: its
//     nearer half is refuted, or searched, and the farther one waits with the distance of the
//     nearer for its bound. Nothing beyond the nearest answer is ever opened, however bad the first
//     one was.
//  7. At the root, and in every sixteenth node on the way from there, a local search starts
//     where each feature allows the largest sum.
//
// A node with potentials takes 12 bytes for each leaf that it meets and 16 for each range of one:
// 30 kB in a forest of 200 trees of depth 8, up to 1 MB with 1000 of depth 10. It keeps them until
// it is opened, as a [search.Cache]: where memory is short the nodes that would be opened last lose
// them, and compute them again, narrowed and swept as at first, from the first ones of their path.
//
// # Boxes that force a label
//
// Whether every input of a box has the label of X is decided ([Decider]) by a depth-first search
// for an input of each other label, at any distance:
//
//  1. Within a box every tree has a best leaf, the one of those that meet the box which adds most
//     to the margin of the other label. If even these do not win together, the box is closed.
//  2. If they have an interval of each feature in common, an input there is asked for its label.
//  3. Otherwise the box is split where the search for the nearest answer would split it. The half
//     in which more can be won comes first.
//
// Questions about one input come one after the other, and their boxes differ in few features. So
// the splits of one question are tried again in the next: where a box was split before, it is split
// in the same place. That place is free to choose, and halves that were closed mostly are closed
// again.
//
// Either verdict is proven. [Open] says that a limit ended the search, or that the best leaves meet
// within an error that rounding may hide, or where no input lies. Answers depend on the questions
// asked before only by the example.
//
// # Largest sum
//
// Which sum in a region is the largest ([Sums]) is NP-hard to decide as well. The node with the
// largest bound comes first:
//
//  1. Within a box every tree has a best leaf. Added up in the order of the trees, with the
//     rounding of the model, they bound all sums of the box: rounding keeps the order of numbers.
//     So this bound has no slack, and is the model's own sum where the best leaves meet.
//  2. If they meet, an input where they do attains the bound, and the box is solved.
//  3. Otherwise potentials bound the box more tightly, over the real numbers; the most that
//     rounding may add is added. They say where to split, and where a local search starts.
//  4. Boxes that are bounded by the largest sum known are dropped.
//
// Sums are compared as the model adds them: the end that is found is that of the model's outputs,
// to the last bit. A region is one of real numbers, its ball exact. A box is dropped only if no
// real number in it has a larger sum than an input that was found, or if it holds no float64, and
// then its bound is part of the result. Each search runs in one goroutine.
//
// The searches for sums have one loop ([finder]), and an objective for each question. Its queue is
// that of package bestfirst. Its loop is not: bestfirst orders distances, which are not negative,
// and calls an answer proven within a tolerance, where an end of sums is proven to the last bit.
//
// The same search finds an input at which none of several sums is negative, or proves that there is
// none ([Sums.Satisfy]): the largest sum is then that of a mixture of them, which is not negative
// where none of them is, and a box is dropped once one of them is negative everywhere in it.
//
// # Terms
//
//   - border, interval, box, gap, reach: those of package grid.
//   - choice, group: a leaf within the ball, and those of one tree, or one leaf of each of several
//     trees that are joined. Its ranges are the spans that differ from the ball's.
//   - target, margin, gain: a label that answers; by how much it beats another; the number that a
//     leaf adds to that.
//   - region: the box that is looked at, and the choices that meet it. A cut can be undone. Of one
//     margin, choices lie in memory by their gains, so that the best one that meets the box is the
//     first member of a set of bits.
//   - crossing: where a margin could be won, and the best choices there.
//
// # Invariants
//
//   - Those of package grid: intersections are exact, and distances are rounded down.
//   - A margin counts as won with less than a tie by the error that rounding in any order may hide.
//   - Orders are ranges, halved from a node to its halves: which answer comes first does not
//     depend on the workers.
//   - Only the time depends on the node that was looked at before: its reach is summed anew, and
//     its choices are the same.
//
// # Sets
//
// A tree may ask for a set of intervals of a feature, as models with categories do. Boxes stay
// products of spans, and so do splits. A choice below such a test has its set besides the span from
// the first interval of it to the last: a choice is taken where none of the set meets the box. The
// best choices may have no interval of a feature in common though their spans have; then the box is
// split behind an interval by the shares of their sets that both halves lack. No potentials are
// used, which know spans alone.
//
// # Proofs
//
// A node that was opened below the proven bound is a split of the proof, every other one a leaf
// ([boxSearch.Prove] says why). So a proof needs no more than a trace of the opened nodes, and no
// bound is calculated twice. But potentials are for the distances of the search, not for the bound
// in the end: a label whose search used them is proven anew, depth first by potentials for the
// bound (package boxproof). In ℓ1 and ℓ2 proofs have none, and a search that is traced uses none.
//
// # Rules of moves
//
// Under rules of moves gaps are prices (package grid), and the trees may be over codes instead of
// values (package encode); the search is the same. The values decide which inputs a box has, and
// whether they answer.
//
// # Linear rules
//
// Linear rules tie features together (package tied): the nearest point of a box may keep none. Then
// a box is bounded by the cheapest values that keep them, too, and an intersection of best choices
// answers by its own closest input, which may lie farther than the bound: then the box is split
// beside the point that its program has found, until the intersection is all of it. Distances lie
// between those of intervals, so nodes are not divided by distance. Where the first local search
// ends in a cell that keeps no rules, others pin the features that are tied to intervals that do.
//
// # Several models
//
// Models that an answer has to suit together ([Model.Join]) are parts of one: their trees vote over
// one grid, and a target has a label of each part, and the margins of all of them. The gains of
// each part are scaled by a power of two, so that margins are of a size. A box is bounded by the
// radius from which on each part could win on its own. Where the best leaves of the part that needs
// most meet, those of all parts together may not: the box is split where the parts lose most, in
// terms of their greatest losses. Potentials are those of the part that needs most at the root.
// Distances by which nodes are divided are those of leaves of any part.
//
// Of a quorum so many parts have to win, whichever they are: a box is bounded by the radius from
// which on so many of them could, and closed where fewer can. The best leaves of those count that
// could win most surely there; where they meet, that answers, for all sums of the others.
// Potentials are those of a part that has to win.
//
// # Example
//
// Three trees vote on (x0, x1). X = (0, 0) is labelled 0; label 1 needs two trees of
//
//	x0 > 1,  x1 > 2,  x0 ≤ −1.5
//
// In ℓ1 a local search finds (1, 2), at 3. From radius 1.5 on the first and the third tree could
// vote for 1: that is the bound of everything. No x0 suits both, so the box is split at −1.5. On
// the left the first tree is lost, and the two others agree nowhere nearer. On the right the third
// is lost; the two others could win from 2 on, but are together only at 3. Splitting once more
// proves it. testdata/three_trees.txt shows every step.
package boxtree
