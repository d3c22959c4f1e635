package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/seed-1a7dc1f9/facet/examples/internal/trial"
)

// print prints what was measured and where it was written.
func (s *settings) print(w io.Writer, t *subject, sum *trial.Summary, memory *trial.Peak) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(name, format string, values ...any) { fmt.Fprintf(table, name+"\t"+format+"\n", values...) }
	row("model", "%s", s.describe(t.ensemble))
	row("data", "%s", t.Data.Describe())
	row("test accuracy", "%.4g", t.Accuracy)
	row("attack", "exact, norm %v, %s", s.Norm, s.Limit())
	row("points", "%d", sum.Attacked)
	row("proven", "%d", sum.Optimal)
	row("share proven", "%.1f %%", 100*float64(sum.Optimal)/float64(sum.Attacked))
	row("mean distance", "%s%s", trial.Mean(sum.Mean), sum.Without())
	row("mean lower bound", "%s", trial.Mean(sum.Bound))
	row("mean relative gap of the rest", "%s", trial.Mean(sum.Gap))
	row("ms a point", "median %.4g, mean %.4g, max %.4g", sum.Median, sum.Average, sum.Most)
	row("nodes a point", "%.4g", sum.Nodes)
	row("peak memory", "%v", memory)
	row("points written to", "%s", s.Out)
	return table.Flush()
}
