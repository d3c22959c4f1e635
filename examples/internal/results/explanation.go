package results

import (
	"fmt"

	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
)

// Explanation is what a file of facet explain says about a row.
type Explanation struct {
	Row       int            `json:"row"` // its number in the file, from 0
	ID        *string        `json:"id,omitempty"`
	Label     *tabular.Label `json:"label,omitempty"`
	Predicted tabular.Label  `json:"predicted"`
	Reason    []string       `json:"reason"` // null: none is there, or known
	Minimal   bool           `json:"minimal"`
	Smallest  bool           `json:"smallest"`
	Reasons   [][]string     `json:"reasons,omitempty"` // of --reasons, the first among them
	// Box has the ends of the features that are not free, null for none, and Fixed are those that
	// have no interval and stay.
	Box    map[string][2]*float64 `json:"box,omitempty"`
	Fixed  []string               `json:"fixed,omitempty"`
	Status string                 `json:"status"` // of the reason: optimal, limit or none
	// Change is what the nearest input of another label changes, and Distance how far it is.
	Change   map[string]tabular.Value `json:"change"`
	Distance *float64                 `json:"distance"`
	Proven   bool                     `json:"proven"` // that none is nearer
	Checks   int                      `json:"checks"`
	Seconds  float64                  `json:"seconds"`
}

func (x Explanation) number() int { return x.Row }

func (x Explanation) kept() Explanation { return x }

func (x Explanation) check() error {
	fits, known := map[string]bool{
		Optimal: x.Reason != nil && x.Minimal,
		Limit:   !x.Minimal,
		None:    x.Reason == nil && !x.Minimal,
	}[x.Status]
	switch {
	case !known:
		return fmt.Errorf("status %.40q of row %d is unknown", x.Status, x.Row)
	case !fits:
		return fmt.Errorf("the reason of row %d contradicts its status %s", x.Row, x.Status)
	}
	return nil
}
