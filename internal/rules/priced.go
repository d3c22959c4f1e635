package rules

import (
	"errors"
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Priced returns the same query without Features, whose Prices and Domain say what they do, for
// a search in convex cells. The Domain is empty if no input obeys the rules. Its error says in a
// sentence why there is none: features that are not just real numbers, a missing value,
// polytope.L0, prices that differ by direction in ℓ2, or a Solver that knows no prices.
func Priced(q search.Query) (search.Query, error) {
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
	domain, plain := make(polytope.Box, len(q.X)), true
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
		plain = plain && m.Up == 1 && m.Down == 1
	}
	q.Domain, q.Features = domain, nil
	if plain {
		return q, nil
	}
	q.Prices = p
	if err := q.Gauge().Check(len(q.X)); err != nil {
		return q, err
	}
	return q, checkSolver(&q)
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
