//go:build lpsolve

package milp

import (
	"cmp"
	"container/heap"
)

// branch is an unopened part of a search.
type branch struct {
	space  space
	target int     // index of the label to reach
	bound  float64 // no answer in it is nearer
	depth  int
	number int // of branches made before
}

// before orders branches: the smaller bound first, then the deeper one, in
// which an answer is nearer at hand, then the older one.
func (b branch) before(o branch) bool {
	return cmp.Or(cmp.Compare(b.bound, o.bound), cmp.Compare(o.depth, b.depth), cmp.Compare(b.number, o.number)) < 0
}

// queue is a heap of branches, for container/heap.
type queue []branch

var _ heap.Interface = (*queue)(nil)

// Len implements heap.Interface.
func (q queue) Len() int { return len(q) }

// Less implements heap.Interface.
func (q queue) Less(i, j int) bool { return q[i].before(q[j]) }

// Swap implements heap.Interface.
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

// Push implements heap.Interface.
func (q *queue) Push(b any) { *q = append(*q, b.(branch)) }

// Pop implements heap.Interface.
func (q *queue) Pop() any {
	last := len(*q) - 1
	b := (*q)[last]
	*q = (*q)[:last]
	return b
}
