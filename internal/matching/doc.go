// Package matching finds largest matchings and smallest vertex covers of
// bipartite graphs.
//
// # Definitions
//
// A bipartite graph has left vertices 0..Left()-1, right vertices 0..Right-1
// and edges that join a left vertex to a right one. A matching is a set of
// edges without a common vertex. A vertex cover is a set of vertices that holds
// an end of every edge. An alternating path leaves a left vertex by an edge
// outside the matching and a right vertex by an edge of the matching. A vertex
// that no edge of the matching meets is free.
//
// # Exactness
//
// [Maximum] finds a matching of the largest size, [CoverOf] the cover that
// König's theorem reads off it: with Z the vertices that alternating paths from
// the free left vertices reach, the left vertices outside Z and the right
// vertices in Z. Each edge of the matching needs a cover vertex of its own and
// the cover has just one per edge, so the two prove each other optimal.
//
// Many matchings may be largest and the one that is found depends on the order
// of the edges, but Z is the same for all of them, and so is the cover.
//
// # Conventions
//
// A [Graph] is asked for neighbours and may find them by any means; [Lists] is
// the one that stores them. Nothing recurses: an augmenting path may be as long
// as the graph. The searches ask the context once in 8 calls of Find and
// return its error, wrapped, when it is done. A graph is the workspace of a
// search and serves one at a time.
//
// # References
//
// J. E. Hopcroft, R. M. Karp: An n^{5/2} algorithm for maximum matchings in
// bipartite graphs. SIAM Journal on Computing 2 (1973), 225–231,
// doi:10.1137/0202019.
//
// A. Efrat, A. Itai, M. J. Katz: Geometry helps in bottleneck matching and
// related problems. Algorithmica 31 (2001), 1–28, doi:10.1007/s00453-001-0016-8.
//
// D. Kőnig: Gráfok és mátrixok. Matematikai és Fizikai Lapok 38 (1931),
// 116–119.
package matching
