package classifier

import (
	"errors"
	"fmt"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// treesOf is access.Trees.
func treesOf(model any) (trees.Function, error) {
	switch m := model.(type) {
	case *Tree:
		vote, err := m.alone()
		if err != nil {
			return trees.Function{}, err
		}
		return trees.Function{
			Ensemble: vote.Ensemble, Predictor: m, Categories: m.categories,
		}, nil
	case *Ensemble:
		if m.vote.Vote.Rule == trees.Share {
			return trees.Function{}, errShare("questions about all inputs do not know")
		}
		return trees.Function{Ensemble: m.vote, Predictor: m, Categories: m.categories}, nil
	case *Regressor:
		if m.shares != nil {
			return trees.Function{}, errShare("questions about all inputs do not know")
		}
		return trees.Function{
			Ensemble: m.trees, Link: m.model.Link, Categories: m.model.Categories,
		}, nil
	}
	return trees.Function{}, fmt.Errorf("%T: questions about all inputs are for trees that test "+
		"one feature at a time: %w", model, errors.ErrUnsupported)
}

// sumsOf is access.Sums.
func sumsOf(model any) (*boxtree.Sums, error) {
	r, ok := model.(*Regressor)
	switch {
	case !ok:
		return nil, fmt.Errorf("%T: computed outputs are those of a *classifier.Regressor: %w",
			model, errors.ErrUnsupported)
	case r.shares != nil:
		return nil, errShare("has no range so far")
	}
	return r.ranges(), nil
}
