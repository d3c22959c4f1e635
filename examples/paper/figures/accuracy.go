package figures

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/seed-1a7dc1f9/facet/examples/internal/experiment"
	"github.com/seed-1a7dc1f9/facet/examples/internal/plotting"
	"github.com/seed-1a7dc1f9/facet/internal/dataset/protocol"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

// accuracies is figure 3, 4 or 5: a row for each set, a column for each classifier.
func accuracies(
	ctx context.Context, lab *experiment.Lab, sets []string, of []experiment.Classifier,
) (*plotting.Figure, error) {
	f := &plotting.Figure{
		Title: "Accuracy on initially correctly predicted test points under ℓ∞ perturbations " +
			"(larger is better)",
		Columns: len(of),
		Key:     accuracyKey(),
		Width:   1.6 * vg.Inch,
		Height:  1.25 * vg.Inch,
	}
	for i, name := range sets {
		row, err := accuracyRow(ctx, lab, name, of)
		if err != nil {
			return nil, err
		}
		if i == len(sets)-1 {
			for _, p := range row {
				p.X.Label.Text = "ℓ∞ distance (scaled features)"
			}
		}
		f.Panels = append(f.Panels, row...)
	}
	return f, nil
}

// accuracyRow returns the panels of a set, which share an axis.
func accuracyRow(
	ctx context.Context, lab *experiment.Lab, name string, of []experiment.Classifier,
) ([]*plotting.Panel, error) {
	set, err := lab.Set(ctx, name)
	if err != nil {
		return nil, err
	}
	attacked := make(map[experiment.Run][]metrics.Point)
	var end float64
	for _, c := range of {
		for _, k := range curvesOf(c) {
			run := k.run(name, c)
			attacked[run], err = lab.Points(ctx, run)
			if err != nil && !errors.Is(err, experiment.ErrLeftOut) {
				return nil, err
			}
			end = max(end, reach(attacked[run]))
		}
	}
	var row []*plotting.Panel
	for _, c := range of {
		panel := accuracyPanel(set, c, end)
		var counts []int
		var without []string
		for _, k := range curvesOf(c) {
			if points := attacked[k.run(name, c)]; len(points) > 0 {
				panel.AddLines(&plotter.Line{
					XYs:       plotting.Steps(sorted(points), len(points), end),
					LineStyle: k.line,
				})
				counts = append(counts, len(points))
			} else {
				without = append(without, k.short())
			}
		}
		panel.Heading = append(panel.Heading, inAll(counts, without))
		row = append(row, panel)
	}
	row[0].Y.Label.Text = "accuracy"
	return row, nil
}

// inAll says how many points lines are made of, and for which lines none were attacked: the
// paper's protocol takes points that are classified correctly, and a classifier that knows two
// labels; -large adds the attacks that take long.
func inAll(counts []int, without []string) string {
	text := "no attacked points"
	if len(counts) > 0 {
		least, most := slices.Min(counts), slices.Max(counts)
		text = fmt.Sprintf("%d to %d attacked points", least, most)
		if least == most {
			text = fmt.Sprintf("%d attacked points", most)
		}
	}
	if len(without) > 0 {
		text += ", none for " + strings.Join(without, ", ")
	}
	return text
}

// accuracyPanel returns a panel without lines. It explains the features when they are not those of
// the file, and that a set is made of the test images alone, which the paper does not do.
func accuracyPanel(set *protocol.Set, c experiment.Classifier, end float64) *plotting.Panel {
	panel := plotting.NewPanel("", "",
		plotting.Frame{MaxX: end, MaxY: 1.02}, set.Name+": "+inWords[c])
	switch {
	case set.TestOnly:
		panel.Heading = append(panel.Heading, "after PCA, t10k images only")
	case set.Picture(0) != nil:
		panel.Heading = append(panel.Heading, "after PCA to 25 dimensions")
	}
	return panel
}

func accuracyKey() []plotting.Entry {
	var entries []plotting.Entry
	for _, k := range curves() {
		icon := &plotter.Line{LineStyle: k.line}
		entries = append(entries, plotting.Entry{Text: k.text(), Icons: []plot.Thumbnailer{icon}})
	}
	return entries
}

// curve is one of the lines of figures 3 to 5.
type curve struct {
	name   string
	method experiment.Method
	attack experiment.Attack
	line   draw.LineStyle
}

// text is that of the line in the key.
func (k *curve) text() string {
	if k.method == experiment.None {
		return k.name
	}
	return fmt.Sprintf("%s, r = %g", k.name, strength)
}

// short is the name without its explanation.
func (k *curve) short() string {
	name, _, _ := strings.Cut(k.name, " (")
	return name
}

// curves returns all lines.
func curves() []curve {
	return []curve{
		{"regular", experiment.None, experiment.RBAExact, plotting.Line(0)},
		{"AP (adversarial pruning)", experiment.Pruning, experiment.RBAExact, plotting.Line(1)},
		{"AT (adversarial training)", experiment.Adversarial, experiment.RBAExact,
			plotting.Line(2)},
		{"RS (robust splitting)", experiment.Splitting, experiment.RBAExact, plotting.Line(3)},
		{"WJC (Wang, Jha and Chaudhuri)", experiment.WJC, experiment.RBAExact, plotting.Line(4)},
		{"regular, under RBA-Approx", experiment.None, experiment.RBAApprox, thin(0)},
		{"AP, under RBA-Approx", experiment.Pruning, experiment.RBAApprox, thin(1)},
	}
}

// thin is the style of a line that shows the results of the paper's approximate attack.
func thin(line int) draw.LineStyle {
	style := plotting.Line(line)
	style.Width = vg.Points(0.6)
	return style
}

// curvesOf returns the lines of a classifier: not every defence is for all.
func curvesOf(c experiment.Classifier) []curve {
	return slices.DeleteFunc(curves(), func(k curve) bool {
		switch {
		case k.method == experiment.WJC:
			return c != experiment.OneNN
		case k.method == experiment.Splitting:
			return c != experiment.Tree && c != experiment.Forest
		case k.attack == experiment.RBAApprox:
			return experiment.Usual(c) != experiment.RBAApprox
		}
		return false
	})
}

// run is the attack that the line shows.
func (k *curve) run(set string, c experiment.Classifier) experiment.Run {
	d := experiment.Defence{Method: k.method}
	if k.method != experiment.None {
		d.Strength = strength
	}
	return experiment.Run{
		Subject: experiment.Subject{Set: set, Classifier: c, Defence: d},
		Attack:  k.attack,
	}
}

// sorted returns the distances of points, ascending.
func sorted(points []metrics.Point) []float64 {
	distances := make([]float64, len(points))
	for i, p := range points {
		distances[i] = p.Distance
	}
	slices.Sort(distances)
	return distances
}

// reach returns a round number up to which all but a few of the points of a line
// are shown.
func reach(points []metrics.Point) float64 {
	distances := sorted(points)
	finite, _ := slices.BinarySearch(distances, math.MaxFloat64)
	var far float64
	if shown := min(finite, len(distances)*97/100); shown > 0 {
		far = distances[shown-1]
	}
	const step = 0.05
	return max(step, step*math.Ceil(far/step))
}
