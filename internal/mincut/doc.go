// Package mincut finds lightest vertex covers of bipartite graphs with weights,
// by largest flows.
//
// # Definitions
//
// Every left vertex u supplies up to left[u] units, every right vertex v takes up
// to right[v], and along an edge any amount may flow. A cut of this network that
// is not infinite is a vertex cover, its capacity the weight of the cover, so that
// the value of a largest flow is the weight of a lightest cover (Ford and
// Fulkerson). Weights are integers: sums are exact. Weights too long for an int64 are
// given digit by digit, and Refine continues from one flow to the next.
//
// # Conventions
//
// The graph is a matching.Graph, which need not store an edge; a flow keeps only
// the edges it uses. Vertices of weight 0 may as well not be there. With weights
// 1 a flow is a matching and [CoverOf] is that of package matching.
//
// # References
//
// L. R. Ford, D. R. Fulkerson: Maximal flow through a network. Canadian Journal
// of Mathematics 8 (1956), 399–404, doi:10.4153/CJM-1956-045-5.
//
// E. A. Dinic: Algorithm for solution of a problem of maximum flow in a network
// with power estimation. Soviet Mathematics Doklady 11 (1970), 1277–1280.
//
// H. N. Gabow: Scaling algorithms for network problems. Journal of Computer and
// System Sciences 31 (1985), 148–168, doi:10.1016/0022-0000(85)90039-X.
package mincut
