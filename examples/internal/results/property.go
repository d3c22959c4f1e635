package results

import "github.com/seed-1a7dc1f9/facet/examples/internal/tabular"

// Property is the line of facet verify about a property.
type Property struct {
	Name   string `json:"property"`
	Holds  *bool  `json:"holds"` // null: a limit left it open
	Status string `json:"status"`
	// Of the pair with the largest difference of outputs.
	Difference *float64 `json:"difference"`
	Bound      *float64 `json:"bound"`
	Rounding   float64  `json:"rounding"`
	Pair
	LabelChanges *bool `json:"label_changes"`
	// Changing is another pair, which has two labels, if this one has not.
	Changing *ChangingPair `json:"changing"`
	Nodes    int           `json:"nodes"`
	Seconds  float64       `json:"seconds"`
}

// Pair is the inputs that are shown: two, or one.
type Pair struct {
	X       []tabular.Value `json:"x"`
	Other   []tabular.Value `json:"other"`
	Labels  []tabular.Label `json:"labels"` // null of a regressor
	Outputs []float64       `json:"outputs"`
	Class   *tabular.Label  `json:"class"` // whose outputs they are, of more than two; null: of all
}

// ChangingPair is a pair of two labels.
type ChangingPair struct {
	Status     string  `json:"status"` // optimal: no other such pair has a larger difference
	Difference float64 `json:"difference"`
	Pair
}

// Shown returns the pair of two labels, if there is one, or else that of the outputs.
func (p *Property) Shown() *Pair {
	if p.Changing != nil {
		return &p.Changing.Pair
	}
	return &p.Pair
}
