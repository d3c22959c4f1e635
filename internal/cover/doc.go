// Package cover finds heaviest independent sets, the complements of lightest
// vertex covers, of graphs of some thousand vertices by branch and bound.
//
// # Method
//
// Vertices with the same neighbours are merged first: an independent set may as
// well hold all of them as one. A node of the search takes vertices that are no
// lighter than all their neighbours together, falls apart into its components, is
// bounded by cliques, and otherwise branches on the vertex with the heaviest
// neighbourhood.
//
// The bound is a packing of cliques: amounts y_K for cliques K with Σ y_K ≤ w_v
// over the cliques that hold v. An independent set has at most one vertex of a
// clique, so that it weighs at most Σ w_v − Σ (|K|−1)·y_K.
//
// # Conventions
//
// Weights are integers ≥ 0 whose sum is an int64. Nothing is random: the answer
// depends on the graph and the limits alone, unless a context ends the search.
package cover
