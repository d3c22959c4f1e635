package main

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"
	"time"
)

// print prints what was measured and where it was written.
func (t *trial) print(w io.Writer, s *summary, memory *peak) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(name, format string, values ...any) { fmt.Fprintf(table, name+"\t"+format+"\n", values...) }
	_, features := t.data.Train.Dims()
	row("model", "%s", t.describe(t.ensemble))
	row("data", "%s, %d training and %d test rows of %d features%s", t.settings.data, len(t.data.TrainY), len(t.data.TestY), features, t.data.note)
	row("test accuracy", "%.4g", t.accuracy)
	row("attack", "exact, norm l%v, %s", t.norm, limit(t.timeout))
	row("points", "%d", s.Attacked)
	row("proven", "%d", s.Optimal)
	row("share proven", "%.1f %%", 100*float64(s.Optimal)/float64(s.Attacked))
	row("mean distance", "%s%s", mean(s.Mean), t.without(s))
	row("mean lower bound", "%s", mean(s.bound))
	row("mean relative gap of the rest", "%s", mean(s.gap))
	row("ms a point", "median %.4g, mean %.4g, max %.4g", s.median, s.mean, s.slowest)
	row("nodes a point", "%.4g", s.nodes)
	row("peak memory", "%v", memory)
	row("points written to", "%s", t.settings.out)
	return table.Flush()
}

func limit(timeout time.Duration) string {
	if timeout == 0 {
		return "no time limit"
	}
	return fmt.Sprintf("at most %v a point", timeout)
}

// without tells how many points the means of distances leave out.
func (t *trial) without(s *summary) string {
	text := ""
	if s.None > 0 {
		text += fmt.Sprintf(", without %d points that no input changes", s.None)
	}
	if lost := s.Attacked - s.Found - s.None; lost > 0 {
		text += fmt.Sprintf(", without %d points for which no example was found", lost)
	}
	return text
}

// mean shows a mean, or that there is none.
func mean(v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	return fmt.Sprintf("%.6g", v)
}
