package figures

import (
	"context"
	"fmt"

	"gonum.org/v1/plot/vg"

	"github.com/seed-1a7dc1f9/facet/examples/internal/experiment"
	"github.com/seed-1a7dc1f9/facet/examples/internal/plotting"
)

// regions is figure 1.
func regions(ctx context.Context, lab *experiment.Lab) (*plotting.Figure, error) {
	f := &plotting.Figure{
		Title: fmt.Sprintf(
			"halfmoon: regions before (top) and after (bottom) adversarial pruning at r = %g (ℓ∞)",
			strength,
		),
		Columns: len(experiment.Classifiers()),
		Key:     plotting.RegionKey(2),
		Width:   1.7 * vg.Inch,
		Height:  1.7 * vg.Inch,
	}
	for _, d := range []experiment.Defence{{}, {Method: experiment.Pruning, Strength: strength}} {
		for i, c := range experiment.Classifiers() {
			m, err := lab.Model(ctx, experiment.Subject{Set: "halfmoon", Classifier: c, Defence: d})
			if err != nil {
				return nil, err
			}
			panel := plotting.NewPanel("", "",
				plotting.Unit(), fmt.Sprintf("%s, %d points", inWords[c], len(m.Y)))
			if d.Method != experiment.None {
				panel.X.Label.Text = "x₁ (scaled)"
			}
			if i == 0 {
				panel.Y.Label.Text = "x₂ (scaled)"
			}
			if _, err := panel.AddRegions(ctx, m.Classifier, m.X, m.Y); err != nil {
				return nil, err
			}
			f.Panels = append(f.Panels, panel)
		}
	}
	return f, nil
}
