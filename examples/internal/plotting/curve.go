package plotting

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Curve is a plotter that joins points by straight lines.
type Curve struct {
	XYs   plotter.XYs
	Style draw.LineStyle
}

// dashes are those of the lines 0, 1, …: none, long, dotted, long and dotted,
// short.
var dashes = [][]vg.Length{nil, {7, 2}, {1.2, 1.8}, {7, 2, 1.2, 2}, {3.2, 1.8}}

// Line returns a style in which curves differ in colour and, for prints without
// colour, in dashes.
func Line(i int) draw.LineStyle {
	return draw.LineStyle{Color: Color(i), Width: vg.Points(1.3), Dashes: dashes[i%len(dashes)]}
}

// Plot implements plot.Plotter. What lies outside the frame is cut off.
func (k *Curve) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	line := make([]vg.Point, len(k.XYs))
	for i, q := range k.XYs {
		line[i] = vg.Point{X: x(q.X), Y: y(q.Y)}
	}
	c.StrokeLines(k.Style, c.ClipLinesXY(line)...)
}

// Thumbnail implements plot.Thumbnailer.
func (k *Curve) Thumbnail(c *draw.Canvas) {
	y := c.Center().Y
	c.StrokeLine2(k.Style, c.Min.X, y, c.Max.X, y)
}

// Outlines is a plotter that draws the borders of polygons with thin lines.
type Outlines struct {
	Polygons []plotter.XYs
}

var thin = draw.LineStyle{Color: border, Width: vg.Points(0.35)}

// Plot implements plot.Plotter.
func (o *Outlines) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, polygon := range o.Polygons {
		line := make([]vg.Point, 0, len(polygon)+1)
		for _, q := range polygon {
			line = append(line, vg.Point{X: x(q.X), Y: y(q.Y)})
		}
		if len(line) > 0 {
			line = append(line, line[0])
		}
		c.StrokeLines(thin, c.ClipLinesXY(line)...)
	}
}

// Thumbnail implements plot.Thumbnailer.
func (o *Outlines) Thumbnail(c *draw.Canvas) {
	c.SetLineStyle(thin)
	c.Stroke(c.Rectangle.Path())
}
