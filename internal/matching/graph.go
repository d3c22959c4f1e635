package matching

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

	// Find returns a neighbour of u at level least or above, or Free if there is
	// none. Until the next Begin, least must not shrink from one call for u to
	// the next.
	Find(u, least int32) int32

	// Drop takes v out until the next Begin.
	Drop(v int32)
}

// Free is the partner of a vertex that the matching does not meet.
const Free int32 = -1

// Matching is a set of edges without a common vertex, as the partner of every
// vertex: Left[u] = v exactly when Right[v] = u.
type Matching struct {
	Left, Right []int32 // partners, or Free
	Size        int     // number of edges
	Phases      int     // rounds of augmentation it took to find
}

// newMatching returns the empty matching of g.
func newMatching(g Graph) *Matching {
	m := &Matching{Left: make([]int32, g.Left()), Right: make([]int32, g.Right())}
	for u := range m.Left {
		m.Left[u] = Free
	}
	for v := range m.Right {
		m.Right[v] = Free
	}
	return m
}

// join adds the edge u–v. Former partners must be joined anew by the caller.
func (m *Matching) join(u, v int32) {
	m.Left[u], m.Right[v] = v, u
}
