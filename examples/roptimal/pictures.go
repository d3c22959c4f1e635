package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/plotting"
)

var frame = plotting.Frame{MinX: 0, MaxX: 1, MinY: 0, MaxY: 1}

// drawAll draws the regions of 1-NN without pruning and with it, and of the rule, and
// prints where the pictures are.
func drawAll(ctx context.Context, rule *rule, results []*result, folder string, stdout io.Writer) error {
	figure, err := regions(ctx, rule, results)
	if err != nil {
		return err
	}
	for _, format := range []string{".png", ".svg"} {
		path := filepath.Join(folder, "roptimal-regions"+format)
		if err := figure.Save(path); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(stdout, path); err != nil {
			return err
		}
	}
	return nil
}

// shown is the number of training points that a picture has room for.
const shown = 2000

// regions draws the largest training set that is not too large.
func regions(ctx context.Context, rule *rule, results []*result) (*plotting.Figure, error) {
	r := results[len(results)-1]
	for _, smaller := range results[1:] {
		if smaller.size <= shown {
			r = smaller
		}
	}
	f := &plotting.Figure{
		Title: fmt.Sprintf("decision regions: 1-NN of %d points, of those that pruning keeps, and the r-optimal rule", r.size),
		Key:   key(),
	}
	panels := []struct {
		model *classifier.KNN
		rows  rows
		name  string
		score score
	}{
		{r.models[0], r.rows[0], "1-NN", r.plain},
		{r.models[1], r.rows[1], "1-NN, pruned", r.pruned},
		{rule.knn, rows{}, "r-optimal", results[0].pruned},
	}
	for _, p := range panels {
		panel := plotting.NewPanel("x₁", "x₂", frame, p.name, fmt.Sprintf("astuteness %.3f at r = %g", p.score.astuteness, radius))
		areas, err := plotting.NewRegions(ctx, frame, 2, func(x, y float64) int { return p.model.Predict([]float64{x, y}) })
		if err != nil {
			return nil, err
		}
		panel.Add(areas)
		for label := range 2 {
			panel.Add(plotting.Labelled(label, p.rows.labelled(label)))
		}
		f.Panels = append(f.Panels, panel)
	}
	return f, nil
}

// labelled returns the points of a label.
func (r rows) labelled(label int) (xys plotter.XYs) {
	for i, y := range r.y {
		if y == label {
			xys = append(xys, plotter.XY{X: r.x.At(i, 0), Y: r.x.At(i, 1)})
		}
	}
	return xys
}

func key() []plotting.Entry {
	var entries []plotting.Entry
	for label := range 2 {
		entries = append(entries, plotting.Entry{
			Text:  fmt.Sprintf("label %d: region, training points", label),
			Icons: []plot.Thumbnailer{plotting.Swatch{Color: plotting.Light(label)}, plotting.Labelled(label, nil)},
		})
	}
	return entries
}
