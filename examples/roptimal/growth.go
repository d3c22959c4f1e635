package main

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/seed-1a7dc1f9/facet/examples/internal/plotting"
)

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

// errorBars are means with what they may be off.
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
