package figures

import (
	"context"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/seed-1a7dc1f9/facet/examples/internal/experiment"
	"github.com/seed-1a7dc1f9/facet/examples/internal/plotting"
	"github.com/seed-1a7dc1f9/facet/internal/protocol"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

// accuracies is figure 3, 4 or 5: a row for each set, a column for each classifier.
func accuracies(ctx context.Context, lab *experiment.Lab, sets []string) (*plotting.Figure, error) {
	f := &plotting.Figure{
		Title:   "Accuracy on initially correctly predicted test points under ℓ∞ perturbations (larger is better)",
		Columns: len(experiment.Classifiers()),
		Key:     accuracyKey(),
		Width:   1.6 * vg.Inch,
		Height:  1.25 * vg.Inch,
	}
	for i, name := range sets {
		row, err := accuracyRow(ctx, lab, name)
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
func accuracyRow(ctx context.Context, lab *experiment.Lab, name string) ([]*plotting.Panel, error) {
	set, err := lab.Set(ctx, name)
	if err != nil {
		return nil, err
	}
	attacked := make(map[experiment.Run][]metrics.Point)
	var end float64
	for _, c := range experiment.Classifiers() {
		for _, k := range curvesOf(c) {
			run := k.run(name, c)
			if attacked[run], err = lab.Points(ctx, run); err != nil {
				return nil, err
			}
			end = max(end, reach(attacked[run]))
		}
	}
	var row []*plotting.Panel
	for _, c := range experiment.Classifiers() {
		panel := accuracyPanel(set, c, end)
		for _, k := range curvesOf(c) {
			k.addTo(panel, attacked[k.run(name, c)], end)
		}
		row = append(row, panel)
	}
	row[0].Y.Label.Text = "accuracy"
	return row, nil
}

// accuracyPanel returns a panel without lines. It says what features are when
// they are not those of the file, and that a set is made of the test images
// alone, with which nothing in the paper compares.
func accuracyPanel(set *protocol.Set, c experiment.Classifier, end float64) *plotting.Panel {
	panel := plotting.NewPanel("", "", plotting.Frame{MaxX: end, MaxY: 1.02}, set.Name+": "+inWords(c))
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
		entries = append(entries, plotting.Entry{Text: k.name, Icons: []plot.Thumbnailer{icon}})
	}
	return entries
}
