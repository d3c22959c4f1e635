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
)

// ObliqueEnsemble is a vote of linear decision trees (paper, appendix A): every
// tree contributes the values of the leaf that x reaches, one number per class;
// they are added up in the order of the trees, and the Vote turns the sums into a
// label, the smaller one of a tie.
type ObliqueEnsemble struct {
	labels // of its first tree
	model  *oblique.Model
	trees  []*ObliqueTree
	opts   EnsembleOptions
}

var (
	_ Decomposable = (*ObliqueEnsemble)(nil)
	_ Locator      = (*ObliqueEnsemble)(nil)
	_ engine       = (*ObliqueEnsemble)(nil)
)

// NewObliqueEnsemble returns the vote of trees with the same features and classes,
// at least one. It returns a *ModelError that names the first tree that does not
// fit, or the option.
func NewObliqueEnsemble(members []*ObliqueTree, opts EnsembleOptions) (*ObliqueEnsemble, error) {
	if opts.AnyOrder {
		return nil, modelError(
			errors.New("sums in any order of oblique trees, and only axis-parallel ones have them"),
		)
	}
	beneath := make([]*trees.Oblique, len(members))
	for i, t := range members {
		if t == nil {
			return nil, modelError(trees.AtTree(i, errors.New("nil")))
		}
		beneath[i] = t.oblique
	}
	model, err := oblique.NewModel(beneath, opts.vote())
	if err != nil {
		return nil, modelError(err)
	}
	opts.Base = slices.Clone(opts.Base)
	return &ObliqueEnsemble{
		labels: members[0].labels,
		model:  model,
		trees:  slices.Clone(members),
		opts:   opts,
	}, nil
}

// Dim returns the number of features.
func (e *ObliqueEnsemble) Dim() int { return e.model.Dim() }

// Classes returns the number of classes.
func (e *ObliqueEnsemble) Classes() int { return e.model.Classes }

// Len returns the number of trees.
func (e *ObliqueEnsemble) Len() int { return len(e.trees) }

// Tree returns tree i.
func (e *ObliqueEnsemble) Tree(i int) *ObliqueTree { return e.trees[i] }

// Options returns the options of the vote.
func (e *ObliqueEnsemble) Options() EnsembleOptions {
	opts := e.opts
	opts.Base = slices.Clone(opts.Base)
	return opts
}

// Predict returns the label of x.
func (e *ObliqueEnsemble) Predict(x []float64) int { return e.model.Predict(x) }

// Scores returns the sum of each class before the vote.
func (e *ObliqueEnsemble) Scores(x []float64) []float64 {
	sum := make([]float64, e.Classes())
	e.model.Score(x, sum)
	return sum
}

// Cells lists the intersections of one leaf of each tree that some input reaches, in
// the order of the leaves of the first tree, then of the second. There can be as
// many as the product of the numbers of leaves; a program is solved for each of
// them and for each intersection of the first few leaves.
func (e *ObliqueEnsemble) Cells() iter.Seq[Cell] { return cellsOf(e.model.Cells()) }

// CellAt returns the intersection of the leaves that x reaches.
func (e *ObliqueEnsemble) CellAt(x []float64) (Cell, error) {
	if err := geometry.CheckPoint(x, e.Dim()); err != nil {
		return Cell{}, err
	}
	return Cell{Label: e.Predict(x), Region: oblique.CellAt(x, e.model.Trees...)}, nil
}

// search implements engine: branch and bound over conjunctions of tests.
//
// Opening a node costs at most one program for each leaf of the ensemble, mostly one
// for each of the best leaves that does not hold the closest point. There can be as
// many nodes as cells; it takes a few where trees are trained on data.
func (e *ObliqueEnsemble) search(_ context.Context, q search.Query) (search.Search, error) {
	return oblique.New(e.model, q), nil
}
