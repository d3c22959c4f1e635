package explain

import (
	"encoding/json"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/internal/jsonvalue"
)

// MarshalJSON writes the fields of reasons by their names, and a Bound of +Inf as a word: JSON has
// no number for it.
func (all Reasons) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Found                 []Reason
		Status                attack.Status
		Bound                 jsonvalue.Number
		Checks, Nodes, Solves int
	}{all.Found, all.Status, jsonvalue.Number(all.Bound), all.Checks, all.Nodes, all.Solves})
}

// MarshalJSON writes the fields of a box by their names, intervals as pairs of their ends. An end
// that is infinite, and a Size that is NaN, are words.
func (b LabelBox) MarshalJSON() ([]byte, error) {
	var ends [][2]jsonvalue.Number
	for _, iv := range b.Box {
		ends = append(ends, [2]jsonvalue.Number{jsonvalue.Number(iv.Lo), jsonvalue.Number(iv.Hi)})
	}
	return json.Marshal(struct {
		Box                   [][2]jsonvalue.Number
		Fixed                 []int
		Status                attack.Status
		Undecided             []int
		Size                  jsonvalue.Number
		Checks, Nodes, Solves int
	}{
		ends, b.Fixed, b.Status, b.Undecided, jsonvalue.Number(b.Size), b.Checks, b.Nodes, b.Solves,
	})
}
