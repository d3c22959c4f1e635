package gate

import (
	"context"
	"fmt"
	"time"

	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
)

// Compared is how a model differs from that in service.
type Compared struct {
	Model    string    `json:"model"`
	Accuracy []float64 `json:"accuracy,omitempty"` // in service, now
	// of each certified radius the least and the most that are proven in service
	Certified [][2]float64 `json:"certified,omitempty"`
	Differ    *int         `json:"rows_that_differ,omitempty"`
	Rows      int          `json:"rows"` // of the test file
	// Everywhere says whether both give all Inputs, those that the policy allows, the same label:
	// yes, no, or open.
	Everywhere string `json:"same_everywhere,omitempty"`
	Inputs     string `json:"inputs"`
	Example    string `json:"example,omitempty"` // an input that they see otherwise, in words
	Case       *Case  `json:"case,omitempty"`
}

// noWorse compares shares of rows with those of the model in service.
func (g *Gate) noWorse(ctx context.Context, rows []results.Asked, certified []*Check) error {
	if g.Baseline == "" {
		return nil
	}
	begun := time.Now()
	others, err := g.predict(ctx, "the labels of the model in service", g.Baseline)
	if err != nil {
		return err
	}
	if len(others) != len(rows) {
		return fmt.Errorf("%s: %d rows have labels, and %d by this model", g.Baseline, len(others),
			len(rows))
	}
	differ, _ := differing(rows, others)
	b := &Compared{Model: g.Baseline, Differ: &differ, Rows: len(rows)}
	g.report.Baseline = b
	if rows[0].Label == nil {
		return nil
	}
	now, was := share(rows), share(others)
	b.Accuracy = []float64{was, now}
	w := g.Policy.NoWorse
	if w != nil && w.Accuracy != nil {
		c := &Check{Name: "accuracy", Command: shell(g.predicting(g.Baseline)...)}
		c.beside([2]float64{now, now}, [2]float64{was, was}, *w.Accuracy)
		g.add(c, begun)
	}
	if w == nil || w.Certified == nil {
		return nil
	}
	old, err := g.certify(ctx, g.Baseline)
	for i, c := range old {
		now, was := [2]float64{*certified[i].Low, *certified[i].High}, [2]float64{*c.Low, *c.High}
		b.Certified = append(b.Certified, was)
		c.beside(now, was, *w.Certified)
		c.Worst, c.Case = "", nil
	}
	g.report.Checks = append(g.report.Checks, old...)
	return err
}

// beside makes a check one of proven bounds beside those of the model in service.
func (c *Check) beside(now, was [2]float64, lower float64) {
	least := -lower
	c.Name += " beside that in service"
	c.within(Limits{AtLeast: &least}, now[0]-was[1], now[1]-was[0])
	c.Found = fmt.Sprintf("%s, in service %s", bracket(now), bracket(was))
	if c.Wants = "no lower"; lower > 0 {
		c.Wants = fmt.Sprintf("at most %v lower", lower)
	}
}

// share returns the share of rows whose label is predicted.
func share(rows []results.Asked) float64 { return float64(right(rows)) / float64(len(rows)) }

// bracket writes the proven bounds of a share.
func bracket(bounds [2]float64) string {
	if bounds[0] == bounds[1] {
		return fmt.Sprintf("%.4g", bounds[0])
	}
	return fmt.Sprintf("%.4g to %.4g", bounds[0], bounds[1])
}

// compare asks on which of all inputs a model differs from that in service. It is told, and no
// check.
func (g *Gate) compare(ctx context.Context) error {
	if g.Baseline == "" {
		return nil
	}
	if g.report.Baseline == nil { // no check was about rows
		g.report.Baseline = &Compared{Model: g.Baseline}
	}
	c, err := g.verify(ctx, sameAs("same as the model in service", g.Baseline))
	if err != nil {
		return err
	}
	b := g.report.Baseline
	b.Inputs, b.Example, b.Case = g.Policy.inputs(), c.Worst, c.Case
	b.Everywhere = map[Status]string{Pass: "yes", Fail: "no", Open: "open"}[c.Status]
	return nil
}
