package property

import (
	"encoding/json"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/internal/jsonvalue"
)

// MarshalJSON writes the fields of a result by their names, as those of an attack.Result.
func (r Result) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		X, Other                    jsonvalue.Numbers
		Labels                      [2]int
		Outputs                     [2]jsonvalue.Number
		Class                       int
		Difference, Bound, Rounding jsonvalue.Number
		Status                      attack.Status
		Nodes                       int
	}{
		r.X, r.Other, r.Labels,
		[...]jsonvalue.Number{jsonvalue.Number(r.Outputs[0]), jsonvalue.Number(r.Outputs[1])},
		r.Class, jsonvalue.Number(r.Difference), jsonvalue.Number(r.Bound),
		jsonvalue.Number(r.Rounding), r.Status, r.Nodes,
	})
}

// MarshalJSON writes the fields of an end by their names, as those of an attack.Result.
func (e End) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		X                       jsonvalue.Numbers
		Label, Class            int
		Output, Bound, Rounding jsonvalue.Number
		Status                  attack.Status
		Nodes                   int
	}{
		e.X, e.Label, e.Class, jsonvalue.Number(e.Output), jsonvalue.Number(e.Bound),
		jsonvalue.Number(e.Rounding), e.Status, e.Nodes,
	})
}
