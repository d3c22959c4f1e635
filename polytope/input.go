package polytope

import (
	"fmt"
	"strconv"
)

// RowError says of which row of a caller's data an error is. Where that is about one feature of the
// row, Err wraps a FeatureError.
type RowError struct {
	Row int
	Err error
}

// Error names the row by its number.
func (e *RowError) Error() string { return fmt.Sprintf("row %d: %v", e.Row, e.Err) }

// Unwrap returns the mistake in the row.
func (e *RowError) Unwrap() error { return e.Err }

// FeatureError is a mistake in a feature: in its value, a rule, a price or a question about it.
type FeatureError struct {
	Feature int
	What    string // how the sentence goes on after the feature; "" for the text of Err alone
	Err     error  // that it wraps; nil for none
}

// Error names the feature by its number.
func (e *FeatureError) Error() string { return e.Named(strconv.Itoa(e.Feature)) }

// Named is Error with a name for the feature.
func (e *FeatureError) Named(name string) string {
	text := "feature " + name
	if e.What != "" {
		text += " " + e.What
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the error that it wraps.
func (e *FeatureError) Unwrap() error { return e.Err }
