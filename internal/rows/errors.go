package rows

import (
	"errors"
	"fmt"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// A caller's mistakes. Public packages re-export these, but those that count as others.
var (
	// nil matrix, or one without rows or columns
	ErrEmpty = errors.New("no data")
	ErrSize  = Named("too many rows", errors.ErrUnsupported) // more than 2³¹−1
	// NaN or ±Inf in the matrix
	ErrValue = Named("value is not finite", polytope.ErrNotFinite)
	// len(y) ≠ rows
	ErrLength = Named("number of labels differs from that of rows", polytope.ErrDimension)
	ErrLabel  = errors.New("label is out of range")
	ErrOption = errors.New("option out of range") // a parameter that is not about the data
	// a nil context
	ErrContext = fmt.Errorf("%w: the context is nil", ErrOption)
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
