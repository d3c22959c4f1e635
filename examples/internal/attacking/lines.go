package attacking

import (
	"math"
	"time"

	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

// newLine translates the answer for a row.
func (e *evaluation) newLine(p metrics.Point) results.Line {
	l := results.Line{
		Row: e.data.Test.Number(p.Row), ID: e.data.Test.ID(p.Row), Label: e.data.Test.Label(p.Row),
		Predicted: e.classes[p.Predicted],
		Optimal:   p.Optimal,
		Distance:  finite(p.Distance), Bound: finite(p.Bound),
		Nodes: p.Nodes, Solves: p.Solves,
	}
	if !e.untimed {
		l.Seconds = p.Time.Seconds()
	}
	if e.data.Regressor != nil {
		x, _ := e.data.Test.Row(p.Row)
		l.Output = finite(e.data.Regressor.Predict(x))
	}
	if p.Example != nil && e.data.Regressor != nil {
		l.AdversarialOutput = finite(e.data.Regressor.Predict(p.Example))
	}
	if p.Example != nil {
		l.AdversarialLabel = &e.classes[p.Label]
		l.Adversarial = e.data.Words.Row(e.data.Unscale(p.Row, p.Example, p.Label, e.box))
	}
	e.ask.complete(e, &l, &p)
	return l
}

// skippedLine is the line of a row that is not attacked.
func (e *evaluation) skippedLine(row int) results.Line {
	status := results.Misclassified
	if e.reached(row) {
		status = results.Reached
	}
	test := e.data.Test
	return results.Line{
		Row:       test.Number(row),
		ID:        test.ID(row),
		Label:     test.Label(row),
		Predicted: e.classes[e.predicted[row]],
		Status:    status,
	}
}

// finite returns nil for what JSON cannot express.
func finite(v float64) *float64 {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return nil
	}
	return &v
}

// point is the inverse of newLine as far as the summary needs it.
func point(l *results.Line) metrics.Point {
	p := metrics.Point{
		Row:      l.Row,
		Attacked: true,
		Time:     time.Duration(l.Seconds * float64(time.Second)),
	}
	p.Optimal, p.Complete = l.Optimal, l.Optimal || l.Status == results.Coarse
	p.Distance, p.Bound = l.Known()
	return p
}
