package classifier

import (
	"context"
	"iter"

	"github.com/seed-1a7dc1f9/facet/internal/access"
	"github.com/seed-1a7dc1f9/facet/internal/prooftext"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

func init() {
	access.Open(access.Doors{
		Searcher: searcherOf, Prover: proverOf, Trees: treesOf, Sums: sumsOf, Cells: listingOf,
		CellAt: locatorOf, File: fileOf, Batch: batchOf,
	})
}

// engine is a classifier with a search of its own cells, for the other packages of the module.
type engine interface {
	search(ctx context.Context, q search.Query) (search.Search, error)
	follows() search.Rules
	// prover returns the prover of answers. Where there is none the error says why, and wraps
	// errors.ErrUnsupported.
	prover() (prooftext.Prover, error)
}

// searcher is an engine as a search.Searcher.
type searcher struct{ engine }

// Search implements search.Searcher.
func (s searcher) Search(ctx context.Context, q search.Query) (search.Search, error) {
	return s.search(ctx, q)
}

// Follows implements search.Searcher.
func (s searcher) Follows() search.Rules { return s.follows() }

func searcherOf(c any) (search.Searcher, bool) {
	e, ok := c.(engine)
	return searcher{e}, ok
}

// listingOf is access.CellsOf.
func listingOf(c any) (access.Cells, bool) {
	d, ok := c.(Decomposable)
	return func() iter.Seq2[int, polytope.Polyhedron] {
		cells := d.Cells()
		if cells == nil {
			return nil
		}
		return func(yield func(int, polytope.Polyhedron) bool) {
			cells(func(cell Cell) bool { return yield(cell.Label, cell.Region) })
		}
	}, ok
}

// locatorOf is access.CellAtOf.
func locatorOf(c any) (access.CellAt, bool) {
	l, ok := c.(locator)
	return func(x []float64) (int, polytope.Polyhedron, error) {
		cell, err := l.CellAt(x)
		return cell.Label, cell.Region, err
	}, ok
}

// follows implements engine: all rules of moves. Those are refused by the search that would
// take too much memory: of one-hot groups, and of features that may be missing, that most trees
// test again and again.
func (t *Tree) follows() search.Rules { return search.AllRules }

// follows implements engine as that of Tree.
func (e *Ensemble) follows() search.Rules { return search.AllRules }

// follows implements engine: prices of moves, and linear rules.
func (c *KNN) follows() search.Rules { return search.Prices | search.Linear }

// follows implements engine: prices of moves.
func (c *WeightedKNN) follows() search.Rules { return search.Prices }

// follows implements engine as that of KNN.
func (e *ObliqueEnsemble) follows() search.Rules { return search.Prices | search.Linear }
