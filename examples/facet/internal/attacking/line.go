package attacking

import (
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

// line is what -out says about a row. Labels are those of the files.
type line struct {
	Row              int            `json:"row"`
	Label            tabular.Label  `json:"label"`
	Predicted        tabular.Label  `json:"predicted"`
	Status           string         `json:"status"`
	Optimal          bool           `json:"optimal"`
	Distance         *float64       `json:"distance"` // null: no example
	Bound            *float64       `json:"bound"`    // null: infinite, or nothing is proven
	AdversarialLabel *tabular.Label `json:"adversarial_label"`
	Adversarial      []float64      `json:"adversarial"`
	Nodes            int            `json:"nodes"`
	Solves           int            `json:"solves"`
	Seconds          float64        `json:"seconds"`
}

// The statuses of a row.
const (
	statusOptimal = "optimal" // the search finished with an example
	statusLimit   = "limit"   // a limit ended the search
	statusNone    = "none"    // proven: there is no example
	statusAttack  = "attack"  // from an attack that proves nothing
)

// newLine translates the answer for a row.
func (e *evaluation) newLine(p metrics.Point) line {
	l := line{
		Row: p.Row, Label: e.data.Test.Labels[p.Row], Predicted: e.data.Classes.At(p.Predicted),
		Status: e.status(p.Result), Optimal: p.Optimal,
		Distance: finite(p.Distance), Bound: finite(p.Bound), Adversarial: p.Example,
		Nodes: p.Nodes, Solves: p.Solves, Seconds: p.Time.Seconds(),
	}
	if p.Example != nil {
		label := e.data.Classes.At(p.Label)
		l.AdversarialLabel = &label
	}
	if l.Status == statusAttack {
		l.Bound = nil
	}
	return l
}

func (e *evaluation) status(r attack.Result) string {
	switch {
	case !e.exact():
		return statusAttack
	case !r.Optimal:
		return statusLimit
	}
	return r.Status().String()
}

// finite returns nil for what JSON cannot express.
func finite(v float64) *float64 {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return nil
	}
	return &v
}

// point is the inverse of newLine as far as the summary needs it.
func (l *line) point() metrics.Point {
	p := metrics.Point{Row: l.Row, Attacked: true}
	p.Result = attack.Result{Distance: math.Inf(1), Optimal: l.Optimal}
	if l.Distance != nil {
		p.Distance = *l.Distance
	}
	if l.Bound != nil {
		p.Bound = *l.Bound
	}
	return p
}

// check returns an error for a line that newLine does not write.
func (l *line) check() error {
	fits, known := map[string]bool{
		statusOptimal: l.Optimal && l.Distance != nil && l.Bound != nil,
		statusLimit:   !l.Optimal && l.Bound != nil,
		statusNone:    l.Optimal && l.Distance == nil && l.Bound == nil,
		statusAttack:  !l.Optimal && l.Bound == nil,
	}[l.Status]
	switch {
	case !known:
		return fmt.Errorf("status %.40q of row %d is unknown", l.Status, l.Row)
	case !fits:
		return fmt.Errorf("the numbers of row %d contradict its status %s", l.Row, l.Status)
	}
	return nil
}
