package classifier

import (
	"context"
	"fmt"
	"math"
	"math/bits"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/rows"
)

// TreeOptions are the parameters of training a decision tree. The zero value
// grows with entropy until the leaves are pure.
type TreeOptions struct {
	Criterion Criterion // what a split reduces most
	MaxDepth  int       // splits on a path; 0 for no limit
	MinSplit  int       // rows that a node needs to be split; 0 means 2
	MinLeaf   int       // rows that each child must get; 0 means 1
	// MaxFeatures is how many of d features are tried at a node, and more while all
	// of them are constant there: a number up to d, AllFeatures, SqrtFeatures or
	// Log2Features. 0 means AllFeatures for a tree, SqrtFeatures for a forest.
	MaxFeatures int
	Seed        uint32 // random_state: the order in which features are tried
	// Robust is the distance ε by which an adversary may move every feature, in its
	// units, when splits are scored; 0 means plain splitting.
	Robust float64
}

// What MaxFeatures may be besides a number, of d features.
const (
	AllFeatures  = -1 // d
	SqrtFeatures = -2 // ⌊√d⌋
	Log2Features = -3 // ⌊log₂ d⌋, at least 1
)

var _ Trainer = TreeOptions{}

// TrainTree grows a decision tree by CART (Breiman et al., "Classification and
// Regression Trees", 1984), node for node as DecisionTreeClassifier of
// scikit-learn 1.2 does with the same random_state: features are rounded to
// float32, thresholds lie halfway between neighbouring values, values closer than
// 1e-7 count as equal. A class is a label from 0 to the largest in y.
//
// With TreeOptions.Robust = ε > 0 splits are scored as in Chen et al., "Robust
// decision trees against adversarial examples" (ICML 2019, section 4): rows whose
// feature lies within ε of the threshold t, t−ε ≤ x ≤ t+ε, may be on either side,
// and a split counts for the least impurity that it removes in four cases: none
// of them moves, all go left, all go right, all change sides. A split that removes
// none in one of these is not made, so that a large ε leaves a single leaf.
// Children get the rows where they are. Features, thresholds and the order in which
// they are tried are those of plain splitting, and so are time and memory.
//
// It takes O(d·n) memory, and as much time for each level of the tree. Errors
// wrap ErrEmpty, ErrSize, ErrValue, ErrLength, ErrLabel, ErrOption or the
// context's error.
func TrainTree(ctx context.Context, x mat.Matrix, y []int, opts TreeOptions) (*Tree, error) {
	t, err := opts.grow(ctx, x, y)
	if err != nil {
		return nil, fmt.Errorf("classifier: tree: %w", err)
	}
	return t, nil
}

// Train is TrainTree as a Trainer.
func (o TreeOptions) Train(ctx context.Context, x mat.Matrix, y []int) (Classifier, error) {
	t, err := TrainTree(ctx, x, y, o)
	if err != nil {
		return nil, err
	}
	return t, nil
}

func (o TreeOptions) check() error {
	if err := o.Criterion.check(); err != nil {
		return err
	}
	if o.MaxDepth < 0 || o.MinSplit < 0 || o.MinLeaf < 0 {
		return fmt.Errorf("%w: depth %d, minimum split %d, minimum leaf %d: none may be negative", ErrOption, o.MaxDepth, o.MinSplit, o.MinLeaf)
	}
	return checkRobust(o.Robust)
}

// features returns how many of dim features are tried at a node.
func (o TreeOptions) features(dim int) (int, error) {
	switch o.MaxFeatures {
	case 0, AllFeatures:
		return dim, nil
	case SqrtFeatures:
		return int(math.Sqrt(float64(dim))), nil
	case Log2Features:
		return max(1, bits.Len(uint(dim))-1), nil
	}
	if o.MaxFeatures < 0 || o.MaxFeatures > dim {
		return 0, fmt.Errorf("%w: %d features tried of %d", ErrOption, o.MaxFeatures, dim)
	}
	return o.MaxFeatures, nil
}

func (o TreeOptions) grow(ctx context.Context, x mat.Matrix, y []int) (*Tree, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	data, err := newTrainingSet(ctx, x, y, 1)
	if err != nil {
		return nil, err
	}
	if o.MaxFeatures, err = o.features(data.dim()); err != nil {
		return nil, err
	}
	g := newGrower(data, o, newScores(o.Criterion, data.len(), data.classes))
	return g.grow(ctx, o.Seed)
}

// trainingSet is what trees are grown on. Growing does not change it.
type trainingSet struct {
	columns []column
	y       []int
	classes int
}

// column is a feature of every row, rounded to float32.
type column struct {
	values []float32 // the different ones, ascending
	rank   []uint32  // of each row's value among them
}

func (d *trainingSet) len() int { return len(d.y) }

func (d *trainingSet) dim() int { return len(d.columns) }

// newTrainingSet checks and sorts the data on so many goroutines.
func newTrainingSet(ctx context.Context, x mat.Matrix, y []int, workers int) (*trainingSet, error) {
	table, classes, err := rows.Labelled(ctx, x, y)
	if err != nil {
		return nil, err
	}
	for i, v := range table.Data {
		if f := float64(float32(v)); f-f != 0 {
			return nil, fmt.Errorf("row %d, column %d: %w in float32: %v", i/table.Dim, i%table.Dim, ErrValue, v)
		}
	}
	data := &trainingSet{columns: make([]column, table.Dim), y: y, classes: classes}
	err = share(ctx, workers, table.Dim, func() func(int) error {
		keys, spare := make([]uint64, table.Len), make([]uint64, table.Len)
		return func(j int) error {
			data.columns[j] = newColumn(table, j, keys, spare)
			return nil
		}
	})
	if err != nil {
		return nil, err
	}
	return data, nil
}

// newColumn sorts feature j, in the space of two slices as long as the table.
func newColumn(table *rows.Table, j int, keys, spare []uint64) column {
	for i := range keys {
		keys[i] = uint64(ordinal(float32(table.Data[i*table.Dim+j])))<<32 | uint64(i)
	}
	keys = sortKeys(keys, spare, 0, math.MaxUint32)
	c := column{rank: make([]uint32, len(keys))}
	for i, key := range keys {
		if i == 0 || key>>32 != keys[i-1]>>32 {
			c.values = append(c.values, float32(table.Data[int(uint32(key))*table.Dim+j]))
		}
		c.rank[uint32(key)] = uint32(len(c.values) - 1)
	}
	return c
}

// ordinal maps float32 to whole numbers in the same order. The two zeros become
// neighbours, which is as good as equal.
func ordinal(v float32) uint32 {
	b := math.Float32bits(v)
	if b>>31 == 1 {
		return ^b
	}
	return b | 1<<31
}

// sortKeys sorts keys whose upper halves lie in low..high by these, and returns
// them in one of the two slices; the other one is scratch space as long.
func sortKeys(keys, spare []uint64, low, high uint32) []uint64 {
	if len(keys) <= fewKeys {
		insertionSort(keys)
		return keys
	}
	width := bits.Len32(high - low)
	passes := (width + digitBits - 1) / digitBits
	for pass := range passes {
		sortByDigit(spare, keys, low, width*pass/passes)
		keys, spare = spare, keys
	}
	return keys
}

const (
	// fewKeys are sorted fastest by insertion.
	fewKeys   = 32
	digitBits = 8
)

func insertionSort(keys []uint64) {
	for i := 1; i < len(keys); i++ {
		k, j := keys[i], i
		for ; j > 0 && keys[j-1] > k; j-- {
			keys[j] = keys[j-1]
		}
		keys[j] = k
	}
}

// sortByDigit is a pass of radix sort: it orders the keys by digitBits bits, from
// shift on, of the upper half less low, and keeps the order where these agree.
func sortByDigit(into, keys []uint64, low uint32, shift int) {
	var start [1 << digitBits]uint32
	for _, k := range keys {
		start[uint8((uint32(k>>32)-low)>>shift)]++
	}
	sum := uint32(0)
	for d, n := range start {
		start[d] = sum
		sum += n
	}
	for _, k := range keys {
		d := uint8((uint32(k>>32) - low) >> shift)
		into[start[d]] = k
		start[d]++
	}
}
