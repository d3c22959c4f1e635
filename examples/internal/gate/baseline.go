package gate

import (
	"context"
	"fmt"
	"path/filepath"
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
func (g *Gate) noWorse(ctx context.Context, rows []results.Asked, shares []certified) error {
	if g.Baseline == "" {
		return nil
	}
	begun := time.Now()
	name := "the model in service"
	others, err := g.predict(ctx, "the labels of "+name, g.Baseline)
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
	if w := g.Policy.NoWorse; w != nil && w.Accuracy != nil {
		least := -*w.Accuracy
		c := &Check{Name: "accuracy beside that in service",
			Command: shell(g.predicting(g.Baseline)...)}
		c.within(Limits{AtLeast: &least}, now-was, now-was)
		c.Found = fmt.Sprintf("%.4g, in service %.4g", now, was)
		c.Wants = lower(*w.Accuracy)
		g.add(c, begun)
	}
	if w := g.Policy.NoWorse; w == nil || w.Certified == nil {
		return nil
	}
	return g.noLessCertified(ctx, shares)
}

// noLessCertified compares certified shares with those of the model in service.
func (g *Gate) noLessCertified(ctx context.Context, shares []certified) error {
	old, err := g.certify(ctx, g.Baseline)
	if err != nil {
		return err
	}
	for i, was := range old {
		least, now := -*g.Policy.NoWorse.Certified, shares[i]
		g.report.Baseline.Certified = append(g.report.Baseline.Certified,
			[2]float64{was.low, was.high})
		c := &Check{
			Name:    "certified at " + about(&g.Policy.Certified[i]) + " beside that in service",
			Command: was.command, Seconds: was.seconds,
		}
		c.within(Limits{AtLeast: &least}, now.low-was.high, now.high-was.low)
		c.Found = fmt.Sprintf("%s, in service %s", bracket(now), bracket(was))
		c.Wants = lower(*g.Policy.NoWorse.Certified)
		g.report.Checks = append(g.report.Checks, c)
	}
	return nil
}

// lower says by how much a share may be lower.
func lower(by float64) string {
	if by == 0 {
		return "no lower"
	}
	return fmt.Sprintf("at most %v lower", by)
}

// share returns the share of rows whose label is predicted.
func share(rows []results.Asked) float64 { return float64(right(rows)) / float64(len(rows)) }

// bracket writes the proven bounds of a share.
func bracket(c certified) string {
	if c.low == c.high {
		return fmt.Sprintf("%.4g", c.low)
	}
	return fmt.Sprintf("%.4g to %.4g", c.low, c.high)
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
	line, _, err := g.verified(ctx, "same as the model in service",
		[]string{"--same-as=" + g.Baseline})
	if err != nil {
		return err
	}
	b := g.report.Baseline
	b.Inputs = g.Policy.inputs()
	switch {
	case line.Holds == nil:
		b.Everywhere = "open"
	case *line.Holds:
		b.Everywhere = "yes"
	default:
		shown := line.Shown()
		b.Everywhere, b.Case = "no", g.paired(shown, []string{"input"})
		b.Example = disagreement(filepath.Base(g.Baseline), shown)
	}
	return nil
}
