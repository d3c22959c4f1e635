package dataset

import (
	"errors"
	"fmt"
)

var (
	// ErrEmpty is wrapped by the error about a file without rows or features.
	ErrEmpty = errors.New("no data")

	// ErrTooLarge is wrapped by errors about sizes beyond MaxFeatures, the longest line
	// or Limits.
	ErrTooLarge = errors.New("too large")

	// ErrLimit wraps ErrTooLarge, and is wrapped by errors about sizes beyond Limits,
	// which others would allow.
	ErrLimit = fmt.Errorf("%w", ErrTooLarge)

	// ErrUnknownLabel is wrapped by the error about a label that is none of
	// the classes.
	ErrUnknownLabel = errors.New("unknown label")
)

// InputError says where in a file the data is wrong.
type InputError struct {
	File string
	Line int // counts from 1; 0 when the error concerns no single line
	Err  error
}

// Error returns "file:line: message", or "file: message" without a line.
func (e *InputError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %v", e.File, e.Err)
	}
	return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err)
}

// Unwrap returns the message's error.
func (e *InputError) Unwrap() error { return e.Err }
