// Package bipartite finds lightest vertex covers of bipartite graphs, by largest
// matchings and, where vertices have weights, by largest flows.
//
// # Definitions
//
// A bipartite graph has left vertices 0..Left()−1, right vertices 0..Right()−1 and
// edges that join a left vertex to a right one. A vertex cover is a set of vertices
// that holds an end of every edge. Left vertex u supplies as many units as it weighs,
// right vertex v takes as many as it weighs, and along an edge any amount may flow. With
// weights of 1 a flow is a matching: a set of edges without a common vertex.
//
// # Method
//
// A cut of this network that is not infinite is a vertex cover, and its capacity the
// weight of the cover, so that as much flows at most as a lightest cover weighs (Ford and
// Fulkerson; for matchings Kőnig). [Maximum] finds a largest flow, [CoverOf] the cover
// that goes with it: with Z the vertices that the supply left over reaches along edges
// and against the flow, the left vertices outside Z and the right ones in Z. Flow and
// cover prove each other optimal. Many flows may be largest, and the one that is found
// depends on the order of the edges, but Z is the same for all of them, and so is the
// cover.
//
// A flow grows along augmenting paths: from a left vertex with supply along an edge,
// back against something that flows, along an edge, …, to a right vertex with demand. A
// phase gives every vertex a level, the length of the shortest way to it, and augments
// along paths of the least length until there is none. Invariant: in a phase the
// levels stay as they are, paths go up one level a step, and an edge that has led nowhere once
// never leads anywhere again.
//
// Before the phases, lists of few edges are peeled: a vertex with one neighbour sends there, or
// takes, as much as it can, which some largest flow does; vertices that are used up then leave
// others one neighbour. On sparse graphs the phases have next to no work left.
//
// For example let left vertices 0 and 1 both supply 1 unit, right vertices 0 and 1 take
// 1, and 0–0, 0–1 and 1–0 be the edges. The first phase lets 1 flow along 0–0. Vertex 1
// then has supply, and the shortest path from it runs along 1–0, back to 0, and along
// 0–1. Afterwards no supply is left, Z is empty, and the cover is both left vertices.
// testdata/transcript.txt has a longer example, step by step.
//
// Weights are integers, so that sums are exact.
//
// # Conventions
//
// A [Graph] is asked for neighbours and need not store an edge; [Lists] and [Matrix] do.
// A flow stores the edges that it uses. Nothing recurses: a path may be as long as the
// graph. The searches ask the context once in 8 calls of Find and return its error,
// wrapped, when it is done. A graph is the workspace of a search and serves one at a time.
//
// # References
//
// E. A. Dinic: Algorithm for solution of a problem of maximum flow in a network
// with power estimation. Soviet Mathematics Doklady 11 (1970), 1277–1280.
//
// J. E. Hopcroft, R. M. Karp: An n^{5/2} algorithm for maximum matchings in
// bipartite graphs. SIAM Journal on Computing 2 (1973), 225–231,
// doi:10.1137/0202019.
//
// A. Efrat, A. Itai, M. J. Katz: Geometry helps in bottleneck matching and
// related problems. Algorithmica 31 (2001), 1–28, doi:10.1007/s00453-001-0016-8.
//
// R. M. Karp, M. Sipser: Maximum matchings in sparse random graphs. FOCS 1981,
// 364–375, doi:10.1109/SFCS.1981.21.
//
// L. R. Ford, D. R. Fulkerson: Maximal flow through a network. Canadian Journal
// of Mathematics 8 (1956), 399–404, doi:10.4153/CJM-1956-045-5.
//
// D. Kőnig: Gráfok és mátrixok. Matematikai és Fizikai Lapok 38 (1931),
// 116–119.
package bipartite
