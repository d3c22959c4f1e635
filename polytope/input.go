package polytope

import (
	"fmt"
	"strconv"
)

// InputError is the error of one value of a caller's data.
type InputError struct {
	Row, Col int     // Col is −1 for what belongs to the row as a whole, as its label does
	Value    float64 // the value, or the label
	Err      error   // its fault: ErrNotFinite, …
}

// Error says what is wrong, and where.
func (e *InputError) Error() string {
	value := strconv.FormatFloat(e.Value, 'f', -1, 64)
	if e.Col < 0 {
		return fmt.Sprintf("row %d: %v: %s", e.Row, e.Err, value)
	}
	return fmt.Sprintf("row %d, column %d: %v: %s", e.Row, e.Col, e.Err, value)
}

// Unwrap returns the fault.
func (e *InputError) Unwrap() error { return e.Err }

// FeatureError says what is wrong with a feature: with a rule, a price or a question about it.
type FeatureError struct {
	Feature int
	What    string // how the sentence goes on after the feature; "" for what Err says alone
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

// Unwrap returns what it wraps.
func (e *FeatureError) Unwrap() error { return e.Err }
