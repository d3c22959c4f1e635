package rules

import (
	"fmt"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Feature is a caller's rule about one feature; attack.Feature explains its fields.
type Feature struct {
	Up, Down               float64
	Frozen                 bool
	MaxUp, MaxDown         float64
	MaxUpPart, MaxDownPart float64
	Step, Origin           float64
	Group                  int
	Categorical            bool
	Codes                  int
	Missing                MissingRule
}

// As returns an attack.Feature, whose fields are the same but for the type of the last.
func As[M ~int](f struct {
	Up, Down               float64
	Frozen                 bool
	MaxUp, MaxDown         float64
	MaxUpPart, MaxDownPart float64
	Step, Origin           float64
	Group                  int
	Categorical            bool
	Codes                  int
	Missing                M
}) Feature {
	return Feature{
		f.Up, f.Down, f.Frozen, f.MaxUp, f.MaxDown, f.MaxUpPart, f.MaxDownPart, f.Step, f.Origin,
		f.Group, f.Categorical, f.Codes, MissingRule(f.Missing),
	}
}

// MissingRule is the change that is allowed to a missing value, a NaN. A change costs Up, in every
// norm.
type MissingRule int

const (
	KeepMissing MissingRule = iota // a NaN stays, and a number stays a number
	FillMissing                    // a NaN may become any number that the rules allow
	MayMiss                        // that, and a number may become NaN
)

// String returns "keep", "fill" or "may miss".
func (m MissingRule) String() string {
	switch m {
	case KeepMissing:
		return "keep"
	case FillMissing:
		return "fill"
	case MayMiss:
		return "may miss"
	}
	return fmt.Sprintf("MissingRule(%d)", int(m))
}

// Rules are those of the moves from X, as a caller gives them.
type Rules struct {
	X        []float64
	Norm     polytope.Norm
	Changes  bool         // that count, each at its price, in place of a norm
	Domain   polytope.Box // nil for all of R^d
	Features []Feature    // nil if all cost the same and go anywhere
	// Linear rules are half-spaces, of so many coefficients as there are features.
	Linear []polytope.HalfSpace
}
