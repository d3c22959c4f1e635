package prooftext

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// RealQuery is a query without Moves, as proofs know them: with finite prices, none if all are 1,
// and a domain of closed intervals.
type RealQuery struct {
	search.Query
	Codes []int        // of each feature that is a category; 0 of a number, nil if none is one
	moves *rules.Moves // that the query had
}

// Real returns the question of a query. Its error says why there is none.
func Real(query search.Query) (q RealQuery, err error) {
	q.Query, q.moves = query, query.Moves
	if len(q.Linear) > 0 {
		return q, fmt.Errorf("proofs know no linear rules between features: %w",
			errors.ErrUnsupported)
	}
	if q.Moves != nil {
		const follows = rules.Prices | rules.Directions | rules.Categories
		if err := q.Moves.Refused(follows); err != nil {
			return q, fmt.Errorf("proofs know numbers and categories only: %w: %w",
				err, errors.ErrUnsupported)
		}
		var j int
		if q.Codes, j = q.Moves.Codes(); j >= 0 {
			return q, fmt.Errorf("proofs know categories of so many codes only, which "+
				"Feature.Codes or the model says: %w", &polytope.FeatureError{
				Feature: j, What: "has none", Err: errors.ErrUnsupported,
			})
		}
		q.Prices, q.Domain = q.Moves.Real()
		q.Moves = nil
	}
	for j, i := range q.Domain {
		switch _, ok := geometry.Inside(i, q.X[j]); {
		case !ok:
			return q, &polytope.FeatureError{
				Feature: j, What: "may go nowhere by its rules, and there is nothing to prove",
				Err: errors.ErrUnsupported,
			}
		case (i.LoOpen && !math.IsInf(i.Lo, 0)) || (i.HiOpen && !math.IsInf(i.Hi, 0)):
			return q, fmt.Errorf(
				"interval %d of the domain is open, and proofs know closed ones only: %w",
				j, errors.ErrUnsupported,
			)
		}
	}
	q.Prices = finite(q.Prices)
	return q, nil
}

// Price returns the price of a category in an interval; false if it holds none.
func (q *RealQuery) Price(feature int, i polytope.Interval) (float64, bool) {
	return q.moves.Each[feature].Price(i)
}

// IsCategory reports whether a feature is one.
func (q *RealQuery) IsCategory(feature int) bool { return q.Codes != nil && q.Codes[feature] > 0 }

// finite returns prices with 1 for directions that do not exist, which the domain says.
func finite(p *polytope.Prices) *polytope.Prices {
	if p == nil {
		return nil
	}
	p = &polytope.Prices{Up: slices.Clone(p.Up), Down: slices.Clone(p.Down)}
	for _, prices := range [...][]float64{p.Up, p.Down} {
		for j, price := range prices {
			if math.IsInf(price, 1) {
				prices[j] = 1
			}
		}
	}
	return rules.Priced(p)
}
