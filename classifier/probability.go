package classifier

import (
	"errors"
	"fmt"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree"
	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Probability returns the regressor whose output is the probability of a class: Above and Range of
// it are about that. It equals the prediction of the model's library, computed from the sums in
// their arithmetic: the mean frequency of a SoftVote, the share of the votes of a HardVote,
// 1/(1+exp(−sum)) of a LogisticVote, the softmax of a SoftmaxVote, or the function of a library
// that makes probabilities otherwise, which Read knows. A softmax of more than two classes is no
// function of one sum: it has no Range, and is not saved. The error wraps errors.ErrUnsupported
// where there are no probabilities, or the file does not define them.
func (e *Ensemble) Probability(class int) (*Regressor, error) {
	if e.vote.Vote.Rule == trees.Share {
		return nil, fmt.Errorf("classifier: %w", errShare("has no probabilities of its own"))
	}
	if class < 0 || class >= e.Classes() {
		return nil, fmt.Errorf("classifier: %w: class %d of %d", ErrOption, class, e.Classes())
	}
	is, err := e.vote.Known()
	switch {
	case err != nil:
		return nil, fmt.Errorf("classifier: probabilities: %w", err)
	case is == trees.Odds && e.Classes() > 2:
		return e.softmax(class)
	}
	one, of := e.vote.One(is, class), &e.vote.Vote
	m := &models.Model{
		Kind: models.Regressor, Dim: e.Dim(), FeatureNames: e.features,
		Categories: e.categories, CategoryNames: e.words,
		Comparison: e.trees[0].axis.Comparison, Link: one.Link,
		Vote: trees.Vote{
			Rule: trees.Soft, Single: of.Single, Divisor: of.Divisor, Scale: of.Scale,
			Curve: of.Curve,
		},
	}
	if of.Based() {
		m.Vote.Rule, m.Vote.AnyOrder = trees.Sum, of.AnyOrder
		m.Vote.Base = []float64{one.Of(of.Base)}
	}
	for t, tree := range e.trees {
		nodes := make(trees.Nodes, tree.axis.Len())
		for i := range nodes {
			nodes[i] = tree.axis.Node(i)
			nodes[i].Value = []float64{one.Of(e.vote.Value(t, i))}
		}
		m.Trees = append(m.Trees, nodes)
	}
	r, err := newRegressor(m)
	if err != nil {
		return nil, modelError(err)
	}
	return r, nil
}

// Probabilities returns a function that computes the probability of each class, that which
// Probability predicts but for the last place, and returns its errors.
func (e *Ensemble) Probabilities() (of func(x []float64) []float64, err error) {
	if e.vote.Vote.Rule == trees.Share {
		return nil, fmt.Errorf("classifier: %w", errShare("has no probabilities of its own"))
	}
	make, err := e.vote.Probabilities()
	if err != nil {
		return nil, fmt.Errorf("classifier: probabilities: %w", err)
	}
	return func(x []float64) []float64 {
		p := e.Scores(x)
		make(p)
		return p
	}, nil
}

// softmax returns the regressor of the softmax of a class.
func (e *Ensemble) softmax(class int) (*Regressor, error) {
	odds, class, err := e.vote.Odds(trees.Odds, class)
	if err != nil {
		return nil, modelError(err)
	}
	prepared := e.model
	if odds != e.vote {
		prepared = newLazy(func() *boxtree.Model { return boxtree.NewModel(odds) })
	}
	above := func(t float64) (*Ensemble, error) {
		vote, err := odds.WithShare(class, t)
		if err != nil {
			return nil, modelError(err)
		}
		asked := &Ensemble{trees: e.trees, opts: e.opts, labels: labels{
			features: e.features, categories: e.categories, words: e.words,
		}}
		asked.prepare(vote, func() *boxtree.Model { return prepared.get().With(vote) })
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

// errShare refuses a question that a softmax cannot answer.
func errShare(what string) error {
	return fmt.Errorf("the probability is a softmax of several sums, which %s: %w",
		what, errors.ErrUnsupported)
}
