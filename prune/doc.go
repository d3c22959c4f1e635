// Package prune removes training rows so that those of different labels end up
// far apart, which makes whatever classifier is trained on the rest more robust.
//
// # Overview
//
// [Adversarial] is adversarial pruning: it keeps as many rows as can be kept
// with differently labelled ones more than 2R apart. It needs no classifier and
// works before training. A [Pruner] answers with row numbers, so that the caller
// picks the rows out of whatever holds them.
//
// # Definitions
//
// Two rows conflict when their labels differ and their distance is at most 2R,
// the bound included; the distance is the float64 that polytope.Norm.Distance
// returns, and 2R is the float64 2*Radius. Kept rows of different labels are
// thus strictly farther apart than 2R, and rows at exactly 2R are not both kept.
// To let them be, use a radius one step smaller, math.Nextafter(R, 0).
//
// Duplicates of a row with the same label never conflict with each other; with
// different labels they conflict at every radius, 0 included.
//
// # Exactness
//
// Rows and conflicts form a graph. What is removed has to be a vertex cover of
// it, and the fewest removed rows are a smallest one. Two labels make the graph
// bipartite, where a smallest vertex cover follows from a largest matching by
// König's theorem, so the number of kept rows is the optimum and not a
// heuristic's.
//
// Several sets may be largest. The one that is returned is fixed by the data: of
// all largest sets it has the fewest rows of the larger label, and there is just
// one such set. It depends neither on the order of the rows nor on the number of
// processors.
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
// section 3.
//
// J. E. Hopcroft, R. M. Karp: An n^{5/2} algorithm for maximum matchings in
// bipartite graphs. SIAM Journal on Computing 2 (1973), 225–231,
// doi:10.1137/0202019.
//
// D. Kőnig: Gráfok és mátrixok. Matematikai és Fizikai Lapok 38 (1931),
// 116–119.
package prune
