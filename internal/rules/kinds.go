package rules

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Kinds is a set of kinds of rules, which a classifier follows or not.
type Kinds uint

const (
	Prices     Kinds = 1 << iota // prices of moves, by direction; in ℓ2 the same both ways
	Directions                   // prices that differ by direction in ℓ2
	Steps                        // whole steps
	Groups                       // one-hot groups
	Categories                   // categories
	Missing                      // missing values, and how they may change
	Changes                      // prices of changes, counted
	Linear                       // linear rules between features
	Proofs                       // prices, in proofs
	Joint                        // the labels of other classifiers
	All        Kinds = 1<<iota - 1
)

// Names of the kinds, in their order.
var names = [...]string{
	"prices", "prices that differ by direction in ℓ2", "whole steps", "one-hot groups",
	"categories",
	"missing values", "counts of changes", "linear rules between features", "prices in proofs",
	"requirements of other classifiers",
}

// String lists the kinds.
func (k Kinds) String() string {
	var list []string
	for i, name := range names {
		if k&(1<<i) != 0 {
			list = append(list, name)
		}
	}
	return strings.Join(list, ", ")
}

// Refused returns why a classifier that follows some kinds of rules cannot be asked, in a sentence
// for the user; nil if it can. Limits, directions that do not exist and frozen features are no more
// than a domain, which all follow.
func (m *Moves) Refused(follows Kinds) error {
	if err := geometry.CheckNorm(m.Norm); err != nil {
		return err
	}
	if m.Changes && follows&Changes == 0 {
		return fmt.Errorf("only attacks on trees count changes: %w",
			errors.ErrUnsupported)
	}
	if follows&Missing == 0 && slices.ContainsFunc(m.X, math.IsNaN) {
		return fmt.Errorf("x: %w: missing values are for trees that test one feature at a time",
			geometry.CheckPoint(m.X, len(m.X)))
	}
	if j, what := m.Unfollowed(follows); what != "" {
		return &polytope.FeatureError{
			Feature: j, What: what + ", which is for trees that test one feature at a time",
			Err: errors.ErrUnsupported,
		}
	}
	if err := m.refusedLinear(); err != nil {
		return err
	}
	if follows&Directions == 0 && m.Norm == polytope.L2 {
		prices, _ := m.Real()
		return geometry.Cost{Norm: m.Norm, Prices: prices}.Check(len(m.X))
	}
	return nil
}

// Unfollowed returns the first feature that is more than a real number, by a kind of rule that is
// not followed, and the name of that kind; "" if there is none.
func (m *Moves) Unfollowed(follows Kinds) (feature int, what string) {
	for j, move := range m.Each {
		if kind, what := move.beyondReal(); kind&^follows != 0 {
			return j, what
		}
	}
	return 0, ""
}

// beyondReal names the kinds of rules that make a feature more than a real number, and returns
// them; 0 if there are none.
func (f *Feature) beyondReal() (Kinds, string) {
	switch {
	case f.Frozen && f.Group == 0: // it stays, of any kind
	case f.Group > 0:
		return Groups, fmt.Sprintf("is a member of one-hot group %d", f.Group)
	case f.Categorical && f.Missing != KeepMissing:
		return Categories | Missing,
			fmt.Sprintf("is a category with the rule %q for missing values", f.Missing)
	case f.Categorical:
		return Categories, "is a category"
	case f.Step > 0:
		return Steps, fmt.Sprintf("may take multiples of %v only", f.Step)
	case f.Missing != KeepMissing:
		return Missing, fmt.Sprintf("has the rule %q for missing values", f.Missing)
	}
	return 0, ""
}
