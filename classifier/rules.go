package classifier

import (
	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
)

var _, _, _, _ search.Ruled = (*KNN)(nil), (*WeightedKNN)(nil), (*ObliqueTree)(nil), (*ObliqueEnsemble)(nil)

// Supports implements search.Ruled: prices, directions, frozen features and limits. In polytope.L2
// the prices of a feature must be the same both ways, or +Inf one way.
func (c *KNN) Supports(q search.Query) error { return supportsPrices(q) }

// Supports implements search.Ruled as that of KNN.
func (c *WeightedKNN) Supports(q search.Query) error { return supportsPrices(q) }

// Supports implements search.Ruled as that of KNN.
func (t *ObliqueTree) Supports(q search.Query) error { return supportsPrices(q) }

// Supports implements search.Ruled as that of KNN.
func (e *ObliqueEnsemble) Supports(q search.Query) error { return supportsPrices(q) }

func supportsPrices(q search.Query) error {
	_, err := rules.Priced(q)
	return err
}

// priced searches for the answers of a query in its prices and domain.
func priced(q search.Query, begin func(q search.Query) (search.Search, error)) (search.Search, error) {
	q, err := rules.Priced(q)
	if err != nil {
		return nil, err
	}
	if q.Domain.Empty() {
		return nowhere{}, nil
	}
	return begin(q)
}

// nowhere is the search of a domain that the rules leave empty.
type nowhere struct{}

func (nowhere) Roots() []search.Node     { return nil }
func (nowhere) NewOpener() search.Opener { return nil }
