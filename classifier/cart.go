package classifier

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
)

// TreeOptions are the parameters of training a decision tree. The zero value
// grows with entropy until the leaves are pure.
type TreeOptions struct {
	Criterion Criterion // what a split reduces most
	MaxDepth  int       // splits on a path; 0 for no limit
	MinSplit  int       // rows that a node needs to be split; 0 means 2
	MinLeaf   int       // rows that each child must get; 0 means 1
	Seed      uint32    // random_state: the order in which equally good features are tried
}

var _ Trainer = TreeOptions{}

// TrainTree grows a decision tree by CART (Breiman et al., "Classification and
// Regression Trees", 1984), node for node as DecisionTreeClassifier of
// scikit-learn 1.2 does with the same random_state: features are rounded to
// float32, thresholds lie halfway between neighbouring values, values closer than
// 1e-7 count as equal. A class is a label from 0 to the largest in y.
//
// It takes O(d·n log n) time for each level of the tree. Errors wrap ErrEmpty,
// ErrSize, ErrValue, ErrLength, ErrLabel, ErrOption or the context's error.
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
	return nil
}

func (o TreeOptions) grow(ctx context.Context, x mat.Matrix, y []int) (*Tree, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	data, err := newTrainingSet(ctx, x, y)
	if err != nil {
		return nil, err
	}
	return o.growOn(ctx, data, nil, data.table.Dim)
}

// growOn grows a tree on rows with these weights, nil for all ones, trying
// maxFeatures features at a node.
func (o TreeOptions) growOn(ctx context.Context, data *trainingSet, weight []float64, maxFeatures int) (*Tree, error) {
	g := newGrower(data, weight)
	g.criterion, g.maxFeatures = o.Criterion, maxFeatures
	g.maxDepth, g.minSplit, g.minLeaf = o.MaxDepth, max(o.MinSplit, 2), max(o.MinLeaf, 1)
	g.random = uint32(numpyrand.New(o.Seed).Randint(0, randMax))
	if err := g.grow(ctx); err != nil {
		return nil, err
	}
	return NewTree(data.table.Dim, Float32, g.nodes)
}

// randMax is the largest number of scikit-learn's generator inside a tree.
const randMax = 1<<31 - 1

// trainingSet is what trees are grown on. Growing does not change it.
type trainingSet struct {
	table   *rows.Table
	x       []float32 // the rows in float32
	y       []int
	classes int
}

func newTrainingSet(ctx context.Context, x mat.Matrix, y []int) (*trainingSet, error) {
	table, classes, err := rows.Labelled(ctx, x, y)
	if err != nil {
		return nil, err
	}
	data := &trainingSet{table: table, x: make([]float32, len(table.Data)), y: y, classes: classes}
	for i, v := range table.Data {
		data.x[i] = float32(v)
		if f := float64(data.x[i]); f-f != 0 {
			return nil, fmt.Errorf("row %d, column %d: %w in float32: %v", i/table.Dim, i%table.Dim, ErrValue, v)
		}
	}
	return data, nil
}

// newGrower prepares the growth of one tree on the rows with a positive weight.
func newGrower(data *trainingSet, weight []float64) *grower {
	g := &grower{table: data.table, x: data.x, y: data.y, classes: data.classes, weight: weight}
	if weight == nil {
		g.weight = make([]float64, data.table.Len)
		for i := range g.weight {
			g.weight[i] = 1
		}
	}
	for i, w := range g.weight {
		if w > 0 {
			g.samples = append(g.samples, int32(i))
		}
	}
	g.features, g.constant = make([]int, data.table.Dim), make([]int, data.table.Dim)
	for j := range g.features {
		g.features[j] = j
	}
	g.values = make([]sample, len(g.samples))
	g.total, g.left, g.right = make([]float64, data.classes), make([]float64, data.classes), make([]float64, data.classes)
	return g
}
