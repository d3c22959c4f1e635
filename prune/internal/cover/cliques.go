package cover

// Clique is a set of pairwise adjacent vertices and its amount in a packing.
type Clique struct {
	Vertices []int32
	Amount   int64
}

// pack fills the weights of a set greedily with cliques, single vertices left
// out, hands them to visit, and returns the bound: the most that an independent
// set within p can weigh. A clique starts at the first vertex, the heaviest before
// anything was used, and takes the first that is adjacent to all so far; it uses
// as much as its least vertex has left, so that no more cliques than vertices are
// needed. It takes O(n²·n/64) time at worst. When the context ends single vertices
// are left for the rest, which bound it worse.
func (g *graph) pack(ctx *poll, p set, visit func(vertices []int32, amount int64)) int64 {
	left := make([]int64, len(g.weight))
	rest := p.clone()
	for v := range p.all() {
		if left[v] = g.weight[v]; left[v] == 0 {
			rest.remove(v)
		}
	}
	var bound int64
	var clique []int32
	candidates := make(set, len(p))
	for v := rest.first(); v >= 0; v = rest.first() {
		if ctx.ended() {
			for v := range rest.all() {
				bound += left[v]
			}
			return bound
		}
		clique = g.clique(clique[:0], v, rest, candidates)
		amount := left[v]
		for _, u := range clique {
			amount = min(amount, left[u])
		}
		for _, u := range clique {
			if left[u] -= amount; left[u] == 0 {
				rest.remove(int(u))
			}
		}
		bound += amount
		if len(clique) > 1 {
			visit(clique, amount)
		}
	}
	return bound
}

// clique appends a maximal clique of the set around v.
func (g *graph) clique(dst []int32, v int, within, candidates set) []int32 {
	copy(candidates, within)
	for ; v >= 0; v = candidates.first() {
		dst = append(dst, int32(v))
		candidates.intersect(g.row[v])
	}
	return dst
}

// unmerge turns a clique of groups into cliques of their members: each uses as
// much as the current member of every group has left.
type unmerge struct {
	*merged
	weight []int64 // of the members
	next   []int   // next[i]: the current member of group i
	used   []int64 // of the current member
	out    []Clique
}

func newUnmerge(m *merged, weight []int64) *unmerge {
	return &unmerge{
		merged: m,
		weight: weight,
		next:   make([]int, len(m.members)),
		used:   make([]int64, len(m.members)),
	}
}

func (u *unmerge) add(groups []int32, amount int64) {
	for amount > 0 {
		part := amount
		for _, i := range groups {
			part = min(part, u.left(i))
		}
		c := Clique{Amount: part}
		for _, i := range groups {
			c.Vertices = append(c.Vertices, u.members[i][u.next[i]])
			u.used[i] += part
		}
		u.out = append(u.out, c)
		amount -= part
	}
}

// left returns the weight that the current member of group i has left, after moving on from members
// that have none. A group is never asked for more than it weighs.
func (u *unmerge) left(i int32) int64 {
	for {
		left := u.weight[u.members[i][u.next[i]]] - u.used[i]
		if left > 0 {
			return left
		}
		u.next[i]++
		u.used[i] = 0
	}
}
