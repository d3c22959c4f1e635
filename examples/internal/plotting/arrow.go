package plotting

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Arrow is a plotter that leads from one point to another.
type Arrow struct {
	From, To plotter.XY
}

const (
	shaft      = 1.2 // width in points
	headLength = 5.0
	headWidth  = 4.5
)

// Plot implements plot.Plotter.
func (a *Arrow) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	drawArrow(&c, vg.Point{X: x(a.From.X), Y: y(a.From.Y)}, vg.Point{X: x(a.To.X), Y: y(a.To.Y)})
}

// Thumbnail implements plot.Thumbnailer.
func (a *Arrow) Thumbnail(c *draw.Canvas) {
	y := c.Center().Y
	drawArrow(c, vg.Point{X: c.Min.X, Y: y}, vg.Point{X: c.Max.X, Y: y})
}

// drawArrow draws the tip exactly at to. Of an arrow shorter than its head only
// a smaller head is left.
func drawArrow(c *draw.Canvas, from, to vg.Point) {
	d := to.Sub(from)
	length := vg.Length(math.Hypot(float64(d.X), float64(d.Y)))
	if length == 0 {
		return
	}
	unit := d.Scale(1 / length)
	side := vg.Point{X: -unit.Y, Y: unit.X}
	head := min(vg.Points(headLength), length)
	half := head * headWidth / headLength / 2
	neck := to.Sub(unit.Scale(head))
	c.StrokeLines(draw.LineStyle{Color: Ink, Width: vg.Points(shaft)}, []vg.Point{from, neck})
	c.FillPolygon(Ink, []vg.Point{to, neck.Add(side.Scale(half)), neck.Sub(side.Scale(half))})
}
