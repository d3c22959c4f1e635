package classifier

import (
	"context"
	"errors"
	"iter"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/internal/trees/oblique"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// ObliqueEnsemble is a linear decision tree (paper, appendix A; also called oblique), or a vote of
// several: an inner node sends x left when Weights·x ≤ Threshold and right otherwise; every tree
// contributes the values of the leaf that x reaches, one number per class; they are added up in the
// order of the trees, and the Vote turns the sums into a label, the smaller one of a tie.
//
// Weights·x is a float64 sum from the first feature to the last in which every
// product is rounded before it is added, so that all machines predict the same.
// Cells are those of exact arithmetic; where the sum is within its rounding error
// of the threshold a prediction may differ from them, and a cell thinner than that
// does not count. Tests of a single feature part float64 as predictions do, to the
// last bit, and the real numbers between two float64 by the exact product.
type ObliqueEnsemble struct {
	labels
	model *oblique.Model
	opts  EnsembleOptions
}

// ObliqueNode is a node of an oblique tree. Node 0 is the root. Children come after
// their parents; a leaf has Left = Right = −1 and no Weights.
type ObliqueNode struct {
	Weights     []float64 // one per feature
	Threshold   float64
	Left, Right int
	// Value holds the class frequencies of the training rows that reach the node,
	// or other numbers that an ObliqueEnsemble adds up, one per class.
	Value []float64
}

var (
	_ Decomposable = (*ObliqueEnsemble)(nil)
	_ locator      = (*ObliqueEnsemble)(nil)
	_ engine       = (*ObliqueEnsemble)(nil)
)

// NewObliqueEnsemble makes a vote of trees over dim features, at least one, from their nodes, which
// it copies. Nodes without a weight that is not zero send every input the same way, and so do
// infinite thresholds. It returns an error that wraps ErrModel and names the first tree and node
// that is malformed: weights that are not finite or not dim many, a threshold that is NaN, values
// that are not finite or not of one length, a child that does not come after its parent or has two;
// or the option.
func NewObliqueEnsemble(
	dim int, members [][]ObliqueNode, opts EnsembleOptions,
) (*ObliqueEnsemble, error) {
	made := make([]*trees.Oblique, len(members))
	for t, nodes := range members {
		plain := make(trees.Nodes, len(nodes))
		for i, n := range nodes {
			plain[i] = trees.Node{
				Weights: n.Weights, Threshold: n.Threshold,
				Left: n.Left, Right: n.Right, Value: n.Value,
			}
		}
		var err error
		if made[t], err = trees.NewOblique(dim, plain); err != nil {
			return nil, modelError(trees.AtTree(t, err))
		}
	}
	return newOblique(made, opts)
}

func newOblique(members []*trees.Oblique, opts EnsembleOptions) (*ObliqueEnsemble, error) {
	if opts.AnyOrder {
		return nil, modelError(
			errors.New("sums in any order of oblique trees, and only axis-parallel ones have them"),
		)
	}
	model, err := oblique.NewModel(members, opts.vote())
	if err != nil {
		return nil, modelError(err)
	}
	opts.Base = slices.Clone(opts.Base)
	return &ObliqueEnsemble{model: model, opts: opts}, nil
}

// Dim returns the number of features.
func (e *ObliqueEnsemble) Dim() int { return e.model.Dim() }

// Classes returns the number of classes.
func (e *ObliqueEnsemble) Classes() int { return e.model.Classes }

// Len returns the number of trees.
func (e *ObliqueEnsemble) Len() int { return len(e.model.Trees) }

// Tree returns a copy of the nodes of tree i.
func (e *ObliqueEnsemble) Tree(i int) []ObliqueNode {
	t := e.model.Trees[i]
	nodes := make([]ObliqueNode, t.Len())
	for i := range nodes {
		n := trees.At(t, i)
		nodes[i] = ObliqueNode{slices.Clone(n.Weights), n.Threshold, n.Left, n.Right,
			slices.Clone(n.Value)}
	}
	return nodes
}

// Options returns the options of the vote.
func (e *ObliqueEnsemble) Options() EnsembleOptions {
	opts := e.opts
	opts.Base = slices.Clone(opts.Base)
	return opts
}

// Predict returns the label of x. It costs one sum of Dim products for each test on
// the way.
func (e *ObliqueEnsemble) Predict(x []float64) int { return e.model.Predict(x) }

// Scores returns the sum of each class before the vote.
func (e *ObliqueEnsemble) Scores(x []float64) []float64 {
	sum := make([]float64, e.Classes())
	e.model.Score(x, sum)
	return sum
}

// Cells lists the intersections of one leaf of each tree that some input reaches, in
// the order of the leaves of the first tree, then of the second. Tests of one
// feature make the box of a cell, the others its half-spaces, closed to the left of a test
// and open to its right. They are those of exact arithmetic: within the
// rounding error of Weights·x a prediction may differ from them. There can be as
// many as the product of the numbers of leaves; a program is solved for each of
// them and for each intersection of the first few leaves.
func (e *ObliqueEnsemble) Cells() iter.Seq[Cell] {
	return func(yield func(Cell) bool) {
		e.model.Cells()(func(label int, region polytope.Polyhedron) bool {
			return yield(Cell{Label: label, Region: region})
		})
	}
}

// CellAt returns the intersection of the leaves that x reaches.
func (e *ObliqueEnsemble) CellAt(x []float64) (Cell, error) {
	if err := geometry.CheckPoint(x, e.Dim()); err != nil {
		return Cell{}, err
	}
	return Cell{Label: e.Predict(x), Region: e.model.CellAt(x)}, nil
}

// search implements engine: branch and bound over conjunctions of tests, or over the nodes of a
// tree that decides alone.
//
// Opening a node costs at most one program for each leaf of the ensemble, mostly one
// for each of the best leaves that does not hold the closest point. There can be as
// many nodes as cells; it takes a few where trees are trained on data.
func (e *ObliqueEnsemble) search(_ context.Context, q search.Query) (search.Search, error) {
	return oblique.New(e.model, q), nil
}
