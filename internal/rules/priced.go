package rules

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Priced returns the same query without Features, whose Prices and Domain say what they do, for
// a search in convex cells. The Domain is empty if no input obeys the rules. Its error says in a
// sentence why there is none: features that are not just real numbers, a missing value,
// polytope.L0, prices that differ by direction in ℓ2, or a Solver that knows no prices.
func Priced(q search.Query) (search.Query, error) {
	q, err := realOnes(q)
	if err != nil || allOnes(q.Prices) {
		q.Prices = nil
		return q, err
	}
	if err := q.Gauge().Check(len(q.X)); err != nil {
		return q, err
	}
	return q, checkSolver(&q)
}

// realOnes returns a query whose Prices, which may all be 1, and Domain say what its Features do. The error is that of
// Priced about features.
func realOnes(q search.Query) (search.Query, error) {
	if err := q.Norm.Validate(); err != nil {
		return q, err
	}
	if err := polytope.CheckPoint(q.X, len(q.X)); err != nil {
		return q, fmt.Errorf("x: %w: missing values are for trees that test one feature at a time", err)
	}
	if q.Features == nil {
		return q, nil
	}
	p := &polytope.Prices{Up: make([]float64, len(q.X)), Down: make([]float64, len(q.X))}
	domain := make(polytope.Box, len(q.X))
	for j := range q.Features {
		if err := realOnly(&q.Features[j]); err != nil {
			return q, fmt.Errorf("feature %d %w, which is for trees that test one feature at a time: %w", j, err, errors.ErrUnsupported)
		}
		m := Of(&q, j)
		if domain[j] = m.free; m.stays {
			domain[j] = polytope.Interval{Lo: m.x, Hi: m.x}
			m.Up, m.Down = math.Inf(1), math.Inf(1)
		}
		p.Up[j], p.Down[j] = m.Up, m.Down
	}
	q.Domain, q.Prices, q.Features = domain, p, nil
	return q, nil
}

// allOnes reports whether all prices are 1.
func allOnes(p *polytope.Prices) bool {
	other := func(price float64) bool { return price != 1 }
	return p == nil || !slices.ContainsFunc(p.Up, other) && !slices.ContainsFunc(p.Down, other)
}

// Provable returns a query whose Prices and Domain say what its Features do, as proofs know
// them: with finite prices, none if all are 1, and a domain of closed intervals. Its error says why there is none.
func Provable(q search.Query) (search.Query, error) {
	q, err := realOnes(q)
	if err != nil {
		return q, fmt.Errorf("proofs know limits and prices of real numbers only: %w: %w", err, errors.ErrUnsupported)
	}
	for j, i := range q.Domain {
		switch _, ok := i.Inside(q.X[j]); {
		case !ok:
			return q, fmt.Errorf("feature %d may go nowhere by its rules, and there is nothing to prove: %w", j, errors.ErrUnsupported)
		case (i.LoOpen && !math.IsInf(i.Lo, 0)) || (i.HiOpen && !math.IsInf(i.Hi, 0)):
			return q, fmt.Errorf("interval %d of the domain is open, and proofs know closed ones only: %w", j, errors.ErrUnsupported)
		}
	}
	if q.Prices != nil {
		for _, prices := range [...][]float64{q.Prices.Up, q.Prices.Down} {
			for j, price := range prices {
				if math.IsInf(price, 1) { // the domain says so
					prices[j] = 1
				}
			}
		}
	}
	if allOnes(q.Prices) {
		q.Prices = nil
	}
	return q, nil
}

// realOnly returns an error that says what a feature is if it is more than a real number.
func realOnly(f *search.Feature) error {
	switch {
	case f.Step > 0:
		return fmt.Errorf("may take multiples of %v only", f.Step)
	case f.Group > 0:
		return fmt.Errorf("is a member of one-hot group %d", f.Group)
	case f.Categorical:
		return errors.New("is a category")
	case f.Missing != search.KeepMissing:
		return fmt.Errorf("has the rule %q for missing values", f.Missing)
	}
	return nil
}

// checkSolver returns an error if the solver knows no prices. Where a price is 1, or +Inf, which
// the domain says as well, there is no need to.
func checkSolver(q *search.Query) error {
	if _, ok := q.Solver.(*polytope.Native); ok || q.Solver == nil {
		return nil
	}
	for j, up := range q.Prices.Up {
		for _, price := range [...]float64{up, q.Prices.Down[j]} {
			if price != 1 && !math.IsInf(price, 1) {
				return fmt.Errorf("feature %d costs %v a unit, and a Solver other than polytope.Native knows no prices: %w", j, price, errors.ErrUnsupported)
			}
		}
	}
	q.Prices = nil
	return nil
}
