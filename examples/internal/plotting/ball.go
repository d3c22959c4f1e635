package plotting

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Ball is a plotter that outlines the points at ℓ∞ distance Radius from Center: a
// square.
type Ball struct {
	Center plotter.XY
	Radius float64
}

var dashed = draw.LineStyle{Color: Ink, Width: vg.Points(0.9), Dashes: []vg.Length{vg.Points(3), vg.Points(2)}}

// Plot implements plot.Plotter. What lies outside the frame is cut off.
func (b *Ball) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	at := func(dx, dy float64) vg.Point {
		return vg.Point{X: x(b.Center.X + dx*b.Radius), Y: y(b.Center.Y + dy*b.Radius)}
	}
	square := []vg.Point{at(-1, -1), at(1, -1), at(1, 1), at(-1, 1), at(-1, -1)}
	c.StrokeLines(dashed, c.ClipLinesXY(square)...)
}

// Thumbnail implements plot.Thumbnailer.
func (b *Ball) Thumbnail(c *draw.Canvas) {
	half := (c.Max.Y - c.Min.Y) / 2
	corner := vg.Point{X: half, Y: half}
	square := vg.Rectangle{Min: c.Center().Sub(corner), Max: c.Center().Add(corner)}
	c.SetLineStyle(dashed)
	c.Stroke(square.Path())
}
