package plotting

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Attack is how an attacked point is shown: a star with an arrow to its nearest adversarial
// example, in the ball that is free of other labels.
type Attack struct {
	Name string    // of the point, in the key
	Size vg.Length // radius of the star
}

// AddTo adds the attack on x, whose example is at the ℓ∞ distance, to the panel.
func (a Attack) AddTo(p *Panel, x, example []float64, distance float64) {
	from, to := plotter.XY{X: x[0], Y: x[1]}, plotter.XY{X: example[0], Y: example[1]}
	at := func(dx, dy float64) plotter.XY { return plotter.XY{X: from.X + dx*distance, Y: from.Y + dy*distance} }
	ball := plotter.XYs{at(-1, -1), at(1, -1), at(1, 1), at(-1, 1), at(-1, -1)}
	p.AddLines(&plotter.Line{XYs: ball, LineStyle: dashed})
	p.Add(&arrow{from, to}, a.star(plotter.XYs{from}))
}

// Key explains what AddTo adds.
func (a Attack) Key() []Entry {
	return []Entry{
		{Text: a.Name, Icons: []plot.Thumbnailer{a.star(nil)}},
		{Text: "to its nearest adversarial example", Icons: []plot.Thumbnailer{&arrow{}}},
		{Text: "ℓ∞ ball free of the other label", Icons: []plot.Thumbnailer{ball{}}},
	}
}

func (a Attack) star(xys plotter.XYs) *Points {
	return &Points{XYs: xys, Shape: Star, Color: Ink, Radius: a.Size}
}

var dashed = draw.LineStyle{Color: Ink, Width: vg.Points(0.9), Dashes: []vg.Length{vg.Points(3), vg.Points(2)}}

// ball is the icon of an ℓ∞ ball, a square.
type ball struct{}

// Thumbnail implements plot.Thumbnailer.
func (ball) Thumbnail(c *draw.Canvas) {
	half := (c.Max.Y - c.Min.Y) / 2
	corner := vg.Point{X: half, Y: half}
	square := vg.Rectangle{Min: c.Center().Sub(corner), Max: c.Center().Add(corner)}
	c.SetLineStyle(dashed)
	c.Stroke(square.Path())
}

// arrow is a plotter that leads from one point to another.
type arrow struct {
	from, to plotter.XY
}

const (
	shaft      = 1.2 // width in points
	headLength = 5.0
	headWidth  = 4.5
)

// Plot implements plot.Plotter.
func (a *arrow) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	drawArrow(&c, vg.Point{X: x(a.from.X), Y: y(a.from.Y)}, vg.Point{X: x(a.to.X), Y: y(a.to.Y)})
}

// Thumbnail implements plot.Thumbnailer.
func (a *arrow) Thumbnail(c *draw.Canvas) {
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
