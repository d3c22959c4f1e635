package explain

import (
	"encoding/json"
	"fmt"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/internal/jsonvalue"
)

// MarshalJSON writes the fields of reasons by their names, and a Bound of +Inf as a word: JSON has
// no number for it.
func (all Reasons) MarshalJSON() ([]byte, error) {
	text, err := json.Marshal(struct {
		Found                 []Reason
		Status                attack.Status
		Bound                 jsonvalue.Number
		Checks, Nodes, Solves int
	}{all.Found, all.Status, jsonvalue.Number(all.Bound), all.Checks, all.Nodes, all.Solves})
	if err != nil {
		return nil, fmt.Errorf("explain: reasons: %w", err)
	}
	return text, nil
}
