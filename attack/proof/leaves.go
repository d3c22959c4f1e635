package proof

// treeBody checks the bodies of proofs about trees.
type treeBody struct {
	*checker
	e      *ensemble
	label  int     // that is shown to lie far
	leaves []int32 // the first alive of them are left
	at     []int32 // by leaf: its place among them
	alive  int
	left   []int32   // by tree: how many of its leaves are
	none   int       // trees of which none is
	single int       // trees of which one is
	best   []float64 // memory of lost
	box    box       // of axis-parallel trees
	made   []half    // the decisions above, of oblique trees
	paths  []path    // what is still to come of them
}

func newTreeBody(c *checker, e *ensemble) *treeBody {
	b := &treeBody{checker: c, e: e, at: make([]int32, len(e.leafAt)), left: make([]int32, len(e.trees)), best: make([]float64, len(e.trees))}
	b.box = newBox(e)
	return b
}

// check checks that a label lies far.
func (b *treeBody) check(label int) {
	b.label = label
	if !b.e.oblique {
		b.checkBoxes()
		return
	}
	b.checkRegions()
}

// heading reads the line that begins the part about the label.
func (b *treeBody) heading() {
	b.expect("label")
	if l := b.integer(b.e.classes); l != b.label {
		b.fail("label %d, want %d", l, b.label)
	}
}

// gather collects the leaves of each tree that are not behind a test that parts them from x.
func (b *treeBody) gather(reached func(n *node) (left, right bool)) {
	b.leaves, b.alive, b.none, b.single = b.leaves[:0], 0, len(b.left), 0
	clear(b.left)
	var open []int32
	for _, nodes := range b.e.trees {
		for open = append(open[:0], 0); len(open) > 0; {
			n := &nodes[open[len(open)-1]]
			open = open[:len(open)-1]
			if n.left < 0 {
				b.at[n.first] = int32(len(b.leaves))
				b.leaves = append(b.leaves, n.first)
				continue
			}
			left, right := reached(n)
			if right {
				open = append(open, n.right)
			}
			if left {
				open = append(open, n.left)
			}
		}
	}
	b.restore(len(b.leaves))
}

// remove takes leaf l out, if it is left.
func (b *treeBody) remove(l int32) {
	i := b.at[l]
	if int(i) >= b.alive || b.leaves[i] != l {
		return
	}
	b.alive--
	other := b.leaves[b.alive]
	b.leaves[i], b.leaves[b.alive] = other, l
	b.at[other], b.at[l] = i, int32(b.alive)
	b.count(l, -1)
}

// restore puts back the leaves that were taken out last, until there are so many.
func (b *treeBody) restore(alive int) {
	for ; b.alive < alive; b.alive++ {
		b.count(b.leaves[b.alive], 1)
	}
}

// count counts one leaf more or less.
func (b *treeBody) count(l, change int32) {
	t := b.e.treeOf[l]
	for _, sign := range []int{-1, 1} {
		switch b.left[t] {
		case 0:
			b.none += sign
		case 1:
			b.single += sign
		}
		if sign < 0 {
			b.left[t] += change
		}
	}
}

// holds reports whether the leaves that are left have no answer of the label.
func (b *treeBody) holds() bool {
	if b.none > 0 {
		return true
	}
	for rival := range b.e.classes {
		rivals := rival == b.From
		if b.Target >= 0 {
			rivals = rival != b.label
		}
		if rivals && b.e.lost(b.leaves[:b.alive], b.label, rival, b.best) {
			return true
		}
	}
	if b.single < len(b.left) {
		return false
	}
	one := make([]int32, len(b.left))
	for _, l := range b.leaves[:b.alive] {
		one[b.e.treeOf[l]] = l
	}
	_, loses := b.e.decide(b.e.sums(one), b.label)
	return loses
}

// surely reports whether z has a label in any arithmetic.
func (e *ensemble) surely(z []float64, label int) bool {
	leaves := make([]int32, len(e.trees))
	for t := range leaves {
		leaves[t] = e.leaf(t, z)
	}
	wins, _ := e.decide(e.sums(leaves), label)
	return wins
}
