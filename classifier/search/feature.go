package search

import "fmt"

// Feature says what it costs to move one feature of the input, and where it may go. The zero
// value is any real number, at 1 a unit both ways.
//
// The cost of a move from X to z is ‖c‖ in the norm of the query, where c_j is Up·(z_j − X_j) of
// a feature that rises, Down·(X_j − z_j) of one that falls, and a flat price for a category and for
// a missing value, as below. In polytope.L0 every feature that changes costs its price, Up if it
// rises and Down if it falls, and these are added.
//
// X itself may break a rule of limits or kind: then an example must mend it, at the cost of the
// move that does. A frozen feature stays as it is, whatever the other rules and the domain say.
type Feature struct {
	// Up and Down are the prices of a unit; 0 means 1, and +Inf that the feature may not
	// move so.
	Up, Down float64
	// Frozen features do not move.
	Frozen bool
	// MaxUp and MaxDown are how far the feature may rise and fall, MaxUpPart and MaxDownPart the
	// same as parts of |X_j|; 0 means no limit. The Domain of the query has limits that do not
	// depend on X.
	MaxUp, MaxDown         float64
	MaxUpPart, MaxDownPart float64
	// Step > 0 leaves only the values Origin + k·Step, for integers k from −2⁵³ to 2⁵³. A value of X
	// within a billionth of a step of one counts as one.
	Step, Origin float64
	// Group > 0 makes it a member of a one-hot group: exactly one feature of those with this
	// number is 1, and the others are 0. To make this one the 1 costs Up, once for the group.
	Group int
	// Categorical values are codes 0, 1, 2, …, and that of X, which may be no code: none that
	// is known, negative or a fraction. Any change costs Up.
	Categorical bool
	// Codes > 0 leaves a Categorical feature the codes below that number, and the value of X.
	Codes int
	// Missing says what may become of a missing value, and whether there may be one.
	Missing MissingRule
}

// MissingRule says what may become of a missing value, a NaN. A change costs Up, in every norm.
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
