package cover

// graph is an undirected graph with weights, as a matrix of bits: n vertices
// take n²/8 bytes.
type graph struct {
	weight []int64
	row    []set // of the matrix, which is symmetric
}

// newGraph returns the graph without edges whose vertices have these weights.
func newGraph(weights []int64) *graph {
	g := &graph{weight: weights, row: make([]set, len(weights))}
	words := len(newSet(len(weights)))
	flat := make(set, words*len(weights))
	for v := range g.row {
		g.row[v] = flat[v*words : (v+1)*words : (v+1)*words]
	}
	return g
}

// total returns the weight of a set.
func (g *graph) total(s set) int64 {
	var sum int64
	for v := range s.all() {
		sum += g.weight[v]
	}
	return sum
}

// sum returns the weight of some vertices.
func (g *graph) sum(vertices []int32) int64 {
	var sum int64
	for _, v := range vertices {
		sum += g.weight[v]
	}
	return sum
}
