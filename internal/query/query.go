// Package query compiles what an attack is asked: a classifier, an input and options become a
// search.Query, once.
package query

import (
	"errors"
	"fmt"

	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// ErrTarget is returned for an input that has the target label already.
var ErrTarget = errors.New("the point already has the target label")

// Plain checks what an attack is given that follows no rules of moves, and returns its query.
// A nil target stands for any label but that of x.
func Plain(
	c guard.Classifier, norm polytope.Norm, target *int, x []float64,
) (q search.Query, err error) {
	if err := guard.CheckClassifier(c); err != nil {
		return q, err
	}
	return Following(c, 0, norm, target, x)
}

// Following is Plain for an attack that follows some kinds of rules on a classifier that
// was checked. Whoever follows none of missing values is not even asked for their label.
func Following(
	c guard.Classifier, follows search.Rules, norm polytope.Norm, target *int, x []float64,
) (q search.Query, err error) {
	if err := norm.Validate(); err != nil {
		return q, err
	}
	if err := polytope.CheckPoint(rules.Present(x), c.Dim()); err != nil {
		return q, fmt.Errorf("x: %w", err)
	}
	if err := (&rules.Rules{X: x, Norm: norm}).Refused(follows); err != nil {
		return q, err
	}
	return label(c, norm, target, x)
}

// label makes the query of an input that was checked, whose label it asks for.
func label(
	c guard.Classifier, norm polytope.Norm, target *int, x []float64,
) (q search.Query, err error) {
	defer guard.Recover(&err)
	q = search.Query{X: x, Target: -1, Norm: norm}
	if target != nil {
		q.Target = *target
		if q.Target < 0 || q.Target >= c.Classes() {
			return q, fmt.Errorf("%w: target label %d of %d classes",
				rows.ErrOption, q.Target, c.Classes())
		}
	}
	if q.From = guard.Predict(c, x); q.From < 0 || q.From >= c.Classes() {
		return q, fmt.Errorf("%w: %T predicts label %d of %d classes",
			guard.ErrClassifier, c, q.From, c.Classes())
	}
	if q.From == q.Target {
		return q, fmt.Errorf("label %d: %w", q.Target, ErrTarget)
	}
	return q, nil
}
