// Package prune removes training rows so that those of different labels end up
// far apart, which makes any classifier that is trained on the rest more robust.
//
// # Overview
//
// [Adversarial] is adversarial pruning: it keeps as many rows as can be kept
// with differently labelled ones more than 2R apart. It needs no classifier and
// works before training. A [Pruner] answers with row numbers, so that the caller
// picks the rows out of the data; [Select] does for a matrix and its labels.
// [Defend] is the whole defence: it prunes and trains on the rows that are kept.
//
// [Adversarial.Solve] does the same for rows that stand for several, their weights, and
// returns a certificate beside the set, which [Adversarial.Verify] checks. The r-optimal classifier
// of a distribution of finitely many points (paper, section 4.1) is right about those that it
// keeps, with their probabilities for weights. [WJC] is another pruner, to compare with.
//
// # Definitions
//
// Two rows conflict when their labels differ and their distance is at most 2R,
// the bound included; the distance is the float64 that polytope.Norm.Distance
// returns, and 2R is the float64 2*Radius. A set of rows is separated if no two of
// them conflict: rows of different labels are strictly farther apart than 2R, and
// rows at exactly 2R are not both kept. To let them be, use a radius one step
// smaller, math.Nextafter(R, 0). With [Adversarial.Local] each row has a radius, and the float64
// sum of two of them takes the place of 2R. A separated set is maximal if every other row
// conflicts with one of it; all that this package returns as such are.
//
// Duplicates of a row with the same label never conflict with each other; with
// different labels they conflict at every radius, 0 included.
//
// # Exactness
//
// Rows and conflicts form a graph. The rows removed are a vertex cover of
// it, and the least that can be removed is a lightest one.
//
// Two labels make the graph bipartite, where a smallest vertex cover follows from
// a largest matching by König's theorem, and a lightest one from a largest flow.
// Several sets may be largest. The one that is returned is fixed by the data: of
// all largest sets it has the fewest rows of the larger label, and there is just
// one such set. It depends neither on the order of the rows nor on the number of
// processors.
//
// With more labels the problem is NP-hard. Its linear relaxation has solutions in which every row
// is kept, removed or half kept, found by a matching or flow with every row on both sides, and some
// optimum agrees with all that are not half (Nemhauser and Trotter). The half rows fall into
// components. One with two labels is solved as above. In the others a good set is found by taking
// the labels in turn, each time the best set of that label's rows and those kept of the others,
// which is again a problem with two labels; branch and bound with cliques then proves it optimal or
// improves it, as far as Effort or a deadline allow. The result is a set and a bound that holds for
// all sets. It depends on the data and on Effort only, unless a context ended the search.
//
// In up to three columns, few conflicts are found in a grid whose cells are as wide as they
// reach, and rows without any are kept at once. Else k-d trees find them.
//
// Dense conflicts are not stored. Lists of them are used while they are short; else
// the searches for matchings and flows look conflicts up in k-d trees, whose points
// they take out as they go, or, for some ten thousand rows of many columns, where
// trees are of little use, in a matrix of bits.
//
// # Relation to the paper
//
// The paper asks for rows "at least 2r" apart and joins rows at distance ≤ 2r;
// the second is implemented. Its tables were made with separation r in place of
// 2r: the tables' r = 0.3 is Radius 0.15 here.
//
// # Concurrency
//
// Options are plain values that pruning only reads, so one may serve many
// goroutines. Pruning itself uses GOMAXPROCS goroutines to find the conflicts.
//
// # References
//
// Y.-Y. Yang, C. Rashtchian, Y. Wang, K. Chaudhuri: Robustness for
// Non-Parametric Classification: A Generic Attack and Defense. AISTATS 2020,
// sections 3 and 4.1.
//
// J. E. Hopcroft, R. M. Karp: An n^{5/2} algorithm for maximum matchings in
// bipartite graphs. SIAM Journal on Computing 2 (1973), 225–231,
// doi:10.1137/0202019.
//
// D. Kőnig: Gráfok és mátrixok. Matematikai és Fizikai Lapok 38 (1931),
// 116–119.
//
// G. L. Nemhauser, L. E. Trotter: Vertex packings: structural properties and
// algorithms. Mathematical Programming 8 (1975), 232–248, doi:10.1007/BF01580444.
//
// A. Efrat, A. Itai, M. J. Katz: Geometry helps in bottleneck matching and
// related problems. Algorithmica 31 (2001), 1–28, doi:10.1007/s00453-001-0016-8.
//
// Y. Wang, S. Jha, K. Chaudhuri: Analyzing the Robustness of Nearest Neighbors to
// Adversarial Examples. ICML 2018.
package prune
