package cover

import (
	"cmp"
	"slices"
)

// merged is a graph whose vertices stand for the vertices of another that have
// the same neighbours. They come in order of weight, the heaviest first.
type merged struct {
	*graph
	members [][]int32
}

// merge finds the vertices with the same neighbours, which are not adjacent.
func merge(g *graph) *merged {
	groups := twins(g)
	slices.SortStableFunc(groups, func(a, b []int32) int {
		return cmp.Compare(g.sum(b), g.sum(a))
	})
	m := &merged{members: groups}
	weights := make([]int64, len(groups))
	place := make([]int, len(g.weight))
	for i, group := range groups {
		weights[i] = g.sum(group)
		for _, v := range group {
			place[v] = i
		}
	}
	m.graph = newGraph(weights)
	for i, group := range groups {
		for v := range g.row[group[0]].all() {
			m.row[i].add(place[v])
		}
	}
	return m
}

// twins groups the vertices by their neighbours, in order of the first of each.
func twins(g *graph) [][]int32 {
	var groups [][]int32
	byHash := make(map[uint64][]int) // places in groups
	for v, row := range g.row {
		var h uint64
		for _, w := range row {
			h = mix(h, w)
		}
		i := slices.IndexFunc(byHash[h],
			func(i int) bool { return slices.Equal(g.row[groups[i][0]], row) })
		if i < 0 {
			byHash[h] = append(byHash[h], len(groups))
			groups = append(groups, []int32{int32(v)})
			continue
		}
		i = byHash[h][i]
		groups[i] = append(groups[i], int32(v))
	}
	return groups
}

// mix adds a word to a hash, which only has to spread: equality is checked.
func mix(h, w uint64) uint64 {
	h = (h ^ w) * 0x9e3779b97f4a7c15
	return h ^ h>>32
}

// expand returns the vertices that a set of groups stands for, ascending.
func (m *merged) expand(groups []int32) []int32 {
	vertices := []int32{}
	for _, i := range groups {
		vertices = append(vertices, m.members[i]...)
	}
	slices.Sort(vertices)
	return vertices
}
