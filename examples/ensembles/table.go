package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/seed-1a7dc1f9/facet/examples/internal/trial"
)

// print prints what was measured and where it was written.
func (t *subject) print(w io.Writer, s *trial.Summary, memory *trial.Peak) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(name, format string, values ...any) { fmt.Fprintf(table, name+"\t"+format+"\n", values...) }
	row("model", "%s", t.describe(t.ensemble))
	row("data", "%s", t.data.Describe())
	row("test accuracy", "%.4g", t.accuracy)
	row("attack", "exact, norm %v, %s", t.Norm, t.Limit())
	row("points", "%d", s.Attacked)
	row("proven", "%d", s.Optimal)
	row("share proven", "%.1f %%", 100*float64(s.Optimal)/float64(s.Attacked))
	row("mean distance", "%s%s", trial.Mean(s.Mean), s.Without())
	row("mean lower bound", "%s", trial.Mean(s.Bound))
	row("mean relative gap of the rest", "%s", trial.Mean(s.Gap))
	row("ms a point", "median %.4g, mean %.4g, max %.4g", s.Median, s.Average, s.Most)
	row("nodes a point", "%.4g", s.Nodes)
	row("peak memory", "%v", memory)
	row("points written to", "%s", t.Out)
	return table.Flush()
}
