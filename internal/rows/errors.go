package rows

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/seed-1a7dc1f9/facet/internal/gauge"
)

// What a caller can get wrong. Public packages re-export these, but those that count as others.
var (
	// nil matrix, or one without rows or columns
	ErrEmpty = errors.New("no data")
	ErrSize  = Named("too many rows", errors.ErrUnsupported) // more than 2³¹−1
	// NaN or ±Inf in the matrix
	ErrValue = Named("value is not finite", gauge.ErrNotFinite)
	// len(y) ≠ rows
	ErrLength = Named("number of labels differs from that of rows", gauge.ErrDimension)
	ErrLabel  = errors.New("label is out of range")
	ErrOption = errors.New("option out of range") // a parameter that is not about the data
)

// named is an error in words of its own that counts as another.
type named struct {
	text string
	kind error
}

// Named returns an error that says this, and that errors.Is takes for one of another kind.
func Named(text string, kind error) error { return &named{text, kind} }

func (e *named) Error() string { return e.text }

func (e *named) Unwrap() error { return e.kind }

// InputError is the error of one value of a caller's data.
type InputError struct {
	Row, Col int     // Col is −1 for what belongs to the row as a whole, as its label does
	Value    float64 // the value, or the label
	Err      error   // what is wrong with it: ErrValue, ErrLabel, …
}

// Error says what is wrong, and where.
func (e *InputError) Error() string {
	value := strconv.FormatFloat(e.Value, 'f', -1, 64)
	if e.Col < 0 {
		return fmt.Sprintf("row %d: %v: %s", e.Row, e.Err, value)
	}
	return fmt.Sprintf("row %d, column %d: %v: %s", e.Row, e.Col, e.Err, value)
}

// Unwrap returns what is wrong.
func (e *InputError) Unwrap() error { return e.Err }
