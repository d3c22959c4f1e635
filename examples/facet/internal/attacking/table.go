package attacking

import (
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"
)

// printTable prints what was measured and where it was written.
func (e *evaluation) printTable(w io.Writer, s *summary, out *output) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(name, format string, values ...any) { fmt.Fprintf(t, name+"\t"+format+"\n", values...) }
	row("model", "%s", e.Describe())
	if s.TrainRows != nil {
		row("training rows", "%d%s", *s.TrainRows, e.DescribeDefence())
	}
	row("test accuracy", "%.4g, of %d rows", s.Accuracy, s.TestRows)
	row("attack", "%s", e.describe())
	row("rows attacked", "%d", s.Points)
	row("empirical robustness", "%s", number(s.EmpiricalRobustness))
	if e.exact() {
		row("mean certified bound", "%s", number(s.MeanBound))
		row("finished", "%d with an example, %d without any, %d at a limit", s.Optimal, s.None, s.Limit)
	} else {
		row("found", "%d", s.Found)
	}
	row("time for all rows", "%.3g s", s.Seconds)
	if e.out != "" {
		row("rows written to", "%s%s", e.out, out.history(s.Version))
	}
	if e.summary != "" {
		row("summary written to", "%s", e.summary)
	}
	return t.Flush()
}

// history tells how much of -out is from before.
func (o *output) history(version string) string {
	if o.kept == 0 {
		return ""
	}
	text := fmt.Sprintf(" (%d of them before)", o.kept)
	if o.begun != version {
		text = fmt.Sprintf(" (%d of them before, begun by version %s)", o.kept, o.begun)
	}
	return text
}

// number shows a mean, or that there is none.
func number(v *float64) string {
	if v == nil {
		return "-"
	}
	return strconv.FormatFloat(*v, 'g', 6, 64)
}
