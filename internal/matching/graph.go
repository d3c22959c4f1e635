package matching

// Graph is a bipartite graph in compressed rows: the neighbours of left vertex
// u are Adjacent[Start[u]:Start[u+1]]. Repeated edges are allowed. The zero
// value is the graph without vertices.
type Graph struct {
	Start    []int   // ascending, from 0 to len(Adjacent); one more than left vertices
	Adjacent []int32 // right vertices
	Right    int     // number of right vertices
}

// Left returns the number of left vertices.
func (g *Graph) Left() int { return max(len(g.Start)-1, 0) }

// Edges returns the number of edges, repeated ones included.
func (g *Graph) Edges() int { return len(g.Adjacent) }

// Neighbours returns the right vertices that left vertex u is joined to. The
// slice is the graph's own.
func (g *Graph) Neighbours(u int32) []int32 {
	return g.Adjacent[g.Start[u]:g.Start[u+1]]
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
func newMatching(g *Graph) *Matching {
	m := &Matching{Left: make([]int32, g.Left()), Right: make([]int32, g.Right)}
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
