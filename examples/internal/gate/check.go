package gate

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
)

// Status is the outcome of a check.
type Status string

// The statuses, the best first.
const (
	Pass Status = "pass"
	Open Status = "open" // the proven bounds leave it open
	Fail Status = "fail"
)

// Check is a check of a policy and the numbers that decide it.
type Check struct {
	Name   string   `json:"name"`
	Wants  string   `json:"wants"`
	Found  string   `json:"found"`
	Status Status   `json:"status"`
	Low    *float64 `json:"low"`  // proven bounds of the number in question; null: none
	High   *float64 `json:"high"` // of a number that is known the same as low
	// Worst is a case that fails, in words, and Case the inputs of it.
	Worst string `json:"worst,omitempty"`
	Case  *Case  `json:"case,omitempty"`
	// Command answers the same question alone.
	Command string  `json:"command"`
	Seconds float64 `json:"seconds"`
	Proofs  string  `json:"proofs,omitempty"` // a file
}

// Case is one input, or two beside each other.
type Case struct {
	Columns  []string          `json:"columns"` // names of the inputs
	Features []string          `json:"features"`
	Values   [][]tabular.Value `json:"values"` // an input each
	Labels   []string          `json:"labels,omitempty"`
	Outputs  []float64         `json:"outputs,omitempty"`
}

// differs reports whether the case is two inputs, which differ in a feature.
func (c *Case) differs(j int) bool {
	return len(c.Values) > 1 && !c.Values[0][j].Same(c.Values[1][j])
}

// String writes the limits.
func (l Limits) String() string {
	var wants []string
	if l.AtLeast != nil {
		wants = append(wants, fmt.Sprintf("at least %v", *l.AtLeast))
	}
	if l.AtMost != nil {
		wants = append(wants, fmt.Sprintf("at most %v", *l.AtMost))
	}
	return strings.Join(wants, ", ")
}

// decide compares the proven bounds of a number with its limits: all between them lies within the
// limits, all outside of one, or neither.
func (l Limits) decide(low, high float64) Status {
	switch {
	case l.AtLeast != nil && high < *l.AtLeast, l.AtMost != nil && low > *l.AtMost:
		return Fail
	case l.AtLeast != nil && low < *l.AtLeast, l.AtMost != nil && high > *l.AtMost:
		return Open
	}
	return Pass
}

// within sets the proven bounds of a number, and how they decide the check.
func (c *Check) within(l Limits, low, high float64) {
	c.Wants, c.Low, c.High, c.Status = l.String(), &low, &high, l.decide(low, high)
	c.Found = l.written(low)
	if low != high {
		c.Found = "between " + l.written(low) + " and " + l.written(high)
	}
}

// written writes a number in four digits, or in all where these would be on another side of a
// limit.
func (l Limits) written(v float64) string {
	text := strconv.FormatFloat(v, 'g', 4, 64)
	if rounded, _ := strconv.ParseFloat(text, 64); l.decide(rounded, rounded) != l.decide(v, v) {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return text
}

// worst returns the status of all checks together.
func worst(checks []*Check) Status {
	found := Pass
	for _, c := range checks {
		if c.Status == Fail || found == Pass {
			found = c.Status
		}
	}
	return found
}
