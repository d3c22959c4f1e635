package main

import (
	"context"
	"fmt"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/plotting"
)

var frame = plotting.Frame{MinX: 0, MaxX: 1, MinY: 0, MaxY: 1}

// shown is the number of training points that a picture has room for.
const shown = 2000

// regions draws 1-NN without pruning and with it, of the largest training set that is not too
// large, and the rule.
func (e *experiment) regions(
	ctx context.Context, rule *rule, results []*result,
) (*plotting.Figure, error) {
	r := results[len(results)-1]
	for _, smaller := range results[1:] {
		if smaller.size <= shown {
			r = smaller
		}
	}
	f := &plotting.Figure{
		Title: fmt.Sprintf("decision regions: 1-NN without and with adversarial pruning, and the "+
			"r-optimal rule, r = %g (ℓ2)", radius),
		Key: plotting.RegionKey(2),
	}
	panels := []struct {
		model *classifier.KNN
		rows  rows
		name  string
		score score
	}{
		{r.models[0], r.rows[0], fmt.Sprintf("1-NN, %d training points", len(r.rows[0].y)),
			r.plain},
		{r.models[1], r.rows[1], fmt.Sprintf("1-NN, pruned: %d training points", len(r.rows[1].y)),
			r.pruned},
		{rule.knn, rows{}, "r-optimal rule", results[0].pruned},
	}
	for _, p := range panels {
		panel := plotting.NewPanel("x₁", "x₂", frame, p.name,
			fmt.Sprintf("astuteness %.3f on %d test points", p.score.astuteness, e.tested))
		if _, err := panel.AddRegions(ctx, p.model, p.rows.x, p.rows.y); err != nil {
			return nil, err
		}
		f.Panels = append(f.Panels, panel)
	}
	return f, nil
}
