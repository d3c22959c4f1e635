package classifier

import (
	"errors"
	"fmt"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree"
	"github.com/seed-1a7dc1f9/facet/internal/models"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Probability returns the regressor whose output is the probability of a class: what Above and
// Range say of it is about that. It is the mean frequency of a SoftVote, the share of the votes of
// a HardVote, 1/(1+exp(−margin)) of boosted trees whose leaves have values for one of two classes,
// and the softmax of a SoftmaxVote, all in the arithmetic of their sums. A softmax is no function
// of one sum: it has no Range, and is not saved. The error wraps errors.ErrUnsupported where the
// vote does not say what the probabilities are: of a SumVote of several classes.
func (e *Ensemble) Probability(class int) (*Regressor, error) {
	if e.vote.Vote.Rule == trees.Share {
		return nil, fmt.Errorf("classifier: %w", errShare("has no probabilities of its own"))
	}
	if class < 0 || class >= e.Classes() {
		return nil, fmt.Errorf("classifier: %w: class %d of %d", ErrOption, class, e.Classes())
	}
	if e.vote.Vote.Rule == trees.Softmax {
		return e.softmax(class)
	}
	vote, link, value, err := e.probability(class)
	if err != nil {
		return nil, fmt.Errorf("classifier: the probability of class %d: %w", class, err)
	}
	m := &models.Model{
		Kind: models.Regressor, Dim: e.Dim(), FeatureNames: e.features,
		Categories: e.categories, CategoryNames: e.words,
		Comparison: e.trees[0].axis.Comparison, Vote: vote, Link: link,
	}
	for t, tree := range e.trees {
		nodes := make(trees.Nodes, tree.axis.Len())
		for i := range nodes {
			nodes[i] = tree.axis.Node(i)
			nodes[i].Value = []float64{value(e.vote.Value(t, i))}
		}
		m.Trees = append(m.Trees, nodes)
	}
	r, err := newRegressor(m)
	if err != nil {
		return nil, modelError(err)
	}
	return r, nil
}

// softmax returns the regressor of the softmax of a class.
func (e *Ensemble) softmax(class int) (*Regressor, error) {
	above := func(t float64) (*Ensemble, error) {
		vote, err := e.vote.WithShare(class, t)
		if err != nil {
			return nil, modelError(err)
		}
		asked := &Ensemble{trees: e.trees, opts: e.opts, labels: labels{
			features: e.features, categories: e.categories, words: e.words,
		}}
		asked.prepare(vote, func() *boxtree.Model { return e.model.get().With(vote) })
		return asked, nil
	}
	first, err := above(1)
	if err != nil {
		return nil, err
	}
	m := &models.Model{
		Kind: models.Regressor, Dim: e.Dim(), FeatureNames: e.features,
		Categories: e.categories, CategoryNames: e.words,
	}
	return &Regressor{model: m, trees: first.vote, shares: above}, nil
}

// errShare says what a softmax cannot.
func errShare(what string) error {
	return fmt.Errorf("the probability is a softmax of several sums, which %s: %w",
		what, errors.ErrUnsupported)
}

// probability returns how trees with one value a node make the probability of a class, and that
// value of what a node contributes to all classes.
func (e *Ensemble) probability(
	class int,
) (v trees.Vote, link trees.Link, value func(all []float64) float64, err error) {
	of := e.vote.Vote
	v = trees.Vote{Rule: trees.Soft, Single: of.Single, Divisor: of.Divisor}
	value = func(all []float64) float64 { return all[class] }
	if of.Rule == trees.Soft || of.Rule == trees.Hard {
		return v, trees.Identity, value, nil
	}
	if e.Classes() != 2 {
		return v, link, nil, fmt.Errorf("the vote is by the sums of %d classes, and does not say "+
			"that they make a softmax: %w", e.Classes(), errors.ErrUnsupported)
	}
	summed := 1
	if !e.addsNothing(0) {
		if summed = 0; !e.addsNothing(1) {
			return v, link, nil, fmt.Errorf("the sums of both classes are made of leaves: %w",
				errors.ErrUnsupported)
		}
	}
	sign := 1.0
	if summed != class {
		sign = -1
	}
	v = trees.Vote{
		Rule: trees.Sum, Base: []float64{sign * of.Base[summed]},
		Single: of.Single, AnyOrder: of.AnyOrder,
	}
	return v, trees.Sigmoid, func(all []float64) float64 { return sign * all[summed] }, nil
}

// addsNothing reports whether the sum of a class is 0 for all inputs.
func (e *Ensemble) addsNothing(class int) bool {
	if e.vote.Vote.Base[class] != 0 {
		return false
	}
	for t, tree := range e.trees {
		for i := range tree.axis.Len() {
			if tree.axis.IsLeaf(i) && e.vote.Value(t, i)[class] != 0 {
				return false
			}
		}
	}
	return true
}
