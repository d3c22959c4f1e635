package attacking

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
)

// printTable prints the measurements and the names of the files.
func (a *attacking) printTable(
	e *evaluation, w io.Writer, s *summary, out *results.File[results.Line],
) error {
	t := command.NewTable(w)
	t.Row("model", "%s", e.Describe())
	if s.TrainRows != nil {
		t.Row("training rows", "%d%s", *s.TrainRows, e.DescribeDefence())
	}
	switch {
	case e.Change != nil:
	case s.Accuracy == nil:
		t.Row("test rows", "%d, without labels", s.TestRows)
	default:
		t.Row("test accuracy", "%.4g, of %d rows", *s.Accuracy, s.TestRows)
	}
	t.Row("attack", "%s", a.describe())
	t.Row("inputs", "%s", s.Inputs)
	t.Row("rows attacked", "%d", s.Points)
	a.printDistances(e, t, s, out.Lines)
	a.printProven(t, s)
	t.Row("time of attack", "%.3g s, %.3g s on all processors together",
		s.WallSeconds, s.ProcessorSeconds)
	t.Written("rows", e.out+history(out, s.Version))
	t.Written("table", e.table)
	t.Written("figure", a.plot)
	t.Written("summary", e.summary)
	e.prover.print(t)
	if err := t.Flush(); err != nil || a.several == 0 {
		return err
	}
	return e.printCounterfactuals(w, out.Lines)
}

// printDistances prints how far examples are, of all rows, of the nearest ones and of each label.
func (a *attacking) printDistances(
	e *evaluation, t command.Table, s *summary, lines []results.Line,
) {
	t.Row("empirical robustness", "%s", number(s.EmpiricalRobustness))
	q := s.DistanceQuantiles
	t.Row("distances", "%s least, %s median, %s most, %s",
		number(q.Least), number(q.Median), number(q.Most), e.distances())
	const few = 5
	if list := nearest(byRow(lines), few); len(list) > 0 {
		names := make([]string, len(list))
		for i, l := range list {
			names[i] = fmt.Sprintf("%d (%s)", l.Row, number(l.Distance))
		}
		t.Row("nearest rows", "%s", strings.Join(names, ", "))
	}
	if len(s.Labels) < 2 || len(s.Labels) > mostLabels {
		return
	}
	for _, l := range s.Labels {
		right := ""
		if l.Rows != nil {
			right = fmt.Sprintf("; %d of the %d rows with this label are right", *l.Right, *l.Rows)
		}
		t.Row(fmt.Sprintf("predicted %v", l.Label), "%d, %s median%s", l.Points,
			number(l.Median), right)
	}
}

// printProven prints which bounds are proven, or how many examples an attack has found that proves
// none.
func (a *attacking) printProven(t command.Table, s *summary) {
	if !a.proves() {
		t.Row("found", "%d", s.Found)
		return
	}
	bound := "mean certified bound"
	if a.Reach != "" {
		bound = "mean bound to " + a.Reach
	}
	t.Row(bound, "%s", number(s.MeanBound))
	t.Row("finished", "%d with an example, %d without any, %d at a limit%s%s",
		s.Optimal, s.None, s.Limit,
		counted(s.Undecided, " (%d of them undecided: no example yet)"),
		counted(s.Coarse, "; %d where float64 is too coarse for an example at the bound"))
	if s.MeanGap != nil {
		t.Row("gap at the limit", "%.3g of the distance, in the mean", *s.MeanGap)
	}
}

// mostLabels are as many as a reader looks at.
const mostLabels = 10

// print says where the proofs are. A nil prover writes none.
func (p *prover) print(t command.Table) {
	switch {
	case p == nil:
	case p.file.Proofs == 0:
		t.Row("proofs", "none to write: there is no %s%s", p.name, p.without())
	default:
		t.Row("proofs written to", "%s, %d of them%s", p.name, p.file.Proofs, p.without())
		t.Row("", "facet check %s%s replays them", p.name, p.models.named())
	}
}

// without says how many bounds have no proof, if any have none.
func (p *prover) without() string {
	return counted(int(p.unproven.Load()), "; none about %d, which exact arithmetic does not "+
		"follow so far, or which can go nowhere or have a missing value")
}

// counted is a clause about a number of rows; "" about none.
func counted(n int, clause string) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(clause, n)
}

// history tells how much of --out is from before.
func history[L results.Record[L]](out *results.File[L], version string) string {
	if out.Begun != version {
		return fmt.Sprintf(" (%d lines of it before, begun by version %s)", out.Kept, out.Begun)
	}
	return counted(out.Kept, " (%d lines of it before)")
}

// number shows a mean, or that there is none.
func number(v *float64) string {
	if v == nil {
		return "-"
	}
	return strconv.FormatFloat(*v, 'g', 6, 64)
}
