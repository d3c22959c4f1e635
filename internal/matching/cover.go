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
// It takes O(V + E) time and O(V) memory. The error is the context's, wrapped,
// or ErrNotMaximum.
func CoverOf(ctx context.Context, g *Graph, m *Matching) (*Cover, error) {
	p := poll{ctx: ctx}
	if err := p.now(); err != nil {
		return nil, err
	}
	c := &Cover{Left: make([]bool, g.Left()), Right: make([]bool, g.Right)}
	var queue []int32 // the left vertices of Z
	for u, v := range m.Left {
		if v == Free {
			queue = append(queue, int32(u))
		} else {
			c.Left[u] = true // until Z reaches it
		}
	}
	for head := 0; head < len(queue); head++ {
		neighbours := g.Neighbours(queue[head])
		for _, v := range neighbours {
			if c.Right[v] {
				continue
			}
			c.Right[v] = true
			w := m.Right[v]
			if w == Free {
				return nil, ErrNotMaximum
			}
			c.Left[w] = false
			queue = append(queue, w)
		}
		if err := p.after(len(neighbours)); err != nil {
			return nil, err
		}
	}
	return c, nil
}
