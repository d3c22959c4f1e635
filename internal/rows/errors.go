package rows

import (
	"errors"
	"fmt"
	"strconv"
)

// What a caller can get wrong. Public packages re-export these.
var (
	// nil matrix, or one without rows or columns
	ErrEmpty = errors.New("no data")
	ErrSize  = errors.New("too many rows") // more than 2³¹−1
	// NaN or ±Inf in the matrix
	ErrValue  = errors.New("value is not finite")
	ErrLength = errors.New("number of labels differs from that of rows") // len(y) ≠ rows
	ErrLabel  = errors.New("label is out of range")
	ErrOption = errors.New("option out of range") // a parameter that is not about the data
)

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
