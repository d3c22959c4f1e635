package trees

import "math"

// Batch predicts many rows faster than one by one, with the same bits: in blocks of rows,
// tree by tree, some rows down a tree side by side.
type Batch struct {
	ensemble *Ensemble[*Axis]
	trees    []batchTree
	single   *walks[int32] // of inputs that are compared as float32
	double   *walks[int64] // of others; nil both if sets are too large
}

// batchTree is a tree as batches of rows walk it.
type batchTree struct {
	root   uint32  // among the nodes of all trees
	number []int32 // of each node in the ensemble's tree
	depth  int
	// Most boosted trees add to one class alone, −1 if not: then the number that each node adds.
	class int
	adds  []float64
}

// NewBatch prepares an ensemble, in 16 to 28 bytes a node, and the bits of sets.
func NewBatch(e *Ensemble[*Axis]) *Batch {
	b := &Batch{ensemble: e, trees: make([]batchTree, e.Len())}
	for i, t := range e.Trees {
		b.trees[i].depth = t.Depth()
		b.trees[i].number = levels(t)
		if i > 0 {
			b.trees[i].root = b.trees[i-1].root + uint32(e.Trees[i-1].Len())
		}
		b.trees[i].addTo(&e.Sums, i)
	}
	if e.Trees[0].Comparison.rounds() {
		b.single = newWalks(b, func(v float64) int32 { return ordered32(float32(v)) },
			math.MinInt32, math.MaxInt32)
	} else {
		b.double = newWalks(b, ordered, math.MinInt64, math.MaxInt64)
	}
	return b
}

// levels lists the nodes of a tree level by level, siblings side by side.
func levels(t *Axis) []int32 {
	order := append(make([]int32, 0, t.Len()), 0)
	for i := 0; i < len(order); i++ {
		if children := t.Children[order[i]]; children.Left >= 0 {
			order = append(order, children.Left, children.Right)
		}
	}
	return order
}

// addTo finds out which classes tree number i adds to.
func (b *batchTree) addTo(s *Sums, i int) {
	b.class = -1
	for _, at := range b.number {
		for c, v := range s.Value(i, int(at)) {
			if v != 0 && b.class >= 0 && b.class != c {
				b.class = -1
				return
			}
			if v != 0 {
				b.class = c
			}
		}
	}
	b.class = max(b.class, 0) // a tree of zeros adds to any
	b.adds = make([]float64, len(b.number))
	for k, at := range b.number {
		b.adds[k] = s.Value(i, int(at))[b.class]
	}
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

// ordered32 is ordered of a float32.
func ordered32(v float32) int32 {
	if v != v {
		return math.MinInt32
	}
	bits := int32(math.Float32bits(v + 0))
	return bits ^ int32(uint32(bits>>31)>>1)
}

// Rows returns how many rows a block has best: more share the reading of a tree, and fewer stay in
// the cache of a core beside it.
func (b *Batch) Rows() int {
	width := 1
	if b.single != nil {
		width = len(b.single.columns) / 2
	} else if b.double != nil {
		width = len(b.double.columns)
	}
	return min(max(leastRows, blockKeys/max(width, 1)), mostRows)
}

const (
	leastRows = 64
	mostRows  = 512
	blockKeys = 1 << 14 // of eight bytes
)

// Predict sets labels to the labels of the rows in x.
func (b *Batch) Predict(x []float64, labels []int) {
	switch {
	case b.single != nil:
		predict(b, b.single, x, labels)
	case b.double != nil:
		predict(b, b.double, x, labels)
	default:
		dim := b.ensemble.Dim()
		for i := range labels {
			labels[i] = b.ensemble.Predict(x[i*dim : (i+1)*dim])
		}
	}
}

func predict[K key](b *Batch, w *walks[K], x []float64, labels []int) {
	e := b.ensemble
	keys := w.keys(x, e.Dim())
	sums, leaves := make([]float64, len(labels)*e.Classes), make([]uint32, len(labels))
	for i := range labels {
		copy(sums[i*e.Classes:], e.Vote.Base)
	}
	for t := range b.trees {
		w.walk(b.trees[t].root, b.trees[t].depth, keys, leaves)
		b.add(sums, t, leaves)
	}
	for i := range labels {
		labels[i] = e.Decide(sums[i*e.Classes : (i+1)*e.Classes])
	}
}

// add adds the values of rows' leaves in tree t.
func (b *Batch) add(sums []float64, t int, leaves []uint32) {
	e, tree := b.ensemble, &b.trees[t]
	switch {
	case tree.class >= 0:
		for i, leaf := range leaves {
			at := i*e.Classes + tree.class
			sums[at] = e.Vote.rounded(sums[at] + tree.adds[leaf-tree.root])
		}
	case e.Classes == 2 && !e.Vote.Single: // the same without a loop of two
		values := e.values[t]
		for i, leaf := range leaves {
			at := 2 * int(tree.number[leaf-tree.root])
			sum, value := sums[2*i:2*i+2], values[at:at+2]
			sum[0] += value[0]
			sum[1] += value[1]
		}
	default:
		for i, leaf := range leaves {
			e.Add(sums[i*e.Classes:(i+1)*e.Classes], t, int(tree.number[leaf-tree.root]))
		}
	}
}
