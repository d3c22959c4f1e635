package explain

import "github.com/seed-1a7dc1f9/facet/internal/jsonvalue"

// MarshalJSON writes the fields of reasons by their names, and a Bound of +Inf as a word: JSON has
// no number for it.
func (all Reasons) MarshalJSON() ([]byte, error) { return jsonvalue.Fields(all) }

// MarshalJSON writes the fields of a box by their names, intervals as pairs of their ends. An end
// that is infinite, and a Size that is NaN, are words.
func (b LabelBox) MarshalJSON() ([]byte, error) { return jsonvalue.Fields(b) }
