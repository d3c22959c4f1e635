package attacking

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/plotting"
	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

// verdicts is the object of --summary of facet certify.
type verdicts struct {
	Rows  int          `json:"rows"` // with a line, the misclassified ones too
	about              // the accuracy is that of these rows
	Radii []verdictsAt `json:"radii"`
	Nodes int          `json:"nodes"`
	times
	made

	points []metrics.Point // of the rows
}

// verdictsAt counts the verdicts at a radius.
type verdictsAt struct {
	Radius float64 `json:"radius"`
	// share that is classified correctly and proven robust
	Certified float64 `json:"certified_accuracy"`
	// share that is classified correctly and not proven otherwise
	Possible  float64 `json:"possible_accuracy"`
	Yes       int     `json:"yes"`
	No        int     `json:"no"`
	Undecided int     `json:"undecided"`
}

// byRow returns the lines in the order of the rows: sums depend on it, and must not depend on who
// finished first.
func byRow(lines []results.Line) []results.Line {
	return slices.SortedFunc(slices.Values(lines),
		func(a, b results.Line) int { return cmp.Compare(a.Row, b.Row) })
}

// pointsOf returns the rows as points, those that are not attacked too.
func (e *evaluation) pointsOf(lines []results.Line) (points []metrics.Point) {
	for _, l := range lines {
		p := metrics.Point{}
		if l.Attacked() {
			p = point(&l)
		}
		row, _ := e.data.Test.Index(l.Row)
		if p.Predicted, p.TrueLabel = e.predicted[row], e.predicted[row]; e.data.Test.Y != nil {
			p.TrueLabel = e.data.Test.Y[row]
		}
		points = append(points, p)
	}
	return points
}

// sumVerdicts is called when every row has a line.
func (c *certifying) sumVerdicts(
	e *evaluation, lines []results.Line, took *clock,
) (*verdicts, error) {
	lines = byRow(lines)
	v := &verdicts{
		Rows: len(lines), about: e.about(), times: took.times(),
		made: made{command.Release(), e.flags},
	}
	v.points = e.pointsOf(lines)
	correct := 0
	for i := range v.points {
		if p := &v.points[i]; p.Predicted == p.TrueLabel {
			correct++
		}
	}
	for _, l := range lines {
		v.Nodes += l.Nodes
		v.Seconds += l.Seconds
	}
	if accuracy := float64(correct) / float64(len(lines)); e.data.Test.Y != nil {
		v.Accuracy = &accuracy
	}
	for _, r := range c.radii {
		at, err := countVerdicts(v.points, r)
		if err != nil {
			return nil, err
		}
		v.Radii = append(v.Radii, at)
	}
	return v, nil
}

func countVerdicts(points []metrics.Point, radius float64) (verdictsAt, error) {
	share, err := metrics.RobustAccuracy(points, radius)
	at := verdictsAt{Radius: radius, Certified: share.Certified, Possible: share.Possible}
	counts := map[attack.Verdict]*int{
		attack.Holds:     &at.Yes,
		attack.Refuted:   &at.No,
		attack.Undecided: &at.Undecided,
	}
	for i := range points {
		if p := &points[i]; p.Attacked {
			*counts[p.Verdict(radius)]++
		}
	}
	return at, err
}

// report writes the summary and the figure, and prints the table.
func (c *certifying) report(
	e *evaluation, out *results.File[results.Line], took *clock, stdout io.Writer,
) error {
	v, err := c.sumVerdicts(e, out.Lines, took)
	if err != nil {
		return err
	}
	if err := cmp.Or(e.writeSummary(v), e.writeTable(e, out.Lines)); err != nil {
		return err
	}
	if c.plot != "" {
		if err := c.figure(v).Save(c.plot); err != nil {
			return fmt.Errorf("--plot: %w", err)
		}
	}
	return c.printVerdicts(stdout, v, out)
}

// printVerdicts prints the accuracies at each radius.
func (c *certifying) printVerdicts(
	w io.Writer, v *verdicts, out *results.File[results.Line],
) error {
	t := command.NewTable(w)
	t.Row("model", "%s", c.Describe())
	if v.TrainRows != nil {
		t.Row("training rows", "%d%s", *v.TrainRows, c.DescribeDefence())
	}
	t.Row("question", "do all of these inputs within the radius have the label of the row? "+
		"norm %v, radii %s", c.Measure.Name(), v.Units)
	t.Row("inputs", "%s", v.Inputs)
	certified, possible := "certified accuracy", "possible accuracy"
	if v.Accuracy == nil {
		certified, possible = "proven robust", "not proven otherwise"
		t.Row("rows", "%d, without labels", v.Rows)
	} else {
		t.Row("accuracy", "%.4g, of %d rows", *v.Accuracy, v.Rows)
	}
	t.Row("time", "%.3g s, %.3g s on all processors together", v.WallSeconds, v.ProcessorSeconds)
	t.Written("rows", c.out+history(out, v.Version))
	t.Written("summary", c.summary)
	t.Written("figure", c.plot)
	fmt.Fprintf(t, "\nradius\t%s\t%s\tyes\tno\tundecided\n", certified, possible)
	for _, at := range v.Radii {
		fmt.Fprintf(t, "%v\t%.4g\t%.4g\t%d\t%d\t%d\n",
			at.Radius, at.Certified, at.Possible, at.Yes, at.No, at.Undecided)
	}
	return t.Flush()
}

// figure draws certified and possible accuracy up to the largest radius.
func (c *certifying) figure(v *verdicts) *plotting.Figure {
	return shares(v.points, c.radii, fmt.Sprintf("radius (%s, %s)", c.NormName(), v.Units),
		c.heading(v.about, v.Rows), c.key(v.about))
}

// shares draws the shares of points that are classified correctly and proven robust, or not proven
// otherwise.
func shares(
	points []metrics.Point, radii []float64, axis string, heading []string, key [2]string,
) *plotting.Figure {
	end := radii[len(radii)-1]
	panel := plotting.NewPanel(axis, "share of test rows",
		plotting.Frame{MaxX: 1.03 * end, MaxY: 1.02}, heading...)
	panel.Y.Tick.Marker = plot.ConstantTicks{
		{Value: 0, Label: "0"}, {Value: 0.2, Label: "0.2"}, {Value: 0.4, Label: "0.4"},
		{Value: 0.6, Label: "0.6"}, {Value: 0.8, Label: "0.8"}, {Value: 1, Label: "1"},
	}
	var certified, possible []float64
	for i := range points {
		if p := &points[i]; p.Attacked && p.Predicted == p.TrueLabel {
			certified, possible = append(certified, p.Bound), append(possible, p.Distance)
		}
	}
	f := &plotting.Figure{
		Panels: []*plotting.Panel{panel},
		Width:  4.2 * vg.Inch,
		Height: 2.8 * vg.Inch,
	}
	f.Key = panel.AddShares(certified, possible, radii, len(points),
		key[0], key[1])
	return f
}

// draw draws the same at all distances that were found.
func (a *attacking) draw(e *evaluation, lines []results.Line, s *summary) error {
	points, end := e.pointsOf(byRow(lines)), 0.0
	for i := range points {
		if p := &points[i]; p.Attacked && !math.IsInf(p.Distance, 1) {
			end = max(end, p.Distance)
		}
	}
	if end == 0 {
		return errors.New("there is no distance to draw")
	}
	axis := fmt.Sprintf("distance (%s, %s)", a.NormName(), s.Units)
	key := a.key(s.about)
	if !a.proves() {
		key = [...]string{"certified: none, as this attack proves nothing",
			"possible: no example found by this attack"}
	}
	heading := a.heading(s.about, len(points))
	return shares(points, []float64{end}, axis, heading, key).Save(a.plot)
}

// key explains the curves.
func (t *task) key(about about) [2]string {
	switch {
	case t.Change != nil:
		within := fmt.Sprintf("output changes by at most %v", *t.Change)
		return [...]string{"certified: " + within + ", proven", "possible: not proven otherwise"}
	case about.Accuracy == nil:
		return [...]string{"certified: proven robust", "possible: not proven otherwise"}
	}
	return [...]string{"certified: correct, and proven robust",
		"possible: correct, and not proven otherwise"}
}

// heading names the model, the rows it was trained on, those tested and the inputs in question, a
// line each: files without their folders.
func (t *task) heading(about about, rows int) []string {
	lines := []string{filepath.Base(t.Describe())}
	if about.TrainRows != nil {
		lines = append(lines,
			fmt.Sprintf("%d training rows%s", *about.TrainRows, t.DescribeDefence()))
	}
	return append(lines, fmt.Sprintf("%d test rows of %s", rows, filepath.Base(t.Test.Path)),
		"about "+about.short)
}
