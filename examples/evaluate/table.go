package main

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
	row("model", "%s", e.describeModel())
	if s.TrainRows != nil {
		row("training rows", "%d%s", *s.TrainRows, e.describeDefence())
	}
	row("test accuracy", "%.4g, of %d rows", s.Accuracy, s.TestRows)
	row("attack", "%s", e.describeAttack())
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

func (e *evaluation) describeModel() string {
	switch e.model {
	case "knn":
		if e.weighted() {
			return fmt.Sprintf("%d-nearest neighbours, weighted by distance", e.k)
		}
		return fmt.Sprintf("%d-nearest neighbours", e.k)
	case "tree":
		return fmt.Sprintf("decision tree, depth %d, %s", e.depth, e.describeSplits())
	case "forest":
		return fmt.Sprintf("random forest, %d trees, depth %d, %s", e.trees, e.depth, e.describeSplits())
	case "oblique":
		return fmt.Sprintf("oblique trees, %d of them, depth %d, %v", e.trees, e.depth, e.criterion)
	}
	return e.model
}

// describeDefence says what the training rows are.
func (e *evaluation) describeDefence() (text string) {
	if e.prune > 0 {
		text += fmt.Sprintf(", pruned with radius %v", e.prune)
	}
	if e.adversarial > 0 {
		text += fmt.Sprintf(", with adversarial examples within %v", e.adversarial)
	}
	return text
}

func (e *evaluation) describeSplits() string {
	if e.robust > 0 {
		return fmt.Sprintf("%v, robust splits %v", e.criterion, e.robust)
	}
	return e.criterion.String()
}

func (e *evaluation) describeAttack() string {
	text := fmt.Sprintf("%s, norm %v", e.attackName, e.norm)
	if e.attackName == "approx" {
		text = fmt.Sprintf("approx, %d regions, norm %v", e.regions, e.norm)
	}
	if e.target != nil {
		text += fmt.Sprintf(", target %v", *e.target)
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
