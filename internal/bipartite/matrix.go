package bipartite

import "math/bits"

// Matrix is the Graph that stores one bit for each pair of a left and a right
// vertex. Begin takes O(V) time, all calls of Find between two of them O(V²/64)
// and a step for each edge.
type Matrix struct {
	Rows [][]uint64 // of left vertices; bit v&63 of word v>>6 is right vertex v

	level []int32  // of right vertices; negative: out
	alive []uint64 // right vertices that are not out
	next  []int32  // next[u]: the word of Rows[u] at which Find goes on
}

var _ Graph = (*Matrix)(nil)

// NewMatrix returns the graph with these edges and this number of right vertices.
func NewMatrix(rows [][]uint64, right int) *Matrix {
	return &Matrix{
		Rows:  rows,
		level: make([]int32, right),
		alive: make([]uint64, (right+63)/64),
		next:  make([]int32, len(rows)),
	}
}

// Left returns the number of left vertices.
func (m *Matrix) Left() int { return len(m.Rows) }

// Right returns the number of right vertices.
func (m *Matrix) Right() int { return len(m.level) }

// Begin implements Graph.
func (m *Matrix) Begin(levels []int32) {
	clear(m.next)
	clear(m.alive)
	if levels == nil {
		clear(m.level)
	} else {
		copy(m.level, levels)
	}
	for v, level := range m.level {
		if level >= 0 {
			m.alive[v>>6] |= 1 << (v & 63)
		}
	}
}

// Find implements Graph.
func (m *Matrix) Find(u, least int32) int32 {
	row := m.Rows[u]
	for i := m.next[u]; int(i) < len(row); i++ {
		for w := row[i] & m.alive[i]; w != 0; w &= w - 1 {
			if v := i<<6 + int32(bits.TrailingZeros64(w)); m.level[v] >= least {
				m.next[u] = i
				return v
			}
		}
	}
	m.next[u] = int32(len(row))
	return None
}

// Drop implements Graph.
func (m *Matrix) Drop(v int32) {
	m.level[v] = -1
	m.alive[v>>6] &^= 1 << (v & 63)
}
