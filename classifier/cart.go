package classifier

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
)

// TreeOptions are the parameters of training a decision tree. The zero value grows
// with entropy until the leaves are pure.
type TreeOptions struct {
	Criterion Criterion // what a split reduces most
	MaxDepth  int       // splits on a path; 0 for no limit
	MinSplit  int       // rows that a node needs to be split; 0 means 2
	MinLeaf   int       // rows that each child must get; 0 means 1
	Seed      uint32    // random_state: the order in which equally good features are tried
}

var _ Trainer = TreeOptions{}

// TrainTree grows a decision tree by CART (Breiman et al., "Classification and
// Regression Trees", 1984), node for node as DecisionTreeClassifier of scikit-learn
// 1.2 does with the same random_state: features are rounded to float32, thresholds
// lie halfway between neighbouring values, values closer than 1e-7 count as equal. A class
// is a label from 0 to the largest in y.
//
// It takes O(d·n log n) time for each level of the tree. Errors wrap
// ErrEmpty, ErrSize, ErrValue, ErrLength, ErrLabel, ErrOption or the context's error.
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

func (o TreeOptions) grow(ctx context.Context, x mat.Matrix, y []int) (*Tree, error) {
	if err := o.Criterion.check(); err != nil {
		return nil, err
	}
	if o.MaxDepth < 0 || o.MinSplit < 0 || o.MinLeaf < 0 {
		return nil, fmt.Errorf("%w: depth %d, minimum split %d, minimum leaf %d: none may be negative", ErrOption, o.MaxDepth, o.MinSplit, o.MinLeaf)
	}
	table, classes, err := rows.Labelled(ctx, x, y)
	if err != nil {
		return nil, err
	}
	g, err := newGrower(table, y, classes, o)
	if err != nil {
		return nil, err
	}
	if err := g.grow(ctx); err != nil {
		return nil, err
	}
	return NewTree(table.Dim, Float32, g.nodes)
}

// randMax is the largest number of scikit-learn's generator inside a tree.
const randMax = 1<<31 - 1

// newGrower prepares the growth of one tree.
func newGrower(table *rows.Table, y []int, classes int, o TreeOptions) (*grower, error) {
	g := &grower{
		table: table, y: y, classes: classes,
		criterion: o.Criterion, maxDepth: o.MaxDepth, minSplit: max(o.MinSplit, 2), minLeaf: max(o.MinLeaf, 1),
		random: uint32(numpyrand.New(o.Seed).Randint(0, randMax)),
	}
	g.x = make([]float32, len(table.Data))
	for i, v := range table.Data {
		g.x[i] = float32(v)
		if f := float64(g.x[i]); f-f != 0 {
			return nil, fmt.Errorf("row %d, column %d: %w in float32: %v", i/table.Dim, i%table.Dim, ErrValue, v)
		}
	}
	g.samples = make([]int32, table.Len)
	for i := range g.samples {
		g.samples[i] = int32(i)
	}
	g.features, g.constant = make([]int, table.Dim), make([]int, table.Dim)
	for j := range g.features {
		g.features[j] = j
	}
	g.values = make([]sample, table.Len)
	g.total, g.left, g.right = make([]float64, classes), make([]float64, classes), make([]float64, classes)
	return g, nil
}
