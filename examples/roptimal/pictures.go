package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/plotting"
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
		Key:   plotting.RegionKey(2),
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
		if _, err := panel.AddRegions(ctx, p.model, p.rows.x, p.rows.y); err != nil {
			return nil, err
		}
		f.Panels = append(f.Panels, panel)
	}
	return f, nil
}
