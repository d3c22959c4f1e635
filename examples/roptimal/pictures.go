package main

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

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

// growth draws astuteness against the number of training points, with twice the
// standard error over the training sets, and the rule's as a line that no classifier exceeds.
func (e *experiment) growth(rule *rule, results []*result) *plotting.Figure {
	sized := results[1:]
	x := func(r *result) float64 { return math.Log10(float64(r.size)) }
	frame := plotting.Frame{
		MinX: x(sized[0]) - 0.1,
		MaxX: x(sized[len(sized)-1]) + 0.1,
		MaxY: 1.25 * rule.most,
	}
	panel := plotting.NewPanel("training points n",
		fmt.Sprintf("astuteness at r = %g (ℓ2)", radius), frame,
		"astuteness of 1-NN as the training set grows",
		fmt.Sprintf("%d test points; mean ± 2 standard errors of %d training sets",
			e.tested, e.repeats))
	panel.X.Tick.Marker = sizes(sized)
	f := &plotting.Figure{Panels: []*plotting.Panel{panel}, Width: 4 * vg.Inch}
	for i, name := range []string{"1-NN", "1-NN, pruned"} {
		marks := new(errorBars)
		for _, r := range sized {
			values := r.astuteness[i]
			marks.XYs = append(marks.XYs, plotter.XY{X: x(r), Y: stat.Mean(values, nil)})
			bar := 0.0
			if len(values) > 1 {
				bar = 2 * stat.StdErr(stat.StdDev(values, nil), float64(len(values)))
			}
			marks.YErrors = append(marks.YErrors, struct{ Low, High float64 }{bar, bar})
		}
		line := &plotter.Line{XYs: marks.XYs, LineStyle: plotting.Line(i)}
		bars := &plotter.YErrorBars{
			XYs:       marks.XYs,
			YErrors:   marks.YErrors,
			LineStyle: plotting.Line(i),
			CapWidth:  vg.Points(5),
		}
		bars.Dashes = nil
		panel.AddLines(line)
		panel.Add(bars)
		f.Key = append(f.Key, plotting.Entry{Text: name, Icons: []plot.Thumbnailer{line}})
	}
	best := &plotter.Line{
		XYs:       plotter.XYs{{X: frame.MinX, Y: rule.most}, {X: frame.MaxX, Y: rule.most}},
		LineStyle: plotting.Line(2),
	}
	panel.AddLines(best)
	f.Key = append(f.Key, plotting.Entry{
		Text:  "most that any classifier can have",
		Icons: []plot.Thumbnailer{best},
	})
	return f
}

// errorBars are means with their errors.
type errorBars struct {
	plotter.XYs
	plotter.YErrors
}

// sizes marks the sizes that were measured, on an axis of decimal logarithms.
func sizes(results []*result) plot.ConstantTicks {
	var ticks plot.ConstantTicks
	for _, r := range results {
		ticks = append(ticks, plot.Tick{
			Value: math.Log10(float64(r.size)),
			Label: strconv.Itoa(r.size),
		})
	}
	return ticks
}
