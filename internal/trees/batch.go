package trees

import (
	"math"
	"sort"
)

// Batch predicts many rows faster than one by one, with the same bits: in blocks of rows,
// tree by tree, some rows down a tree side by side.
type Batch struct {
	ensemble *Ensemble[*Axis]
	trees    []batchTree
	rounds   bool // inputs are compared as float32
}

// batchTree is a tree numbered level by level, siblings side by side. Its leaves lead to
// themselves, so that a walk of as many steps as it is deep ends in the right one. Inputs are
// compared as integers in the same order: then no step waits for a guess of the processor.
type batchTree struct {
	nodes  []batchNode
	number []int32 // of each node in the ensemble's tree
	depth  int
	// Most boosted trees add to one class alone, −1 if not: then what each node adds.
	class int
	adds  []float64
	// of each node the largest values before each threshold of a set; nil if none has one
	sets [][]int64
}

// batchNode sends what is greater than last to the node behind left.
type batchNode struct {
	last          int64
	feature, left int32
}

// NewBatch prepares an ensemble, in 20 to 28 bytes a node.
func NewBatch(e *Ensemble[*Axis]) *Batch {
	b := &Batch{
		ensemble: e,
		trees:    make([]batchTree, e.Len()),
		rounds:   e.Trees[0].Comparison.rounds(),
	}
	for i, t := range e.Trees {
		b.trees[i] = newBatchTree(t)
		b.trees[i].addTo(&e.Sums, i)
	}
	return b
}

func newBatchTree(t *Axis) batchTree {
	b := batchTree{
		nodes:  make([]batchNode, 0, t.Len()),
		number: append(make([]int32, 0, t.Len()), 0),
		depth:  t.Depth(),
	}
	for i := 0; i < len(b.number); i++ {
		at := int(b.number[i])
		n := batchNode{last: math.MaxInt64, left: int32(i)}
		if !t.IsLeaf(at) {
			n = batchNode{
				last:    ordered(t.tests[at].last),
				feature: t.tests[at].feature,
				left:    int32(len(b.number)),
			}
			b.number = append(b.number, t.Children[at].Left, t.Children[at].Right)
			b.addSet(t, i, at)
		}
		b.nodes = append(b.nodes, n)
	}
	return b
}

// addSet adds the thresholds of a set to node i, that with number at in the tree.
func (b *batchTree) addSet(t *Axis, i, at int) {
	set := t.set(at)
	if set == nil {
		return
	}
	if b.sets == nil {
		b.sets = make([][]int64, t.Len())
	}
	b.sets[i] = make([]int64, len(set))
	for k, threshold := range set {
		b.sets[i][k] = ordered(t.Comparison.last(threshold))
	}
}

// addTo finds out which classes tree number i adds to.
func (b *batchTree) addTo(s *Sums, i int) {
	b.class = -1
	for _, at := range b.number {
		for c, v := range s.Value(i, int(at)) {
			if v != 0 && b.class >= 0 && b.class != c {
				b.class, b.adds = -1, nil
				return
			}
			if v != 0 {
				b.class = c
			}
		}
	}
	for _, at := range b.number {
		b.adds = append(b.adds, s.Value(i, int(at))[max(b.class, 0)])
	}
	b.class = max(b.class, 0) // a tree of zeros adds to any
}

// ordered returns an integer in the order of the numbers; both zeros have one. None goes left
// of NaN.
func ordered(v float64) int64 {
	if v != v {
		return math.MinInt64
	}
	bits := int64(math.Float64bits(v + 0))
	return bits ^ int64(uint64(bits>>63)>>1)
}

// number returns the number that ordered gives an integer, of finite ones.
func number(i int64) float64 { return math.Float64frombits(uint64(i ^ int64(uint64(i>>63)>>1))) }

// BatchRows is the number of rows of a block: a block and a tree stay in the cache of a core.
const BatchRows = 64

// Predict sets labels to the labels of the rows in x, at most BatchRows.
func (b *Batch) Predict(x []float64, labels []int) {
	e, dim := b.ensemble, b.ensemble.Dim()
	keys := make([]int64, len(x))
	for i := range labels {
		labels[i] = -1
		if row := x[i*dim : (i+1)*dim]; b.order(keys[i*dim:], row) {
			labels[i] = e.Predict(row) // a missing value goes where each node says
		}
	}
	sums, leaves := make([]float64, len(labels)*e.Classes), make([]int32, len(labels))
	for i := range labels {
		copy(sums[i*e.Classes:], e.Vote.Base)
	}
	for t := range b.trees {
		b.trees[t].walk(keys, dim, leaves)
		b.add(sums, t, leaves)
	}
	for i, label := range labels {
		if label < 0 {
			labels[i] = e.Decide(sums[i*e.Classes : (i+1)*e.Classes])
		}
	}
}

// add adds what rows find in the leaves of tree t.
func (b *Batch) add(sums []float64, t int, leaves []int32) {
	e, tree := b.ensemble, &b.trees[t]
	if tree.class < 0 {
		for i, leaf := range leaves {
			e.Add(sums[i*e.Classes:(i+1)*e.Classes], t, int(tree.number[leaf]))
		}
		return
	}
	for i, leaf := range leaves {
		at := i*e.Classes + tree.class
		sums[at] = e.Vote.rounded(sums[at] + tree.adds[leaf])
	}
}

// order sets keys to the values of a row as the trees compare them, and reports whether one
// is missing.
func (b *Batch) order(keys []int64, row []float64) (missing bool) {
	for j, v := range row {
		if b.rounds {
			v = float64(float32(v))
		}
		keys[j] = ordered(v)
		missing = missing || v != v
	}
	return missing
}

// walk finds the leaves that rows reach, four at a time.
func (t *batchTree) walk(keys []int64, dim int, leaves []int32) {
	if t.sets != nil {
		t.walkSets(keys, dim, leaves)
		return
	}
	nodes, i := t.nodes, 0
	for ; i+4 <= len(leaves); i += 4 {
		r0, r1, r2, r3 := keys[i*dim:(i+1)*dim], keys[(i+1)*dim:(i+2)*dim], keys[(i+2)*dim:(i+3)*
			dim], keys[(i+3)*dim:(i+4)*dim]
		var n0, n1, n2, n3 int32
		for range t.depth {
			n0, n1, n2, n3 = step(nodes, n0, r0), step(nodes, n1, r1), step(nodes, n2,
				r2), step(nodes, n3, r3)
		}
		leaves[i], leaves[i+1], leaves[i+2], leaves[i+3] = n0, n1, n2, n3
	}
	for ; i < len(leaves); i++ {
		leaves[i] = 0
		for range t.depth {
			leaves[i] = step(nodes, leaves[i], keys[i*dim:(i+1)*dim])
		}
	}
}

// step returns the node below node i that a row goes to.
func step(nodes []batchNode, i int32, row []int64) int32 {
	n := &nodes[i]
	beyond := int32(0)
	if row[n.feature] > n.last {
		beyond = 1
	}
	return n.left + beyond
}

// walkSets is walk of a tree with tests of sets.
func (t *batchTree) walkSets(keys []int64, dim int, leaves []int32) {
	for i := range leaves {
		row, at := keys[i*dim:(i+1)*dim], int32(0)
		for range t.depth {
			set := t.sets[at]
			if set == nil {
				at = step(t.nodes, at, row)
				continue
			}
			n := &t.nodes[at]
			key := row[n.feature]
			beyond := sort.Search(len(set), func(k int) bool { return key <= set[k] })
			at = n.left + int32(beyond%2)
		}
		leaves[i] = at
	}
}
