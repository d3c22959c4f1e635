package trees

import "slices"

// key is the form in which inputs and thresholds are compared: integers in the order of float32 or
// float64. Then no step waits for a guess of the processor.
type key interface{ int32 | int64 }

// walks are the tests of an ensemble, numbered level by level. The leaves lead to themselves, so
// that a walk of as many steps as a tree is deep ends in the right one.
type walks[K key] struct {
	nodes   []walkNode[K]
	columns []column[K]
	order   func(v float64) K
	sets    uint32 // from this column on they are of tests of sets
	// Of sets: the keys that go right. Where columns have few keys, each node has a mask of them, 0
	// if it tests no set; else they are words of bits, several a node. Nil both without sets.
	masks, bits []uint64
}

// walkNode sends a key that is greater than last to the node behind left. Where the column is of
// tests of sets, last is the word of the bits from which on they are this node's, or the largest
// key beside a mask.
type walkNode[K key] struct {
	last         K
	column, left uint32
}

// column is a number by which a row is compared: a feature, or how many ends of sets it lies beyond
// and one more. A missing value has a key that tests send right or, in a column of its own, left.
type column[K key] struct {
	feature int32
	missing K
	ends    []K
}

// newWalks returns the tests of a batch, nil if the bits of sets would take too much memory. No
// key of a number is as small or as large as these two.
func newWalks[K key](b *Batch, order func(v float64) K, least, largest K) *walks[K] {
	last := len(b.trees) - 1
	w := &walks[K]{
		order: order,
		nodes: make([]walkNode[K], 0, int(b.trees[last].root)+len(b.trees[last].number)),
	}
	columns := w.plainColumns(b.ensemble, least, largest)
	sets, most := w.setColumns(b.ensemble)
	if most > 0 && most+2 <= 64 {
		w.masks = make([]uint64, cap(w.nodes))
	}
	for k, t := range b.ensemble.Trees {
		below := b.trees[k].root + 1
		for _, at := range b.trees[k].number {
			n := walkNode[K]{last: largest, left: uint32(len(w.nodes))}
			if !t.IsLeaf(int(at)) {
				test := &t.tests[at]
				n = walkNode[K]{last: order(test.last), left: below}
				below += 2
				if set := t.set(int(at)); set == nil {
					n.column = columns[sided(test)]
				} else {
					n.last, n.column = largest, sets[test.feature]
					if !w.addBits(&n, t, int(at)) {
						return nil
					}
				}
			}
			w.nodes = append(w.nodes, n)
		}
	}
	return w
}

// sided numbers features, each twice: for tests that send a missing value right, and left.
func sided(t *test) int {
	if t.missingLeft {
		return 2*int(t.feature) + 1
	}
	return 2 * int(t.feature)
}

// plainColumns makes the columns of tests of one threshold, and returns their numbers.
func (w *walks[K]) plainColumns(e *Ensemble[*Axis], least, largest K) []uint32 {
	numbers := make([]uint32, 2*e.Dim())
	for _, t := range e.Trees {
		for i := range t.tests {
			if !t.IsLeaf(i) && t.set(i) == nil {
				numbers[sided(&t.tests[i])] = 1
			}
		}
	}
	for k, used := range numbers {
		if used == 0 {
			continue
		}
		numbers[k] = uint32(len(w.columns))
		missing := largest
		if k%2 == 1 {
			missing = least
		}
		w.columns = append(w.columns, column[K]{feature: int32(k / 2), missing: missing})
	}
	if len(w.columns) == 0 { // leaves look at one
		w.columns = []column[K]{{missing: largest}}
	}
	w.sets = uint32(len(w.columns))
	return numbers
}

// setColumns makes a column of each feature with tests of sets, and returns their numbers and how
// many ends one has at most.
func (w *walks[K]) setColumns(e *Ensemble[*Axis]) (numbers map[int32]uint32, most int) {
	numbers = make(map[int32]uint32)
	for _, t := range e.Trees {
		for i, set := range t.sets {
			if set == nil {
				continue
			}
			f := t.tests[i].feature
			if _, ok := numbers[f]; !ok {
				numbers[f] = uint32(len(w.columns))
				w.columns = append(w.columns, column[K]{feature: f})
			}
			c := &w.columns[numbers[f]]
			c.ends = append(c.ends, w.ends(t, set)...)
		}
	}
	for k := range w.columns[w.sets:] {
		c := &w.columns[int(w.sets)+k]
		slices.Sort(c.ends)
		c.ends = slices.Compact(c.ends)
		most = max(most, len(c.ends))
	}
	return numbers, most
}

// ends returns the largest key before each threshold of a set.
func (w *walks[K]) ends(t *Axis, set []float64) []K {
	ends := make([]K, len(set))
	for k, threshold := range set {
		ends[k] = w.order(t.Comparison.last(threshold))
	}
	return ends
}

// mostWords is how many words of bits the sets of an ensemble may take, 32 MiB.
const mostWords = 1 << 22

// addBits adds which keys of its column go right at node i of a tree, whose test is of a set.
func (w *walks[K]) addBits(n *walkNode[K], t *Axis, i int) bool {
	all, own := w.columns[n.column].ends, w.ends(t, t.set(i))
	words := (len(all)+1)/64 + 1
	if len(w.bits)+words > mostWords {
		return false
	}
	right := make([]uint64, words)
	set := func(key int) { right[key>>6] |= 1 << (key & 63) }
	if !t.tests[i].missingLeft {
		set(0)
	}
	beyond := 0
	for k := range len(all) + 1 { // values beyond the first k ends have the key k+1
		if k > 0 && beyond < len(own) && own[beyond] == all[k-1] {
			beyond++
		}
		if beyond%2 == 1 {
			set(k + 1)
		}
	}
	if w.masks != nil {
		w.masks[len(w.nodes)] = right[0]
		return true
	}
	n.last = K(len(w.bits))
	w.bits = append(w.bits, right...)
	return true
}

// keys returns the numbers by which a row is compared.
func (w *walks[K]) keys(x []float64, dim int) []K {
	keys := make([]K, 0, len(x)/dim*len(w.columns))
	for ; len(x) > 0; x = x[dim:] {
		for i := range w.columns {
			c := &w.columns[i]
			v := x[c.feature]
			k := c.missing
			switch {
			case v != v:
			case c.ends == nil:
				k = w.order(v)
			default:
				k = K(below(c.ends, w.order(v)) + 1)
			}
			keys = append(keys, k)
		}
	}
	return keys
}

// below returns how many of some keys, ascending, are less than one.
func below[K key](keys []K, k K) int {
	first := 0
	for n := len(keys); n > 0; {
		half, less := (n+1)/2, 0
		if keys[first+half-1] < k {
			less = 1
		}
		first += half & -less
		n -= half
	}
	return first
}

// walk finds the leaves that rows reach from a root, four at a time. The last rows may be fewer.
func (w *walks[K]) walk(root uint32, depth int, keys []K, leaves []uint32) {
	nodes, width := w.nodes, len(w.columns)
	for len(leaves) >= 4 {
		switch {
		case w.masks != nil:
			walkFourMasks(nodes, w.masks, root, depth, keys[:4*width], leaves[:4])
		case w.bits == nil:
			walkFour(nodes, root, depth, keys[:4*width], leaves[:4])
		default:
			w.walkFourSets(root, depth, keys[:4*width], leaves[:4])
		}
		keys, leaves = keys[4*width:], leaves[4:]
	}
	for i := range leaves {
		row := keys[i*width : (i+1)*width]
		leaves[i] = root
		for range depth {
			n := nodes[leaves[i]]
			switch key := row[n.column]; {
			case w.masks != nil:
				leaves[i] = n.stepMask(key, w.masks[leaves[i]])
			case n.column < w.sets:
				leaves[i] = n.step(key)
			default:
				leaves[i] = n.stepSet(key, w.bits, w.sets)
			}
		}
	}
}

// walkFour walks four rows. Now and then it looks whether all are there.
func walkFour[K key](nodes []walkNode[K], root uint32, depth int, rows []K, leaves []uint32) {
	width := uint(len(rows)) / 4
	n0, n1, n2, n3 := root, root, root, root
	for ; depth > 0; depth-- {
		n := &nodes[n0]
		n0 = n.step(rows[n.column])
		n = &nodes[n1]
		n1 = n.step(rows[uint(n.column)+width])
		n = &nodes[n2]
		n2 = n.step(rows[uint(n.column)+2*width])
		n = &nodes[n3]
		n3 = n.step(rows[uint(n.column)+3*width])
		if depth&3 == 0 && nodes[n0].left == n0 && nodes[n1].left == n1 &&
			nodes[n2].left == n2 && nodes[n3].left == n3 {
			break
		}
	}
	leaves[0], leaves[1], leaves[2], leaves[3] = n0, n1, n2, n3
}

// step returns the node below that a key goes to.
func (n *walkNode[K]) step(key K) uint32 {
	beyond := uint32(0)
	if key > n.last {
		beyond = 1
	}
	return n.left + beyond
}

// walkFourMasks is walkFour of an ensemble with tests of sets whose nodes have masks.
func walkFourMasks[K key](
	nodes []walkNode[K], masks []uint64, root uint32, depth int, rows []K, leaves []uint32,
) {
	width := uint(len(rows)) / 4
	n0, n1, n2, n3 := root, root, root, root
	for ; depth > 0; depth-- {
		n := &nodes[n0]
		n0 = n.stepMask(rows[n.column], masks[n0])
		n = &nodes[n1]
		n1 = n.stepMask(rows[uint(n.column)+width], masks[n1])
		n = &nodes[n2]
		n2 = n.stepMask(rows[uint(n.column)+2*width], masks[n2])
		n = &nodes[n3]
		n3 = n.stepMask(rows[uint(n.column)+3*width], masks[n3])
		if depth&3 == 0 && nodes[n0].left == n0 && nodes[n1].left == n1 &&
			nodes[n2].left == n2 && nodes[n3].left == n3 {
			break
		}
	}
	leaves[0], leaves[1], leaves[2], leaves[3] = n0, n1, n2, n3
}

// stepMask is step of a node that may test a set: then no key is beyond last, and else the mask is
// 0, so that the processor need not guess which.
func (n *walkNode[K]) stepMask(key K, mask uint64) uint32 {
	beyond := uint32(0)
	if key > n.last {
		beyond = 1
	}
	among := uint32(0)
	if mask&(1<<(uint64(key)&63)) != 0 {
		among = 1
	}
	return n.left + (beyond | among)
}

// walkFourSets is walkFour of an ensemble with tests of sets.
func (w *walks[K]) walkFourSets(root uint32, depth int, rows []K, leaves []uint32) {
	nodes, bits, sets, width := w.nodes, w.bits, w.sets, uint(len(rows))/4
	n0, n1, n2, n3 := root, root, root, root
	for range depth {
		n := &nodes[n0]
		n0 = n.stepSet(rows[n.column], bits, sets)
		n = &nodes[n1]
		n1 = n.stepSet(rows[uint(n.column)+width], bits, sets)
		n = &nodes[n2]
		n2 = n.stepSet(rows[uint(n.column)+2*width], bits, sets)
		n = &nodes[n3]
		n3 = n.stepSet(rows[uint(n.column)+3*width], bits, sets)
	}
	leaves[0], leaves[1], leaves[2], leaves[3] = n0, n1, n2, n3
}

// stepSet is step of a node that may test a set: it looks at a bit either way, so that the
// processor need not guess which. Columns of sets are numbered from sets on.
func (n *walkNode[K]) stepSet(key K, bits []uint64, sets uint32) uint32 {
	beyond, isSet := uint32(0), uint32(0)
	if key > n.last {
		beyond = 1
	}
	if n.column >= sets {
		isSet = 1
	}
	word := bits[(uint64(n.last)+uint64(key)>>6)&-uint64(isSet)]
	return n.left + (beyond&^isSet | uint32(word>>(uint64(key)&63))&isSet)
}
