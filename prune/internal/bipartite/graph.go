package bipartite

import (
	"context"
	"fmt"
	"math/bits"
)

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

// pollEvery is the number of steps, each of them a call of Find, between two
// looks at the context: enough to make the looks free where a call takes some
// nanoseconds, few enough where each scans a large set and takes milliseconds.
const pollEvery = 1 << 3

// poll looks at a context once in a while, at the first step too.
type poll struct {
	ctx   context.Context
	steps int
}

// step accounts for a step and returns the context's error when it is time to
// look and the context is done.
func (p *poll) step() error {
	p.steps++
	if p.steps%pollEvery != 1 {
		return nil
	}
	if err := p.ctx.Err(); err != nil {
		return fmt.Errorf("bipartite: %w", err)
	}
	return nil
}
