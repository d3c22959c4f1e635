package rules

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Breach is how an input breaks a rule.
type Breach int

const (
	FrozenMoved  Breach = iota
	Moved               // in a direction, or so far, as is not allowed
	Outside             // of the domain
	OffGrid             // between whole steps or codes
	NotOneHot           // of a group
	MissingMoved        // missing, or not, against the rule
	Unkept              // a rule between features
)

// String describes a feature of such a breach.
func (b Breach) String() string {
	return [...]string{
		"frozen feature moved", "moved in a direction or so far as is not allowed",
		"beyond min or max", "not a whole step", "not exactly one category",
		"missing, or not, against the rules", "a rule between features that does not hold",
	}[b]
}

// RuleError says which rule an input breaks: one about a feature, about a group, or a linear one.
type RuleError struct {
	Breach  Breach
	Feature int // −1 for none alone
	Group   int // its number; 0 for none
	Linear  int // its position, if the breach is Unkept
	says    string
}

// Error names the feature, the group or the rule by its number.
func (e *RuleError) Error() string {
	if e.Feature < 0 {
		return e.says
	}
	return e.Unwrap().Error()
}

// Unwrap returns a polytope.FeatureError if the rule is about a feature.
func (e *RuleError) Unwrap() error {
	if e.Feature < 0 {
		return nil
	}
	return &polytope.FeatureError{Feature: e.Feature, What: e.says}
}

// Breaks lists the rules that z breaks: of each feature and each group the first.
func (m *Moves) Breaks(z []float64) iter.Seq[*RuleError] {
	return func(yield func(*RuleError) bool) {
		for j, v := range z {
			if m.Member(j) {
				continue
			}
			if e := m.Each[j].Broken(v); e != nil {
				if e.Feature = j; !yield(e) {
					return
				}
			}
		}
		for i := range m.Groups {
			if e := m.Groups[i].broken(z); e != nil && !yield(e) {
				return
			}
		}
		for i := range m.Linear {
			if !Keeps(&m.Linear[i], z) && !yield(&RuleError{
				Unkept, -1, 0, i, fmt.Sprintf("linear rule %d does not hold", i),
			}) {
				return
			}
		}
	}
}

// Broken returns the first of the rules that z breaks, a RuleError; nil for none.
func (m *Moves) Broken(z []float64) error {
	for e := range m.Breaks(z) {
		return e
	}
	return nil
}

// BrokenAt reports whether X itself breaks the rules of a feature, or of its group, so that every
// input that keeps them changes it.
func (m *Moves) BrokenAt(feature int) bool {
	if !m.Member(feature) {
		return m.Each[feature].Broken(m.X[feature]) != nil
	}
	i := slices.IndexFunc(m.Groups,
		func(g Group) bool { return slices.Contains(g.Members, feature) })
	return m.Groups[i].broken(m.X) != nil
}

// Broken returns which rule a move to z breaks, without the number of the feature; nil for none.
func (m *Move) Broken(z float64) *RuleError {
	broken := func(b Breach, format string, args ...any) *RuleError {
		return &RuleError{Breach: b, says: fmt.Sprintf(format, args...)}
	}
	switch same := z == m.x || (math.IsNaN(z) && m.missing()); {
	case m.stays && !same && m.Frozen:
		return broken(FrozenMoved, "moved from %v to %v, and is to stay", m.x, z)
	case m.stays && !same:
		return broken(MissingMoved, "moved from %v to %v, and is to stay", m.x, z)
	case m.stays:
	case same && (m.missing() || m.own):
	case math.IsNaN(z) && !m.MayMiss():
		return broken(MissingMoved, "may not be missing")
	case math.IsInf(m.Cost(z), 1):
		return broken(Moved, "moved from %v to %v, at any price", m.x, z)
	case math.IsNaN(z):
	case !m.free.Contains(z):
		return broken(m.beyond(z), "moved from %v to %v, and must lie between %v and %v",
			m.x, z, m.free.Lo, m.free.Hi)
	case m.Step > 0 && !m.onGrid(z):
		return broken(OffGrid, "is %v, and must be %v and a multiple of %v", z, m.Origin, m.Step)
	}
	return nil
}

// beyond tells why a number is none of those that are free.
func (m *Move) beyond(z float64) Breach {
	switch {
	case !m.limits.Contains(z):
		return Moved
	case m.Categorical && !codes(m.Codes).Contains(z):
		return OffGrid
	}
	return Outside
}

// broken returns which rule z breaks; nil for none.
func (g *Group) broken(z []float64) *RuleError {
	hot := g.Hot(z)
	switch {
	case g.stays:
		for _, j := range g.Members {
			if x := g.moves.X[j]; z[j] != x && !(math.IsNaN(z[j]) && math.IsNaN(x)) {
				return &RuleError{Breach: FrozenMoved, Feature: j, Group: g.Number,
					says: fmt.Sprintf("is frozen, and moved from %v to %v", x, z[j])}
			}
		}
		return nil
	case hot < 0:
		return &RuleError{Breach: NotOneHot, Feature: -1, Group: g.Number, says: fmt.Sprintf(
			"of group %d exactly one feature must be 1, and the others 0", g.Number)}
	}
	if _, ok := g.Price(hot); !ok {
		return &RuleError{Breach: Moved, Feature: hot, Group: g.Number,
			says: fmt.Sprintf("must not become the 1 of group %d", g.Number)}
	}
	return nil
}
