package models

import (
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Reached returns a tree, whose nodes lie below node 0 as [Ordered] checks, without the tests that
// those above settle: formats of symmetric trees repeat tests. Children come after their parents.
func Reached(nodes []trees.Node) []trees.Node {
	r := reaching{nodes: nodes, made: make([]trees.Node, 0, len(nodes))}
	r.grow(0)
	return r.made
}

// reaching is a tree being made.
type reaching struct {
	nodes, made []trees.Node
	path        []passed
}

// passed is a test on the path to the node that is made, and where the path goes on.
type passed struct {
	*trees.Node
	left bool
}

// ends returns the thresholds of a test.
func ends(n *trees.Node) []float64 {
	if n.Thresholds != nil {
		return n.Thresholds
	}
	return []float64{n.Threshold}
}

// grow makes the subtree below a node, and returns its number.
func (r *reaching) grow(node int) int {
	n := &r.nodes[node]
	for n.Left >= 0 {
		left, settled := r.settled(n)
		if !settled {
			break
		}
		if node = n.Right; left {
			node = n.Left
		}
		n = &r.nodes[node]
	}
	at := len(r.made)
	r.made = append(r.made, *n)
	if n.Left >= 0 {
		r.path = append(r.path, passed{n, true})
		left := r.grow(n.Left)
		r.path[len(r.path)-1].left = false
		right := r.grow(n.Right)
		r.path = r.path[:len(r.path)-1]
		r.made[at].Left, r.made[at].Right = left, right
	}
	return at
}

// settled reports whether all that reaches a test goes one way, and which: numbers between any two
// neighbouring thresholds go one way together, and so does NaN.
func (r *reaching) settled(n *trees.Node) (left, settled bool) {
	var above []passed
	var all []float64
	for _, p := range r.path {
		if p.Feature == n.Feature {
			above, all = append(above, p), append(all, ends(p.Node)...)
		}
	}
	if above == nil {
		return false, false
	}
	own := ends(n)
	all = append(all, own...)
	slices.Sort(all)
	all = slices.Compact(all)
	var ways [2]bool // whether something goes right, and left
	note := func(goes func(n *trees.Node) bool) {
		for _, p := range above {
			if goes(p.Node) != p.left {
				return
			}
		}
		if goes(n) {
			ways[1] = true
		} else {
			ways[0] = true
		}
	}
	note(func(n *trees.Node) bool { return n.MissingLeft })
	for k := range len(all) + 1 { // the values beyond the first k thresholds
		note(func(n *trees.Node) bool {
			beyond := 0
			if k > 0 {
				i, found := slices.BinarySearch(ends(n), all[k-1])
				if beyond = i; found {
					beyond++
				}
			}
			return beyond%2 == 0
		})
	}
	return ways[1], ways[0] != ways[1]
}
