package prooftext

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Real returns a query without Moves, as proofs know them: with finite prices, none if all are 1,
// and a domain of closed intervals. Its error says why there is none.
func Real(q search.Query) (search.Query, error) {
	if q.Moves != nil {
		if err := q.Moves.Refused(rules.Prices | rules.Directions); err != nil {
			return q, fmt.Errorf("proofs know limits and prices of real numbers only: %w: %w",
				err, errors.ErrUnsupported)
		}
		q.Prices, q.Domain = q.Moves.Real()
		q.Moves = nil
	}
	for j, i := range q.Domain {
		switch _, ok := i.Inside(q.X[j]); {
		case !ok:
			return q, fmt.Errorf(
				"feature %d may go nowhere by its rules, and there is nothing to prove: %w",
				j, errors.ErrUnsupported,
			)
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
