package proof

// path is a split by a test whose second part is still to come, or is being checked.
type path struct {
	place
	alive  int
	second bool
}

// reached reports which sides of a test lie nearer than the bound.
func (b *treeBody) reached(n *node) (left, right bool) {
	if n.test.settled {
		return n.test.left, !n.test.left
	}
	return !b.contradicts([]half{{test: &n.test, left: true}}), !b.contradicts([]half{{test: &n.test}})
}

// checkRegions checks a label's tree of regions.
func (b *treeBody) checkRegions() {
	b.gather(b.reached)
	b.heading()
	b.done()
	for whole := false; !whole && b.err == nil; {
		switch key := b.word(); key {
		case "s":
			b.splitByTest()
		case "d":
			b.leaveOut()
		case "c":
			b.refute(nil)
			whole = b.nextRegion()
		case ".":
			if !b.holds() {
				b.fail("this region may hold an input with label %d nearer than the bound", b.label)
			}
			b.done()
			whole = b.nextRegion()
		default:
			b.fail("%.40q is none of s, d, c and a leaf", key)
		}
	}
}

// place reads the numbers of a tree and of a node.
func (b *treeBody) place() place {
	t := b.integer(len(b.e.trees))
	return place{int32(t), int32(b.integer(len(b.e.trees[t])))}
}

func (e *ensemble) node(at place) *node { return &e.trees[at.tree][at.node] }

// splitByTest reads a split and goes to its first part.
func (b *treeBody) splitByTest() {
	at := b.place()
	n := b.e.node(at)
	if n.left < 0 || n.test.settled {
		b.fail("node %d of tree %d has no test", at.node, at.tree)
	}
	b.done()
	if b.err == nil {
		b.paths = append(b.paths, path{at, b.alive, false})
		b.made = append(b.made, half{test: &n.test, left: true})
		b.leave(place{at.tree, n.right})
	}
}

// leave takes out the leaves below a node.
func (b *treeBody) leave(at place) {
	n := b.e.node(at)
	for l := n.first; l < n.end; l++ {
		b.remove(l)
	}
}

// nextRegion goes to the part that follows a leaf, and reports whether there is none.
func (b *treeBody) nextRegion() (whole bool) {
	for b.err == nil && len(b.paths) > 0 {
		last := len(b.paths) - 1
		p := &b.paths[last]
		b.restore(p.alive)
		if !p.second {
			p.second, b.made[last].left = true, false
			b.leave(place{p.tree, b.e.node(p.place).left})
			return false
		}
		b.paths, b.made = b.paths[:last], b.made[:last]
	}
	return true
}

// leaveOut reads that a leaf does not meet the region.
func (b *treeBody) leaveOut() {
	at := b.place()
	n := b.e.node(at)
	if n.left >= 0 {
		b.fail("node %d of tree %d is no leaf", at.node, at.tree)
	}
	b.refute(&at)
	b.remove(n.first)
}

// refute reads a combination of the decisions above, of the tests above a leaf, if one is given,
// and of the domain, and makes sure that nothing nearer than the bound satisfies all.
func (b *treeBody) refute(leaf *place) {
	var terms []half
	for first := true; first || b.more(); first = false {
		times, word := b.multiplied()
		var h half
		switch kind := word + " "; {
		case kind[0] == '@':
			if k := b.below(word[1:], len(b.made)); b.err == nil {
				h = b.made[k]
			}
		case kind[0] == '#' && leaf != nil:
			h = b.above(b.below(word[1:], len(b.e.trees[leaf.tree])), *leaf)
		case kind[0] == '+', kind[0] == '-':
			h = b.domainSide(word)
		default:
			b.fail("%.40q is no half-space", word)
		}
		h.times = times
		terms = append(terms, h)
	}
	b.conclude(terms)
}

// above returns the side of a node's test on which a leaf lies.
func (b *treeBody) above(i int, leaf place) half {
	n, l := b.e.node(place{leaf.tree, int32(i)}), b.e.node(leaf).first
	if n.left < 0 || n.test.settled || l < n.first || l >= n.end {
		b.fail("node %d has no test above node %d", i, leaf.node)
		return half{}
	}
	return half{test: &n.test, left: l < b.e.node(place{leaf.tree, n.left}).end}
}

// conclude makes sure that half-spaces contradict each other within the bound.
func (c *checker) conclude(terms []half) {
	if c.err == nil && !c.contradicts(terms) {
		c.last = 0
		c.fail("the combination does not show that nothing nearer than the bound is left")
	}
	c.done()
}
