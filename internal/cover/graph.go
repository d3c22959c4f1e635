package cover

// Graph is an undirected graph with weights, as a matrix of bits: n vertices
// take n²/8 bytes.
type Graph struct {
	weight []int64
	row    []set
}

// FromRows returns the graph with these weights whose adjacency matrix, which must
// be symmetric, has these rows. They are not copied.
func FromRows(weights []int64, rows [][]uint64) *Graph {
	g := &Graph{weight: weights, row: make([]set, len(rows))}
	for v, row := range rows {
		g.row[v] = row
	}
	return g
}

// New returns the graph without edges whose vertices have these weights.
func New(weights []int64) *Graph {
	g := &Graph{weight: weights, row: make([]set, len(weights))}
	words := len(newSet(len(weights)))
	flat := make(set, words*len(weights))
	for v := range g.row {
		g.row[v] = flat[v*words : (v+1)*words : (v+1)*words]
	}
	return g
}

// Join adds the edge between two different vertices.
func (g *Graph) Join(u, v int) {
	g.row[u].add(v)
	g.row[v].add(u)
}

// total returns the weight of a set.
func (g *Graph) total(s set) int64 {
	var sum int64
	for v := range s.all() {
		sum += g.weight[v]
	}
	return sum
}
