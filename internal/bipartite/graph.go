package bipartite

// Graph is a bipartite graph that is asked for neighbours one at a time and
// need not store an edge. A search gives every right vertex a level, and takes
// right vertices out as it is done with them. Graphs keep the state of one search
// and serve one goroutine.
type Graph interface {
	Left() int  // number of left vertices
	Right() int // number of right vertices

	// Begin puts all right vertices in: vertex v at levels[v], or nowhere, out of
	// Find's sight, if that is negative. Without levels all of them are at 0.
	Begin(levels []int32)

	// Find returns a neighbour of u at level least or above, or None. Until the next
	// Begin, least must not shrink from one call for u to the next.
	Find(u, least int32) int32

	// Drop takes v out until the next Begin.
	Drop(v int32)
}

// None stands for no vertex.
const None int32 = -1
