package classifier

import (
	"context"
	"iter"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/internal/trees/oblique"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// ObliqueTree is a linear decision tree (paper, appendix A; also called oblique):
// an inner node sends x left when Weights·x ≤ Threshold and right otherwise; a
// leaf predicts its most frequent class, the smaller label of a tie.
//
// Weights·x is a float64 sum from the first feature to the last in which every
// product is rounded before it is added, so that all machines predict the same.
// Cells are those of exact arithmetic; where the sum is within its rounding error
// of the threshold a prediction may differ from them, and a cell thinner than that
// does not count. Tests of a single feature part float64 as predictions do, to the
// last bit, and the real numbers between two float64 by the exact product.
type ObliqueTree struct {
	labels
	oblique *trees.Oblique
}

// ObliqueNode is a node of an ObliqueTree. Node 0 is the root. Children come after
// their parents; a leaf has Left = Right = −1 and no Weights.
type ObliqueNode struct {
	Weights     []float64 // one per feature
	Threshold   float64
	Left, Right int
	// Value holds the class frequencies of the training rows that reach the node,
	// or whatever else an ObliqueEnsemble adds up, one number per class.
	Value []float64
}

var (
	_ Decomposable = (*ObliqueTree)(nil)
	_ Locator      = (*ObliqueTree)(nil)
	_ engine       = (*ObliqueTree)(nil)
)

// NewObliqueTree makes a tree over dim features from its nodes, which it copies.
// Nodes without a weight that is not zero send every input the same way, and so do
// infinite thresholds. It returns a *ModelError that names the first node that
// is malformed: weights that are not finite or not dim many, a threshold that is NaN,
// values that are not finite or not of one length, a child that does not come after its
// parent or has two.
func NewObliqueTree(dim int, nodes []ObliqueNode) (*ObliqueTree, error) {
	plain := make(trees.Nodes, len(nodes))
	for i, n := range nodes {
		plain[i] = trees.Node{
			Weights: n.Weights, Threshold: n.Threshold,
			Left: n.Left, Right: n.Right, Value: n.Value,
		}
	}
	t, err := trees.NewOblique(dim, plain)
	if err != nil {
		return nil, modelError(err)
	}
	return &ObliqueTree{oblique: t}, nil
}

// Dim returns the number of features.
func (t *ObliqueTree) Dim() int { return t.oblique.Dim }

// Classes returns the number of classes.
func (t *ObliqueTree) Classes() int { return t.oblique.Classes }

// Nodes returns a copy of the nodes.
func (t *ObliqueTree) Nodes() []ObliqueNode {
	nodes := make([]ObliqueNode, t.oblique.Len())
	for i := range nodes {
		n := trees.At(t.oblique, i)
		nodes[i] = ObliqueNode{slices.Clone(n.Weights), n.Threshold, n.Left, n.Right,
			slices.Clone(n.Value)}
	}
	return nodes
}

// Predict returns the label of x. It costs one sum of Dim products for each test on
// the way.
func (t *ObliqueTree) Predict(x []float64) int { return t.oblique.Predict(x) }

// Cells lists the leaves that some input reaches, from left to right. Tests of one
// feature make the box of a cell, the others its half-spaces, closed to the left of a test
// and open to its right. They are those of exact arithmetic: within the
// rounding error of Weights·x a prediction may differ from them. A program is
// solved for each leaf.
func (t *ObliqueTree) Cells() iter.Seq[Cell] { return cellsOf(oblique.Cells(t.oblique)) }

// CellAt returns the leaf that x reaches.
func (t *ObliqueTree) CellAt(x []float64) (Cell, error) {
	if err := geometry.CheckPoint(x, t.Dim()); err != nil {
		return Cell{}, err
	}
	return Cell{Label: t.Predict(x), Region: oblique.CellAt(x, t.oblique)}, nil
}

// search implements engine: a node of the search is a node of the tree. It solves a
// program for a node whose closest point is not that of its parent.
func (t *ObliqueTree) search(_ context.Context, q search.Query) (search.Search, error) {
	return oblique.NewTree(t.oblique, q), nil
}

// cellsOf makes cells of labels and regions.
func cellsOf(regions iter.Seq2[int, polytope.Polyhedron]) iter.Seq[Cell] {
	return func(yield func(Cell) bool) {
		for label, region := range regions {
			if !yield(Cell{Label: label, Region: region}) {
				return
			}
		}
	}
}
