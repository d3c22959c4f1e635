//go:build lpsolve

package milp

import (
	"cmp"
	"slices"
)

// branch is an unopened part of a search.
type branch struct {
	space  space
	target int     // index of the label to reach
	bound  float64 // no answer in it is nearer
	depth  int
	number int // of branches made before
}

// compare orders branches: the smaller bound first, then the deeper one, in which an
// answer is nearer at hand, then the older one.
func (b branch) compare(o branch) int {
	return cmp.Or(cmp.Compare(b.bound, o.bound), cmp.Compare(o.depth, b.depth), cmp.Compare(b.number, o.number))
}

// queue holds branches, the first one at the end. To keep them in order takes no time
// beside a linear program for each.
type queue []branch

func (q *queue) push(b branch) {
	i, _ := slices.BinarySearchFunc(*q, b, func(a, b branch) int { return b.compare(a) })
	*q = slices.Insert(*q, i, b)
}

// first returns the branch that pop takes out.
func (q queue) first() branch { return q[len(q)-1] }

func (q *queue) pop() branch {
	b := q.first()
	*q = (*q)[:len(*q)-1]
	return b
}
