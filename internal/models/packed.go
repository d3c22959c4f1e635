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
	p, order := make(packed, n), append(slices.Grow(c.order[:0], n), 0)
	for k := 0; k < len(order); k++ {
		i := order[k]
		p[k].condition[0] = c.Threshold[i]
		left, right := c.Left[i], c.Right[i]
		if left < 0 && right < 0 {
			continue
		}
		p[k].feature, p[k].left = c.Feature[i], int32(len(order))
		if c.MissingLeft[i] {
			p[k].left = -p[k].left
		}
		for _, child := range [...]int32{left, right} {
			if child < 0 || int(child) >= n {
				return nil, trees.AtNode(int(i), fmt.Errorf("child %d of %d nodes", child, n))
			}
			if c.reached[child] {
				return nil, trees.AtNode(int(i),
					fmt.Errorf("child %d is the root or has another parent", child))
			}
			c.reached[child] = true
			order = append(order, child)
		}
	}
	c.order = order
	if p = p[:len(order)]; c.Sets == nil {
		return p, nil
	}
	nodes := make(trees.Nodes, len(p))
	for k, i := range order {
		p.Read(k, &nodes[k])
		nodes[k].Thresholds = c.Sets[i]
	}
	return nodes, nil
}

// packed is a boosted tree in 16 bytes a node, numbered so that right children follow left ones.
type packed []packedNode

type packedNode struct {
	condition [1]float64 // a threshold, or the value of a leaf
	feature   int32
	left      int32 // child, 0 for none; negated where a missing value goes there
}

func (p packed) Len() int { return len(p) }

func (p packed) Read(i int, to *trees.Node) {
	n := &p[i]
	if to.Thresholds != nil || to.Weights != nil {
		*to = trees.Node{}
	}
	to.Threshold = n.condition[0]
	to.Feature, to.MissingLeft = int(n.feature), n.left < 0
	if n.left == 0 {
		to.Left, to.Right, to.Value = -1, -1, n.condition[:]
		return
	}
	to.Left = int(max(n.left, -n.left))
	to.Right, to.Value = to.Left+1, nil
}
