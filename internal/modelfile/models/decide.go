package models

import (
	"errors"
	"fmt"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// UndecidedVote is the error for a model that is to have labels and whose file does not say how its
// sums make one.
const UndecidedVote = Unsupported("objective: none, as of a model that was trained with one of " +
	"its own: the file does not say " +
	"how its sums make a label. ReadOptions.Vote does, facet's --vote logistic or softmax; " +
	"a *Regressor has the sum of a single class, facet asks about it with --target output:T")

// Decide has the sums of boosted trees vote by a rule where the file has no meaning for them, or
// says that they are the output of a regressor, as XGBoost does of an objective of the user's own.
// A single sum is in favour of label 1.
func (m *Model) Decide(rule trees.Rule) error {
	single := m.Kind == Regressor
	switch {
	case !single && !m.Undecided || m.Link != trees.Identity || m.Vote.Rule != trees.Sum ||
		m.Adds == nil:
		return errors.New("the file says itself how its trees vote, or what becomes of their sum")
	case single && rule != trees.Sum && rule != trees.Logistic:
		return errors.New("one sum, in favour of label 1: a logistic vote makes it a label")
	case !single && rule != trees.Sum && rule != trees.Softmax:
		return fmt.Errorf("sums of %d classes: a softmax vote makes them a label",
			len(m.ClassValues))
	}
	if single {
		m.Kind, m.ClassValues = Ensemble, Labels(2)
		for i := range m.Adds {
			m.Adds[i] = 1
		}
		if m.Vote.Base != nil {
			m.Vote.Base = []float64{0, m.Vote.Base[0]}
		}
	}
	m.Vote.Rule, m.Undecided = rule, false
	return nil
}
