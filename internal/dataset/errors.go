package dataset

import (
	"errors"
	"fmt"

	"github.com/seed-1a7dc1f9/facet/internal/rows"
)

var (
	// ErrEmpty is wrapped by the error about a file without rows or features.
	ErrEmpty = rows.ErrEmpty

	// ErrTooLarge is wrapped by errors about sizes beyond MaxFeatures, the longest line
	// or Limits.
	ErrTooLarge = errors.New("too large")

	// ErrLimit wraps ErrTooLarge, and is wrapped by errors about sizes beyond Limits,
	// which others would allow.
	ErrLimit = fmt.Errorf("%w", ErrTooLarge)
)

// InputError says where in a file the data is wrong.
type InputError struct {
	File string
	Row  int // the line of a text file, from 1; 0 when the error concerns no single one
	Err  error
}

// Error returns "file:row: message", less a row that is 0.
func (e *InputError) Error() string {
	place := e.File
	if e.Row > 0 {
		place += fmt.Sprintf(":%d", e.Row)
	}
	return fmt.Sprintf("%s: %v", place, e.Err)
}

// Unwrap returns the message's error.
func (e *InputError) Unwrap() error { return e.Err }

// in places an error in a file, and in a row of it unless the error knows of one; nil
// stays nil.
func in(file string, row int, err error) error {
	if err == nil {
		return nil
	}
	e, ok := err.(*InputError)
	if !ok {
		e = &InputError{Err: err}
	}
	if e.Row == 0 {
		e.Row = row
	}
	e.File = file
	return e
}

// wrong returns an error about a file as a whole.
func wrong(file, format string, args ...any) error {
	return in(file, 0, fmt.Errorf(format, args...))
}
