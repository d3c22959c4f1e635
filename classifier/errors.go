package classifier

import (
	"errors"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Mistakes of a caller, here and in packages attack, prune and metrics. Returned errors wrap one of
// these and say where. Labelled rows can also have a value that is not finite
// (polytope.ErrNotFinite), more or fewer labels than rows (polytope.ErrDimension), and more than
// 2³¹−1 rows (errors.ErrUnsupported). A polytope.RowError names the row, and where one of its
// values is wrong, it wraps a polytope.FeatureError.
var (
	ErrEmpty = rows.ErrEmpty // data without rows or columns, or a mean of no models
	ErrLabel = rows.ErrLabel // labels count from 0, to Classes()−1
	// ErrOption is returned for an option, a radius or a weight out of its range, and for a
	// question that makes no sense of a model.
	ErrOption = rows.ErrOption
	// ErrNoInput is returned for a region, or rules, that no input keeps.
	ErrNoInput = boxtree.ErrEmpty
	// ErrModel is returned for a model, or the file of one, that is malformed, with the tree, node,
	// line or byte at fault, and for the file of one that a library can write but is not read here,
	// which wraps errors.ErrUnsupported too.
	ErrModel = trees.ErrModel
)

// modelFault is a mistake in a model, or in the file of one, and its place as far as that is known.
type modelFault struct{ *trees.Fault }

// modelError returns err with its place.
func modelError(err error) error {
	if _, ok := err.(modelFault); ok {
		return err
	}
	return modelFault{trees.FaultOf(err)}
}

func (e modelFault) Error() string {
	what := ErrModel.Error()
	if errors.Is(e.Err, errors.ErrUnsupported) {
		what = "unsupported model"
	}
	return "classifier: " + what + ": " + e.Fault.Error()
}

// Unwrap returns the fault, which wraps ErrModel and the cause.
func (e modelFault) Unwrap() error { return e.Fault }
