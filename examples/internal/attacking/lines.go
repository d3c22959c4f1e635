package attacking

import (
	"context"
	"math"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
	"github.com/seed-1a7dc1f9/facet/examples/internal/subject"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

// ask asks about a row. It returns the text of the proof if proofs are written.
func (e *evaluation) ask(
	ctx context.Context, row int,
) (l results.Line, text []byte, err error) {
	by, err := e.by(e, row)
	if err != nil {
		return l, nil, err
	}
	if c, own := by.(*change); own { // the classifier of this row
		one := *e
		one.data = &subject.Subject{Data: e.data.Data, Classifier: c, Regressor: e.data.Regressor}
		e = &one
	}
	p, err := e.measure(ctx, row, by)
	if err != nil {
		return l, nil, err
	}
	l = e.newLine(p)
	e.question.mark(&l, &p)
	switch by := by.(type) {
	case *counterfactuals:
		e.addCounterfactuals(&l, row, by)
	case *proving:
		text = by.text.Bytes()
	}
	return l, text, nil
}

// newLine translates the answer for a row.
func (e *evaluation) newLine(p metrics.Point) results.Line {
	l := results.Line{
		Asked: e.asked(p.Row, p.Predicted), Optimal: p.Optimal(),
		Distance: finite(p.Distance), Bound: finite(p.Bound),
		Work: results.Work{Nodes: p.Nodes, Solves: p.Solves},
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
	return l
}

// skippedLine is the line of a row that is not attacked.
func (e *evaluation) skippedLine(row int) results.Line {
	return results.Line{
		Asked: e.asked(row, e.predicted[row]), Status: e.skips(row),
	}
}

// asked says which row a line is about.
func (e *evaluation) asked(row, predicted int) results.Asked {
	test := e.data.Test
	return results.Asked{
		Row: test.Number(row), ID: test.ID(row), Label: test.Label(row),
		Predicted: e.classes[predicted],
	}
}

// finite returns nil for numbers that JSON cannot express.
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
	switch p.Distance, p.Bound = l.Known(); {
	case l.Optimal && l.Distance == nil:
		p.Status = attack.StatusNone
	case l.Optimal:
		p.Status = attack.StatusOptimal
	case l.Status == results.Coarse:
		p.Status = attack.StatusCoarse
	case p.Bound > 0:
		p.Status = attack.StatusLimit
	}
	return p
}
