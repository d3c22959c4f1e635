package attack

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/query"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
)

// Feature says how much a move of one feature of the input costs, and where it may go. The zero
// value is any real number, at 1 a unit both ways.
//
// The cost of a move from x to z is ‖c‖ in the norm of the options, where c_j is Up·(z_j − x_j) of
// a feature that rises, Down·(x_j − z_j) of one that falls, and a flat price for a category and for
// a missing value, as below. By Options.Changes a feature that changes costs its price, Up if it
// rises and Down if it falls, and these are added.
//
// x itself may break a rule of limits or kind: then an example must mend it, at the cost of the
// move that does. A frozen feature stays as it is, against all other rules and the domain.
type Feature struct {
	// Up and Down are the prices of a unit; 0 means 1, and +Inf that the feature may not
	// move so.
	Up, Down float64
	// Frozen features do not move.
	Frozen bool
	// MaxUp and MaxDown are how far the feature may rise and fall, MaxUpPart and MaxDownPart the
	// same as parts of |x_j|; 0 means no limit. Options.Domain has limits that do not depend on x.
	MaxUp, MaxDown         float64
	MaxUpPart, MaxDownPart float64
	// Step > 0 leaves only the values Origin + k·Step, for integers k from −2⁵³ to 2⁵³. A value of
	// x within a billionth of a step of one counts as one.
	Step, Origin float64
	// Group > 0 makes it a member of a one-hot group: exactly one feature of those with this
	// number is 1, and the others are 0. To make this one the 1 costs Up, once for the group.
	Group int
	// Categorical values are codes 0, 1, 2, …, and that of x, which may be no code: none that
	// is known, negative or a fraction. Any change costs Up.
	Categorical bool
	// Codes > 0 leaves a Categorical feature the codes below that number, and the value of x.
	Codes int
	// Missing says how a missing value may change, and whether there may be one.
	Missing MissingRule
}

// MissingRule says how a missing value, a NaN, may change. A change costs Up, in every norm.
type MissingRule int

const (
	KeepMissing MissingRule = iota // a NaN stays, and a number stays a number
	FillMissing                    // a NaN may become any number that the rules allow
	MayMiss                        // that, and a number may become NaN
)

// Distance returns the cost of a move from x to z: in Options.Norm, or Changes, by the prices of
// Options.Features and of the categories that the classifier declares. A value that stays missing
// costs 0. It is the Distance of a Result whose Example is z, up to rounding; it does not check
// that the rules allow the move. Both have Dim() elements.
func (a *RegionBased) Distance(x, z []float64) float64 {
	r, err := query.Rules(a.asked(), a.Classifier, x)
	if err != nil {
		return math.NaN()
	}
	return r.Moves().Distance(z)
}

// given returns rules as package rules takes them.
func given(features []Feature) []rules.Feature {
	if features == nil {
		return nil
	}
	list := make([]rules.Feature, 0, len(features))
	for _, f := range features {
		list = append(list, rules.As(f))
	}
	return list
}
