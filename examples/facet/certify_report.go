package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/examples/facet/internal/subject"
	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
	"github.com/seed-1a7dc1f9/facet/examples/internal/plotting"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

// verdictLine is what --out says about a row. Labels are those of the files.
type verdictLine struct {
	Row       int           `json:"row"`
	Label     tabular.Label `json:"label"`
	Predicted tabular.Label `json:"predicted"`
	Status    string        `json:"status"`
	Radii     []float64     `json:"radii"`
	Robust    []string      `json:"robust"`   // at each radius: yes, no or undecided; null: misclassified
	Bound     *float64      `json:"bound"`    // no other label lies nearer; null: anywhere, or misclassified
	Distance  *float64      `json:"distance"` // at which another label was found; null: none was
	Nodes     int           `json:"nodes"`
	Seconds   float64       `json:"seconds"`
}

// The statuses of a row.
const (
	statusDecided       = "decided"   // at each radius
	statusUndecided     = "undecided" // at some
	statusMisclassified = "misclassified"
)

func (c *certification) newLine(p *metrics.Point) verdictLine {
	l := verdictLine{
		Row: p.Row, Label: c.data.Test.Labels[p.Row], Predicted: c.labels[p.Predicted],
		Status: statusMisclassified, Radii: c.radii,
	}
	if !p.Attacked {
		return l
	}
	l.Status, l.Nodes, l.Seconds = statusDecided, p.Nodes, p.Time.Seconds()
	for _, r := range c.radii {
		v := p.RobustAt(r)
		if v == attack.Undecided {
			l.Status = statusUndecided
		}
		l.Robust = append(l.Robust, v.String())
	}
	if !math.IsInf(p.Bound, 1) {
		l.Bound = &p.Bound
	}
	if !math.IsInf(p.Distance, 1) {
		l.Distance = &p.Distance
	}
	return l
}

// write writes the files that were asked for.
func (c *certification) write() error {
	if c.out != "" {
		err := outfile.Write(c.out, func(w io.Writer) error {
			lines := json.NewEncoder(w)
			for i := range c.answers {
				if err := lines.Encode(c.newLine(&c.answers[i])); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("--out: %w", err)
		}
	}
	if c.plot == "" {
		return nil
	}
	if err := c.figure().Save(c.plot); err != nil {
		return fmt.Errorf("--plot: %w", err)
	}
	return nil
}

// printTable prints the accuracies at each radius.
func (c *certification) printTable(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	correct := 0
	for i := range c.answers {
		if c.answers[i].Correct() {
			correct++
		}
	}
	fmt.Fprintf(t, "model\t%s\n", c.Describe())
	if c.data.Train != nil {
		fmt.Fprintf(t, "training rows\t%d%s\n", c.data.Train.Rows, c.DescribeDefence())
	}
	fmt.Fprintf(t, "question\tdo all inputs within the radius have the label of the row? norm %s\n", c.DescribeNorm())
	fmt.Fprintf(t, "test accuracy\t%.4g, of %d rows\n", float64(correct)/float64(len(c.answers)), len(c.answers))
	fmt.Fprintf(t, "time\t%.3g s\n\n", c.took.Seconds())
	fmt.Fprintf(t, "radius\tcertified accuracy\tpossible accuracy\tyes\tno\tundecided\n")
	for _, r := range c.radii {
		s, err := metrics.RobustAccuracy(c.answers, r)
		if err != nil {
			return err
		}
		counts := make(map[attack.Verdict]int)
		for i := range c.answers {
			if p := &c.answers[i]; p.Attacked {
				counts[p.RobustAt(r)]++
			}
		}
		fmt.Fprintf(t, "%v\t%.4g\t%.4g\t%d\t%d\t%d\n", r, s.Certified, s.Possible, counts[attack.Robust], counts[attack.NotRobust], counts[attack.Undecided])
	}
	for _, o := range []subject.Output{{Flag: "rows", Path: c.out}, {Flag: "figure", Path: c.plot}} {
		if o.Path != "" {
			fmt.Fprintf(t, "\n%s written to %s", o.Flag, o.Path)
		}
	}
	if c.out+c.plot != "" {
		fmt.Fprintln(t)
	}
	return t.Flush()
}

// figure draws certified and possible accuracy up to the largest radius.
func (c *certification) figure() *plotting.Figure {
	end := c.radii[len(c.radii)-1]
	panel := plotting.NewPanel(fmt.Sprintf("radius (%s)", c.DescribeNorm()), "share of test rows", plotting.Frame{MaxX: 1.03 * end, MaxY: 1.02},
		c.Describe(), fmt.Sprintf("%d test rows of %s", len(c.answers), c.Test))
	panel.Y.Tick.Marker = plot.ConstantTicks{{Value: 0, Label: "0"}, {Value: 0.2, Label: "0.2"}, {Value: 0.4, Label: "0.4"}, {Value: 0.6, Label: "0.6"}, {Value: 0.8, Label: "0.8"}, {Value: 1, Label: "1"}}
	var certified, possible []float64
	for i := range c.answers {
		if p := &c.answers[i]; p.Attacked {
			certified, possible = append(certified, p.Bound), append(possible, p.Distance)
		}
	}
	f := &plotting.Figure{Panels: []*plotting.Panel{panel}, Width: 4.2 * vg.Inch, Height: 2.8 * vg.Inch}
	f.Key = panel.AddShares(certified, possible, c.radii, len(c.answers),
		"certified: correct, and proven robust", "possible: correct, and not proven otherwise")
	return f
}
