package rules

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Check returns an error that names the first feature whose rules make no sense.
func Check(features []Feature, dim int) error {
	if len(features) != dim {
		return fmt.Errorf("rules for %d features, the classifier has %d", len(features), dim)
	}
	members := map[int]int{}
	for j := range features {
		if err := features[j].check(); err != nil {
			return &polytope.FeatureError{Feature: j, Err: err}
		}
		members[features[j].Group]++
	}
	for j, f := range features {
		if f.Group > 0 && members[f.Group] == 1 {
			return &polytope.FeatureError{
				Feature: j, What: fmt.Sprintf("is the only one of group %d", f.Group),
			}
		}
	}
	return nil
}

func (f *Feature) check() error {
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
	if bounded := slices.Max(limits) > 0; (f.Group > 0 || f.Categorical) &&
		(bounded || f.Down != 0) {
		return errors.New("a category has one price, up, and neither limits of moves nor a step")
	}
	return nil
}

// Declare returns rules, nil for none, with those about the categories that a model declares, of
// so many codes, 0 for a number: unless the rules make them a grid or part of a one-hot group.
func Declare(features []Feature, codes []int) ([]Feature, error) {
	declared := func(n int) bool { return n > 0 }
	if features == nil && slices.ContainsFunc(codes, declared) {
		features = make([]Feature, len(codes))
	}
	for j, n := range codes {
		if n == 0 || features[j].Step > 0 || features[j].Group > 0 {
			continue
		}
		f := &features[j]
		f.Categorical, f.Codes = true, cmp.Or(f.Codes, n)
		if err := f.check(); err != nil {
			return features, &polytope.FeatureError{
				Feature: j, What: "is a category of the model", Err: err,
			}
		}
	}
	return features, nil
}
