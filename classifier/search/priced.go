package search

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Gauge measures what moves cost by the Norm and the Prices.
func (q *Query) Gauge() polytope.Gauge { return polytope.Gauge{Norm: q.Norm, Prices: q.Prices} }

// Priced returns the same query without Features, whose Prices and Domain say what they do, for
// a search in convex cells. The Domain is empty if no input obeys the rules. Its error says in a
// sentence why there is none: features that are not just real numbers, a missing value,
// polytope.L0, prices that differ by direction in ℓ2, or a Solver that knows no prices.
func (q Query) Priced() (Query, error) {
	if err := q.Norm.Validate(); err != nil {
		return q, err
	}
	if err := polytope.CheckPoint(q.X, len(q.X)); err != nil {
		return q, fmt.Errorf("x: %w: missing values are for trees whose features are tested one by one", err)
	}
	if q.Features == nil {
		return q, nil
	}
	p := &polytope.Prices{Up: make([]float64, len(q.X)), Down: make([]float64, len(q.X))}
	domain, plain := polytope.NewBox(len(q.X)), true
	for j := range q.Features {
		f := &q.Features[j]
		if err := f.real(); err != nil {
			return q, fmt.Errorf("feature %d %w, which is for trees whose features are tested one by one: %w", j, err, errors.ErrUnsupported)
		}
		p.Up[j], p.Down[j] = f.prices()
		plain = plain && p.Up[j] == 1 && p.Down[j] == 1
		if domain[j] = f.limits(q.X[j]); !f.Frozen && q.Domain != nil {
			domain[j] = domain[j].Intersect(q.Domain[j])
		}
	}
	q.Domain, q.Features = domain, nil
	if plain {
		return q, nil
	}
	q.Prices = p
	if err := q.Gauge().Check(len(q.X)); err != nil {
		return q, err
	}
	return q, q.checkSolver()
}

// real returns an error that says what a feature is if it is more than a real number.
func (f *Feature) real() error {
	switch {
	case f.Step > 0:
		return fmt.Errorf("may take multiples of %v only", f.Step)
	case f.Group > 0:
		return fmt.Errorf("is a member of one-hot group %d", f.Group)
	case f.Categorical:
		return errors.New("is a category")
	case f.Missing != KeepMissing:
		return fmt.Errorf("has the rule %q for missing values", f.Missing)
	}
	return nil
}

// prices returns those of a real feature, +Inf where it does not move.
func (f *Feature) prices() (up, down float64) {
	if f.Frozen {
		return math.Inf(1), math.Inf(1)
	}
	return cmp.Or(f.Up, 1), cmp.Or(f.Down, 1)
}

// limits returns where a real feature may go from x.
func (f *Feature) limits(x float64) polytope.Interval {
	up, down := f.prices()
	return polytope.Interval{
		Lo: x - limit(down, f.MaxDown, f.MaxDownPart, x),
		Hi: x + limit(up, f.MaxUp, f.MaxUpPart, x),
	}
}

// limit returns how far a feature may go in a direction of a price.
func limit(price, most, part, x float64) float64 {
	if math.IsInf(price, 1) {
		return 0
	}
	if most == 0 {
		most = math.Inf(1)
	}
	if part > 0 {
		most = min(most, part*math.Abs(x))
	}
	return most
}

// checkSolver returns an error if the solver knows no prices. Where a price is 1, or +Inf, which
// the domain says as well, there is no need to.
func (q *Query) checkSolver() error {
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
