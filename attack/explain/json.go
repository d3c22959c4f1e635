package explain

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/attack"
)

// MarshalJSON writes the fields of reasons by their names, and a Bound of +Inf as a word: JSON has
// no number for it.
func (all Reasons) MarshalJSON() ([]byte, error) {
	var bound any = all.Bound
	if math.IsInf(all.Bound, 1) {
		bound = "+Inf"
	}
	text, err := json.Marshal(struct {
		Found                 []Reason
		Status                attack.Status
		Bound                 any
		Checks, Nodes, Solves int
	}{all.Found, all.Status, bound, all.Checks, all.Nodes, all.Solves})
	if err != nil {
		return nil, fmt.Errorf("explain: reasons: %w", err)
	}
	return text, nil
}
