// Package cover finds heaviest independent sets, the complements of lightest
// vertex covers, of graphs of some thousand vertices by branch and bound.
//
// # Method
//
// Vertices with the same neighbours, twins, are merged first: an independent set may as
// well hold all of them as one. A node of the search takes vertices that are no
// lighter than all their neighbours together, falls apart into its components, is
// bounded by cliques, and otherwise branches on the vertex with the heaviest
// neighbourhood: sets with that vertex first, then sets without it.
//
// The bound is a packing of cliques: amounts y_K for cliques K with Σ y_K ≤ w_v
// over the cliques that hold v. An independent set has at most one vertex of a
// clique, so that it weighs at most Σ w_v − Σ (|K|−1)·y_K.
//
// For example let all vertices of the circle 0–1–2–3–4–0 weigh 1. No vertex is as heavy as
// its two neighbours, and the cliques are edges: 0–1 and 2–3 carry 1 each, so that a set
// weighs 5 − 2 = 3 at most. With vertex 0 its neighbours 1 and 4 go, and one of 2 and 3 is
// taken: 2 in all. Without vertex 0 a path is left, of which 1 and 3 are taken: no more.
// testdata/transcript.txt has a longer example, step by step.
//
// # Invariants
//
// A node is a set of vertices and the weight that a set within it has to exceed; it returns a
// heavier set, the heaviest unless the search was stopped, or none. The weight of vertices that are
// taken, and the losses of components against their bounds, are counted off that weight, so that no
// node knows of others.
//
// # Conventions
//
// Weights are integers ≥ 0 whose sum is an int64. No choice is random: the answer
// depends on the graph and the limits alone, unless a context ends the search.
//
// # References
//
// L. Babel: A fast algorithm for the maximum weight clique problem. Computing 52 (1994),
// 31–38: the same bound, in the complement of the graph.
package cover
