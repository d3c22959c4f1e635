// Package results is the files that facet attack, certify and explain write and facet merge joins:
// one JSON object a line for each row, and beside it FILE.meta.json, with the command and the
// settings that made it.
//
// While a run goes on, lines are appended as rows finish, each in one piece; only the last one can
// be torn. When all are there, the file is replaced, in one step, by one in the order of the rows.
// A lock keeps other runs off the file.
package results

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/examples/internal/costs"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
)

// Line is the line of a file about a row.
type Line struct {
	Asked
	Status           string         `json:"status"`
	Optimal          bool           `json:"optimal"`
	Distance         *float64       `json:"distance"` // null: no example
	Bound            *float64       `json:"bound"`    // null: infinite, or none is proven
	AdversarialLabel *tabular.Label `json:"adversarial_label"`
	// in the units and the words of the test file
	Adversarial []tabular.Value `json:"adversarial"`
	Work
	Certified
	Outputs
	Several
}

// Asked is the row that a line is about.
type Asked struct {
	Row       int            `json:"row"` // its number in the file, from 0
	ID        *string        `json:"id,omitempty"`
	Label     *tabular.Label `json:"label"` // null: the file has none
	Predicted tabular.Label  `json:"predicted"`
}

func (a Asked) number() int { return a.Row }

// Work is the nodes, programs and seconds that an answer took.
type Work struct {
	Nodes   int     `json:"nodes"`
	Solves  int     `json:"solves"`
	Seconds float64 `json:"seconds"`
}

// Certified is the answer of facet certify.
type Certified struct {
	Radii []float64 `json:"radii,omitempty"`
	// at each of them: yes, no or undecided
	Robust []string `json:"robust,omitempty"`
}

// Outputs are those of a regressor: null if infinite.
type Outputs struct {
	Output            *float64 `json:"output,omitempty"`
	AdversarialOutput *float64 `json:"adversarial_output,omitempty"`
}

// Several are the examples that --counterfactuals adds, the nearest first.
type Several struct {
	Counterfactuals []Counterfactual `json:"counterfactuals,omitempty"`
	// if these are fewer than asked for: none, proven, or unknown
	Others string `json:"others,omitempty"`
}

// Counterfactual is one of several examples for a row, each the nearest of those that change other
// features than the ones before it.
type Counterfactual struct {
	Label    tabular.Label `json:"label"`
	Distance float64       `json:"distance"`
	Bound    *float64      `json:"bound"` // null: infinite
	Optimal  bool          `json:"optimal"`
	// in the units and the words of the test file
	Example []tabular.Value `json:"example"`
	Changes []costs.Change  `json:"changes"`
}

// kept leaves out the examples, which stay in the file.
func (l Line) kept() Line {
	l.Adversarial = nil
	l.Counterfactuals = slices.Clone(l.Counterfactuals)
	for i := range l.Counterfactuals {
		l.Counterfactuals[i].Example = nil
	}
	return l
}

// The statuses of a row.
const (
	Optimal       = "optimal"       // the search finished with an example
	Limit         = "limit"         // a limit ended the search
	Coarse        = "coarse"        // finished; float64 is too coarse for an example at the bound
	None          = "none"          // proven: there is no example
	Attack        = "attack"        // from an attack that proves no bound
	Misclassified = "misclassified" // not attacked: its label is not the predicted one
	Reached       = "reached"       // not attacked: it is predicted the label to reach
	// of facet certify: it is known at each radius whether the row is robust
	Decided   = "decided"
	Undecided = "undecided" // of facet certify: at some radius it is not known
)

// What is known of counterfactuals beyond those of a line.
const (
	NoOthers      = "none"    // proven: no other set of features would do
	UnknownOthers = "unknown" // a limit ended the search
)

// Attacked reports whether the row was attacked.
func (l *Line) Attacked() bool { return l.Status != Misclassified && l.Status != Reached }

// Known returns the distance of the example, +Inf for none, and its proven bound.
func (l *Line) Known() (distance, bound float64) {
	distance, bound = math.Inf(1), math.Inf(1)
	if l.Distance != nil {
		distance = *l.Distance
	}
	switch {
	case l.Bound != nil:
		bound = *l.Bound
	case l.Status == Attack:
		bound = 0
	}
	return distance, bound
}

// check returns an error for a line that no run writes.
func (l Line) check() error {
	bare := !l.Optimal && l.Distance == nil && l.Bound == nil
	fits, known := map[string]bool{
		Optimal:       l.Optimal && l.Distance != nil && l.Bound != nil,
		Limit:         !l.Optimal && l.Bound != nil,
		Coarse:        !l.Optimal && l.Bound != nil,
		None:          l.Optimal && l.Distance == nil && l.Bound == nil,
		Attack:        !l.Optimal && l.Bound == nil,
		Misclassified: bare,
		Reached:       bare,
		Decided:       len(l.Robust) > 0,
		Undecided:     len(l.Robust) > 0,
	}[l.Status]
	switch {
	case !known:
		return fmt.Errorf("status %.40q of row %d is unknown", l.Status, l.Row)
	case !fits:
		return fmt.Errorf("the numbers of row %d contradict its status %s", l.Row, l.Status)
	}
	return nil
}

// Explanation is the line of a file of facet explain about a row.
type Explanation struct {
	Row       int            `json:"row"` // its number in the file, from 0
	ID        *string        `json:"id,omitempty"`
	Label     *tabular.Label `json:"label,omitempty"`
	Predicted tabular.Label  `json:"predicted"`
	Reasons
	Box
	Status string `json:"status"` // of the reason: optimal, limit or none
	Nearest
	Checks  int     `json:"checks"`
	Seconds float64 `json:"seconds"`
}

// Reasons are the features that force the label of a row.
type Reasons struct {
	Reason   []string   `json:"reason"` // null: none is there, or known
	Minimal  bool       `json:"minimal"`
	Smallest bool       `json:"smallest"`
	All      [][]string `json:"reasons,omitempty"` // of --reasons, the first among them
}

// Box is the answer to --box.
type Box struct {
	// ends of the features that are not free, null for none
	Ends map[string][2]*float64 `json:"box,omitempty"`
	// features that have no interval and stay
	Fixed []string `json:"fixed,omitempty"`
}

// Nearest is the nearest input of another label.
type Nearest struct {
	Change   map[string]tabular.Value `json:"change"`
	Distance *float64                 `json:"distance"`
	Proven   bool                     `json:"proven"` // that none is nearer
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
