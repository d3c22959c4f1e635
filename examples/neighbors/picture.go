package main

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/seed-1a7dc1f9/facet/internal/plotting"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// figure draws the medians on two logarithmic axes, with the laws fitted.
func (s *settings) figure(all []*series) *plotting.Figure {
	norm := map[polytope.Norm]string{polytope.LInf: "ℓ∞", polytope.L1: "ℓ1", polytope.L2: "ℓ2"}[s.Norm]
	frame := around(all)
	panel := plotting.NewPanel("training rows n", "median time for a point (ms)", frame,
		fmt.Sprintf("exact %s attack on k-NN, one core", norm),
		fmt.Sprintf("%s, d = %d, %d points", s.distribution(), dim, s.queries))
	for _, axis := range []*plot.Axis{&panel.X, &panel.Y} {
		axis.Scale = plot.LogScale{}
		axis.Tick.Marker = plot.TickerFunc(decades)
	}
	f := &plotting.Figure{Panels: []*plotting.Panel{panel}, Width: 4 * vg.Inch}
	for i, grown := range all {
		line, marks := grown.line(i, frame), grown.marks(i)
		panel.Add(line, marks)
		f.Key = append(f.Key, plotting.Entry{
			Text:  fmt.Sprintf("k = %d, fit %v", grown.k, grown.law),
			Icons: []plot.Thumbnailer{line, marks},
		})
	}
	return f
}

// around returns a frame with room on all sides of the data.
func around(all []*series) plotting.Frame {
	f := plotting.Frame{MinX: math.Inf(1), MinY: math.Inf(1)}
	for _, grown := range all {
		for _, z := range grown.sizes {
			rows, ms := float64(z.rows), z.milliseconds()
			f.MinX, f.MaxX = min(f.MinX, rows), max(f.MaxX, rows)
			f.MinY, f.MaxY = min(f.MinY, ms), max(f.MaxY, ms)
		}
	}
	return plotting.Frame{MinX: f.MinX / 2, MaxX: f.MaxX * 2, MinY: f.MinY / 2, MaxY: f.MaxY * 2}
}

// line is the law, straight on logarithmic axes, from the smallest size to the largest.
func (g *series) line(i int, f plotting.Frame) *plotter.Line {
	line := &plotter.Line{LineStyle: draw.LineStyle{Color: plotting.Color(i), Width: vg.Points(1.2)}}
	if !math.IsNaN(g.law.exponent) {
		for _, z := range []size{g.sizes[0], g.sizes[len(g.sizes)-1]} {
			rows := float64(z.rows)
			line.XYs = append(line.XYs, plotter.XY{X: rows, Y: min(max(g.law.at(rows), f.MinY), f.MaxY)})
		}
	}
	return line
}

// marks are the medians. Shapes tell the series apart in prints without colour.
func (g *series) marks(i int) *plotter.Scatter {
	shapes := []draw.GlyphDrawer{draw.CircleGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.PyramidGlyph{}, draw.CrossGlyph{}}
	marks := &plotter.Scatter{GlyphStyle: draw.GlyphStyle{Color: plotting.Color(i), Radius: vg.Points(3), Shape: shapes[i%len(shapes)]}}
	for _, z := range g.sizes {
		marks.XYs = append(marks.XYs, plotter.XY{X: float64(z.rows), Y: z.milliseconds()})
	}
	return marks
}

// decades marks the powers of ten, and their multiples without labels. Where there are
// few powers, twice and five times them are labelled too.
func decades(lo, hi float64) []plot.Tick {
	labelled := map[int]bool{1: true, 2: hi < 100*lo, 5: hi < 100*lo}
	var ticks []plot.Tick
	for e := math.Floor(math.Log10(lo)); e <= math.Log10(hi); e++ {
		for m := 1; m < 10; m++ {
			tick := plot.Tick{Value: float64(m) * math.Pow(10, e)}
			if labelled[m] {
				tick.Label = strconv.FormatFloat(tick.Value, 'f', -1, 64)
			}
			if tick.Value >= lo && tick.Value <= hi {
				ticks = append(ticks, tick)
			}
		}
	}
	return ticks
}
