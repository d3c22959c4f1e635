package proof

import "slices"

// regions checks the body of a proof about oblique trees.
type regions struct {
	*checker
	e     *ensemble
	label int // that is shown to lie far
	leads []*form
	made  []half // the decisions above
}

// checkRegions checks a tree of regions for each label that answers.
func (c *checker) checkRegions() {
	b := &regions{checker: c, e: c.m.trees}
	var root []int32
	for _, nodes := range b.e.trees {
		root = b.reached(&nodes[0], root)
	}
	for b.label = range c.answering() {
		b.leads = c.margins(b.label)
		b.part(root, 0)
	}
}

// reached appends the leaves below a node all of whose tests have them on a side nearer than the
// bound.
func (b *regions) reached(n *node, leaves []int32) []int32 {
	if n.left == nil {
		return append(leaves, n.first)
	}
	if !b.contradict(n.sides[0]) {
		leaves = b.reached(n.left, leaves)
	}
	if !b.contradict(n.sides[1]) {
		leaves = b.reached(n.right, leaves)
	}
	return leaves
}

// without returns the leaves, which ascend, that are not below a node.
func without(leaves []int32, n *node) []int32 {
	from, _ := slices.BinarySearch(leaves, n.first)
	to, _ := slices.BinarySearch(leaves, n.end)
	return slices.Concat(leaves[:from], leaves[to:])
}

// part checks the next part of the tree, about the rest that the decisions leave of the ball, and
// the leaves that are left.
func (b *regions) part(leaves []int32, depth int) {
	b.demand(depth <= deepest, "more than 100000 nodes on a path")
	for {
		b.key()
		key := b.word()
		var nodes []node
		var n *node
		if key == "s" || key == "d" {
			nodes = b.e.trees[b.integer(len(b.e.trees))]
			n = &nodes[b.integer(len(nodes))]
		}
		switch key {
		case "s":
			b.demand(n.isTest(), "this node has no test")
			for side, gone := range []*node{n.right, n.left} {
				b.made = append(b.made, n.sides[side])
				b.part(without(leaves, gone), depth+1)
				b.made = b.made[:depth]
			}
			return
		case "d":
			b.demand(n.left == nil, "this node is no leaf")
			b.refute(func(term string) half { return b.term(term, nodes, n) })
			leaves = without(leaves, n)
		case "c":
			b.refute(func(term string) half { return b.term(term, nil, nil) })
			return
		case ".":
			b.demand(b.e.loses(leaves, b.label, b.leads),
				"this region may hold an input with label %d nearer than the bound", b.label)
			return
		default:
			b.demand(false, "%.40q is none of s, d, c and a leaf", key)
		}
	}
}

// term returns the half-space of a decision above, "@k", or of the test of a node on the path to a
// leaf, "#N".
func (b *regions) term(word string, nodes []node, leaf *node) half {
	if word[0] == '@' {
		return b.made[b.below(word[1:], len(b.made))]
	}
	b.demand(word[0] == '#' && leaf != nil, "%.40q is no half-space", word)
	n := &nodes[b.below(word[1:], len(nodes))]
	above := n.isTest() && n.first <= leaf.first && leaf.first < n.end
	b.demand(above, "node %s has no test above this leaf", word[1:])
	if leaf.first < n.left.end {
		return n.sides[0]
	}
	return n.sides[1]
}
