package attack

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
)

// Feature says what it costs to move one feature, and where it may go.
type Feature = search.Feature

// MissingRule says what may become of a missing value.
type MissingRule = search.MissingRule

const (
	KeepMissing = search.KeepMissing // a NaN stays, and a number stays a number
	FillMissing = search.FillMissing // a NaN may become any number that the rules allow
	MayMiss     = search.MayMiss     // that, and a number may become NaN
)

// checkFeatures returns an error that names the first feature whose rules make no sense.
func checkFeatures(features []Feature, dim int) error {
	if features == nil {
		return nil
	}
	if len(features) != dim {
		return fmt.Errorf("%w: rules for %d features, the classifier has %d", classifier.ErrOption, len(features), dim)
	}
	members := map[int]int{}
	for j := range features {
		if err := checkFeature(&features[j]); err != nil {
			return fmt.Errorf("%w: feature %d: %w", classifier.ErrOption, j, err)
		}
		members[features[j].Group]++
	}
	for j, f := range features {
		if f.Group > 0 && members[f.Group] == 1 {
			return fmt.Errorf("%w: feature %d is the only one of group %d", classifier.ErrOption, j, f.Group)
		}
	}
	return nil
}

func checkFeature(f *Feature) error {
	if !(f.Up >= 0) || !(f.Down >= 0) {
		return fmt.Errorf("prices %v up and %v down, want numbers ≥ 0", f.Up, f.Down)
	}
	limits := []float64{f.MaxUp, f.MaxDown, f.MaxUpPart, f.MaxDownPart, f.Step}
	for _, limit := range limits {
		if !(limit >= 0) || math.IsInf(limit, 1) {
			return fmt.Errorf("limits of moves and step %v, want finite numbers ≥ 0", limits)
		}
	}
	switch {
	case f.Missing < KeepMissing || f.Missing > MayMiss:
		return fmt.Errorf("missing rule %d", int(f.Missing))
	case !precise.Finite(f.Origin), f.Origin != 0 && f.Step == 0:
		return fmt.Errorf("origin %v with step %v", f.Origin, f.Step)
	case f.Group < 0:
		return fmt.Errorf("group %d", f.Group)
	case f.Codes < 0, f.Codes > 0 && !f.Categorical:
		return fmt.Errorf("%d codes, which only a category has", f.Codes)
	case f.Group > 0 && f.Categorical:
		return errors.New("a member of a one-hot group has no codes of its own")
	case f.Group > 0 && f.Missing != KeepMissing:
		return errors.New("the values of a one-hot group are never missing")
	}
	if bounded := slices.Max(limits) > 0; (f.Group > 0 || f.Categorical) && (bounded || f.Down != 0) {
		return errors.New("a category has one price, up, and neither limits of moves nor a step")
	}
	return nil
}

// Distance returns what a move from x to z costs: in Options.Norm, by the prices of Options.Features and of the categories that the
// classifier declares. A value that stays missing costs nothing. It is the Distance of a Result whose
// Example is z, up to rounding; whether the rules allow the move it does not say. Both have Dim() elements.
func (a *RegionBased) Distance(x, z []float64) float64 {
	q := search.Query{X: x, Norm: a.Norm, Features: a.Features}
	if err := a.declare(&q); err != nil {
		return math.NaN()
	}
	return rules.Distance(&q, z)
}

// rule takes up the rules of the options in a query. It returns an error for a classifier that
// does not know them.
func (a *RegionBased) rule(q *search.Query) error {
	if slices.ContainsFunc(a.Features, func(f Feature) bool { return f != Feature{} }) {
		q.Features = a.Features
	}
	if err := a.declare(q); err != nil {
		return err
	}
	if !rules.Apply(q) {
		return nil
	}
	return a.supports(q)
}

// declare adds to a query the categories that the classifier declares, but for features that the
// options make a grid or part of a one-hot group.
func (a *RegionBased) declare(q *search.Query) error {
	c, ok := a.Classifier.(interface{ Categories() []int })
	if !ok {
		return nil
	}
	codes := c.Categories()
	if !slices.ContainsFunc(codes, func(n int) bool { return n > 0 }) {
		return nil
	}
	if q.Features = slices.Clone(q.Features); q.Features == nil {
		q.Features = make([]Feature, len(q.X))
	}
	for j, n := range codes {
		f := &q.Features[j]
		if n == 0 || f.Step > 0 || f.Group > 0 {
			continue
		}
		f.Categorical, f.Codes = true, cmp.Or(f.Codes, n)
		if err := checkFeature(f); err != nil {
			return fmt.Errorf("%w: feature %d is a category of the model: %w", classifier.ErrOption, j, err)
		}
	}
	return nil
}

// supports returns an error for a classifier that does not know the rules of a query. One that
// lists its cells need not know those about real numbers.
func (a *RegionBased) supports(q *search.Query) error {
	if a.Mode != Exact {
		return fmt.Errorf("%w: mode %v knows no rules of moves", classifier.ErrOption, a.Mode)
	}
	if c, ok := a.Classifier.(search.Ruled); ok {
		return c.Supports(*q)
	}
	priced, err := rules.Priced(*q)
	if err != nil {
		return fmt.Errorf("%T knows no such rules of moves: %w", a.Classifier, err)
	}
	if _, ok := a.Classifier.(classifier.Decomposable); !ok && priced.Prices != nil {
		return fmt.Errorf("%T knows no prices of moves and lists no cells: %w", a.Classifier, errors.ErrUnsupported)
	}
	return nil
}
