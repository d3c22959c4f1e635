package matching

import (
	"context"
	"errors"
)

// ErrNotMaximum is returned by [CoverOf] for a matching that an augmenting path
// could enlarge.
var ErrNotMaximum = errors.New("matching: not of maximum size")

// Cover is a set of vertices that holds an end of every edge.
type Cover struct {
	Left, Right []bool // whether the vertex is in the cover
}

// CoverOf returns the smallest vertex cover that König's theorem gives for a
// largest matching m of g: (L∖Z) ∪ (R∩Z), Z being all that alternating paths
// from free left vertices reach. It has m.Size vertices and is the same for
// every largest matching: of all smallest covers it has the most left vertices.
//
// It takes O(V) calls of Find and Drop and O(V) memory. The error is the
// context's, wrapped, or ErrNotMaximum.
func CoverOf(ctx context.Context, g Graph, m *Matching) (*Cover, error) {
	p := poll{ctx: ctx}
	if err := p.now(); err != nil {
		return nil, err
	}
	c := &Cover{Left: make([]bool, g.Left()), Right: make([]bool, g.Right())}
	var queue []int32 // the left vertices of Z whose neighbours are not all in Z
	for u, v := range m.Left {
		if v == Free {
			queue = append(queue, int32(u))
		} else {
			c.Left[u] = true // until Z reaches it
		}
	}
	g.Begin(nil)
	for len(queue) > 0 {
		if err := p.step(); err != nil {
			return nil, err
		}
		last := len(queue) - 1
		v := g.Find(queue[last], 0)
		if v == Free {
			queue = queue[:last]
			continue
		}
		g.Drop(v)
		c.Right[v] = true
		w := m.Right[v]
		if w == Free {
			return nil, ErrNotMaximum
		}
		c.Left[w] = false
		queue = append(queue, w)
	}
	return c, nil
}
