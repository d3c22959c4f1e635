package models

import (
	"errors"
	"fmt"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Columns are one boosted tree after the other as files have them, in any order but for node 0, the
// root. A leaf has no children, −1, and its value for a threshold.
type Columns struct {
	Feature, Left, Right []int32
	Threshold            []float64
	MissingLeft          []bool
	Sets                 [][]float64 // thresholds of tests of sets, nil of others; nil if all are

	reached []bool
	order   []int32
}

// Len returns the number of nodes.
func (c *Columns) Len() int { return len(c.Left) }

// Resize makes room for so many nodes, of which none tests a set. The rest is to be set.
func (c *Columns) Resize(n int) {
	resize(&c.Feature, n)
	resize(&c.Left, n)
	resize(&c.Right, n)
	resize(&c.Threshold, n)
	resize(&c.MissingLeft, n)
	c.Sets = nil
}

// resize makes a slice so long, in the memory that it has if that suffices.
func resize[T any](s *[]T, n int) { *s = slices.Grow((*s)[:0], n)[:n] }

// Test makes an inner node one that tests the ends of a set, as TestEnds does.
func (c *Columns) Test(i int, comparison trees.Comparison, ends []float64, left bool) {
	n := trees.Node{
		Left: int(c.Left[i]), Right: int(c.Right[i]), MissingLeft: c.MissingLeft[i],
	}
	TestEnds(&n, comparison, ends, left)
	c.Left[i], c.Right[i], c.MissingLeft[i] = int32(n.Left), int32(n.Right), n.MissingLeft
	if c.Threshold[i] = n.Threshold; n.Thresholds != nil && c.Sets == nil {
		c.Sets = make([][]float64, c.Len())
	}
	if n.Thresholds != nil {
		c.Sets[i] = n.Thresholds
	}
}

// Pack copies the nodes that the root reaches, numbered so that children follow their parents.
// Without tests of sets they take little memory.
func (c *Columns) Pack() (trees.Plain, error) {
	n := c.Len()
	if n == 0 {
		return nil, errors.New("no nodes")
	}
	resize(&c.reached, n)
	clear(c.reached)
	c.reached[0] = true
	resize(&c.order, n)
	p, order := make(trees.Packed, n), c.order
	order[0] = 0
	next := int32(1) // how many nodes have a number
	for k := int32(0); k < next; k++ {
		i := order[k]
		left, right := c.Left[i], c.Right[i]
		p[k].Condition[0] = c.Threshold[i]
		if left < 0 && right < 0 {
			continue
		}
		if uint(left) >= uint(n) || uint(right) >= uint(n) || left == right ||
			c.reached[left] || c.reached[right] {
			return nil, trees.AtNode(int(i), c.strange(left, right))
		}
		p[k].Feature, p[k].Left = c.Feature[i], next
		if c.MissingLeft[i] {
			p[k].Left = -next
		}
		c.reached[left], c.reached[right] = true, true
		order[next], order[next+1] = left, right
		next += 2
	}
	p, order = p[:next], order[:next]
	if c.Sets == nil {
		return p, nil
	}
	nodes := make(trees.Nodes, len(p))
	for k, i := range order {
		p.Read(k, &nodes[k])
		nodes[k].Thresholds = c.Sets[i]
	}
	return nodes, nil
}

// strange says why two nodes are not the children of one that was not reached before.
func (c *Columns) strange(children ...int32) error {
	for _, child := range children {
		if child < 0 || int(child) >= c.Len() {
			return fmt.Errorf("child %d of %d nodes", child, c.Len())
		}
		if c.reached[child] {
			return fmt.Errorf("child %d is the root or has another parent", child)
		}
		c.reached[child] = true
	}
	return nil
}
