package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/seed-1a7dc1f9/facet/examples/internal/plotting"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// figure draws the medians on two logarithmic axes, with the laws fitted. The axes are
// linear in the decimal logarithms: on a plot.LogScale gonum/plot leaves room for the label
// where it would stand on a linear one.
func (s *settings) figure(all []*series) *plotting.Figure {
	norm := map[polytope.Norm]string{
		polytope.LInf: "ℓ∞",
		polytope.L1:   "ℓ1",
		polytope.L2:   "ℓ2",
	}[s.norm]
	frame := around(all)
	panel := plotting.NewPanel("training rows n", "median time for a point (ms)", frame,
		fmt.Sprintf("exact %s attack on k-NN, one core", norm),
		fmt.Sprintf("%s, d = %d, %d points", s.distribution(), dim, s.queries))
	panel.X.Tick.Marker, panel.Y.Tick.Marker = plot.TickerFunc(decades), plot.TickerFunc(decades)
	f := &plotting.Figure{Panels: []*plotting.Panel{panel}, Width: 4 * vg.Inch}
	for i, grown := range all {
		line, marks := grown.line(i), grown.marks(i)
		panel.AddLines(line)
		panel.Add(marks)
		f.Key = append(f.Key, plotting.Entry{
			Text:  fmt.Sprintf("k = %d, fit %s", grown.k, grown.law.inFigure()),
			Icons: []plot.Thumbnailer{line, marks},
		})
	}
	return f
}

// around returns a frame with room on all sides of the data.
func around(all []*series) plotting.Frame {
	var points plotter.XYs
	for _, grown := range all {
		points = append(points, grown.points()...)
	}
	minX, maxX, minY, maxY := plotter.XYRange(points)
	margin := math.Log10(2)
	return plotting.Frame{
		MinX: minX - margin,
		MaxX: maxX + margin,
		MinY: minY - margin,
		MaxY: maxY + margin,
	}
}

// points returns the decimal logarithms of rows and milliseconds.
func (g *series) points() (points plotter.XYs) {
	for _, z := range g.sizes {
		points = append(points, plotter.XY{
			X: math.Log10(float64(z.rows)),
			Y: math.Log10(z.milliseconds()),
		})
	}
	return points
}

// line is the law from the smallest size to the largest, a straight line.
func (g *series) line(i int) *plotter.Line {
	line := &plotter.Line{LineStyle: plotting.Line(i)}
	if !math.IsNaN(g.law.exponent) {
		for _, z := range []size{g.sizes[0], g.sizes[len(g.sizes)-1]} {
			rows := float64(z.rows)
			line.XYs = append(line.XYs, plotter.XY{
				X: math.Log10(rows),
				Y: math.Log10(g.law.at(rows)),
			})
		}
	}
	return line
}

// marks are the medians. Shapes tell the series apart in prints without colour.
func (g *series) marks(i int) *plotter.Scatter {
	shapes := []draw.GlyphDrawer{draw.CircleGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{},
		draw.PyramidGlyph{}, draw.CrossGlyph{}}
	return &plotter.Scatter{
		XYs: g.points(),
		GlyphStyle: draw.GlyphStyle{
			Color:  plotting.Color(i),
			Radius: vg.Points(3),
			Shape:  shapes[i%len(shapes)],
		},
	}
}

// inFigure shows the exponent above the line.
func (l law) inFigure() string {
	if math.IsNaN(l.exponent) {
		return l.String()
	}
	n, exponent, _ := strings.Cut(l.String(), "^")
	return n + plotting.Superscript(exponent)
}

// product writes m·10ᵉ, as a power of ten from a thousand on.
func product(m, e int) string {
	power := "10" + plotting.Superscript(strconv.Itoa(e))
	switch {
	case e < 3:
		return strconv.FormatFloat(float64(m)*math.Pow10(e), 'f', max(0, -e), 64)
	case m == 1:
		return power
	}
	return fmt.Sprintf("%d·%s", m, power)
}

// decades marks the powers of ten whose logarithms lie between lo and hi, and their
// multiples without labels. Where there are few powers, twice and five times them are
// labelled too.
func decades(lo, hi float64) []plot.Tick {
	few := hi-lo < 2
	labelled := map[int]bool{1: true, 2: few, 5: few}
	var ticks []plot.Tick
	for e := math.Floor(lo); e <= hi; e++ {
		for m := 1; m < 10; m++ {
			tick := plot.Tick{Value: e + math.Log10(float64(m))}
			if labelled[m] {
				tick.Label = product(m, int(e))
			}
			if tick.Value >= lo && tick.Value <= hi {
				ticks = append(ticks, tick)
			}
		}
	}
	return ticks
}
