package bipartite

// Lists is the Graph that stores its edges: Neighbours[u] are the right vertices
// that left vertex u is joined to, which may repeat. Begin takes O(V) time; all
// calls of Find between two of them look at every edge once.
type Lists struct {
	Neighbours [][]int32

	level []int32 // of right vertices; negative: out
	next  []int32 // next[u]: where in Neighbours[u] Find goes on
}

var _ Graph = (*Lists)(nil)

// NewLists returns the graph with these edges and this number of right vertices.
func NewLists(neighbours [][]int32, right int) *Lists {
	return &Lists{
		Neighbours: neighbours,
		level:      make([]int32, right),
		next:       make([]int32, len(neighbours)),
	}
}

// Left returns the number of left vertices.
func (l *Lists) Left() int { return len(l.Neighbours) }

// Right returns the number of right vertices.
func (l *Lists) Right() int { return len(l.level) }

// Begin implements Graph.
func (l *Lists) Begin(levels []int32) {
	clear(l.next)
	if levels == nil {
		clear(l.level)
		return
	}
	copy(l.level, levels)
}

// Find implements Graph.
func (l *Lists) Find(u, least int32) int32 {
	neighbours := l.Neighbours[u]
	for i := int(l.next[u]); i < len(neighbours); i++ {
		if v := neighbours[i]; l.level[v] >= least {
			l.next[u] = int32(i)
			return v
		}
	}
	l.next[u] = int32(len(neighbours))
	return None
}

// Drop implements Graph.
func (l *Lists) Drop(v int32) { l.level[v] = -1 }
