package plotting

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Attack is how an attacked point is shown: a star joined to its nearest adversarial
// example, which stands in an open ring, in the ball that is free of other labels.
type Attack struct {
	Name string    // of the point, in the key
	Size vg.Length // radius of the star
}

// AddTo adds the attack on x, whose example is at the ℓ∞ distance, to the panel.
func (a Attack) AddTo(p *Panel, x, example []float64, distance float64) {
	from, to := plotter.XY{X: x[0], Y: x[1]}, plotter.XY{X: example[0], Y: example[1]}
	at := func(dx, dy float64) plotter.XY {
		return plotter.XY{X: from.X + dx*distance, Y: from.Y + dy*distance}
	}
	ball := plotter.XYs{at(-1, -1), at(1, -1), at(1, 1), at(-1, 1), at(-1, -1)}
	p.AddLines(&plotter.Line{XYs: ball, LineStyle: dashed})
	p.Add(&arrow{from, to}, a.star(plotter.XYs{from}))
}

// Key explains the marks of AddTo.
func (a Attack) Key() []Entry {
	return []Entry{
		{Text: a.Name, Icons: []plot.Thumbnailer{a.star(nil)}},
		{
			Text:  "to its nearest adversarial example, in the ring",
			Icons: []plot.Thumbnailer{&arrow{}},
		},
		{Text: "ℓ∞ ball free of the other label", Icons: []plot.Thumbnailer{ball{}}},
	}
}

func (a Attack) star(xys plotter.XYs) *Points {
	return &Points{XYs: xys, Shape: star, Color: ink, Radius: a.Size}
}

var dashed = draw.LineStyle{
	Color:  ink,
	Width:  vg.Points(0.9),
	Dashes: []vg.Length{vg.Points(3), vg.Points(2)},
}

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

// arrow is a plotter that leads from one point to a ring around another.
type arrow struct {
	from, to plotter.XY
}

const (
	shaft = 1.1 // width in points
	ring  = 2.6 // radius
)

// Plot implements plot.Plotter.
func (a *arrow) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	drawArrow(&c, vg.Point{X: x(a.from.X), Y: y(a.from.Y)}, vg.Point{X: x(a.to.X), Y: y(a.to.Y)})
}

// Thumbnail implements plot.Thumbnailer.
func (a *arrow) Thumbnail(c *draw.Canvas) {
	y := c.Center().Y
	drawArrow(c, vg.Point{X: c.Min.X, Y: y}, vg.Point{X: c.Max.X - ring, Y: y})
}

// drawArrow draws a ring around to and a line that ends at it, none for points that
// near.
func drawArrow(c *draw.Canvas, from, to vg.Point) {
	d := to.Sub(from)
	length := vg.Length(math.Hypot(float64(d.X), float64(d.Y)))
	if length == 0 {
		return
	}
	style := draw.LineStyle{Color: ink, Width: vg.Points(shaft)}
	if length > ring {
		c.StrokeLines(style, []vg.Point{from, to.Sub(d.Scale(ring / length))})
	}
	var around vg.Path
	circle(&around, to, ring)
	c.SetLineStyle(style)
	c.Stroke(around)
}
