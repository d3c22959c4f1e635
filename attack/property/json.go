package property

import "github.com/seed-1a7dc1f9/facet/internal/jsonvalue"

// MarshalJSON writes the fields of a result by their names, as those of an attack.Result.
func (r Result) MarshalJSON() ([]byte, error) { return jsonvalue.Fields(r) }

// MarshalJSON writes the fields of an end by their names, as those of an attack.Result.
func (e End) MarshalJSON() ([]byte, error) { return jsonvalue.Fields(e) }
