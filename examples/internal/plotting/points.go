package plotting

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Points is a plotter that marks points with a filled shape. All are one path,
// which keeps a picture of thousands of points small.
type Points struct {
	XYs    plotter.XYs
	Shape  Shape
	Color  color.Color
	Radius vg.Length
}

// Shape adds the outline of a mark of the given radius to a path.
type Shape func(path *vg.Path, at vg.Point, radius vg.Length)

// Circle is the shape of label 0.
func Circle(path *vg.Path, at vg.Point, radius vg.Length) {
	path.Move(vg.Point{X: at.X + radius, Y: at.Y})
	path.Arc(at, radius, 0, 2*math.Pi)
	path.Close()
}

// Triangle is the shape of label 1.
func Triangle(path *vg.Path, at vg.Point, radius vg.Length) {
	corners(path, at, math.Pi/2, 1.3*radius, 1.3*radius, 1.3*radius)
}

// Diamond is the shape of label 2.
func Diamond(path *vg.Path, at vg.Point, radius vg.Length) {
	r := 1.25 * radius
	corners(path, at, 0, r, r, r, r)
}

// Star has five tips, for a point that stands apart from the labelled ones.
func Star(path *vg.Path, at vg.Point, radius vg.Length) {
	r, s := 1.4*radius, 0.6*radius
	corners(path, at, math.Pi/2, r, s, r, s, r, s, r, s, r, s)
}

// corners adds a polygon with corners at these radii, at equal angles from start
// on.
func corners(path *vg.Path, at vg.Point, start float64, radii ...vg.Length) {
	for k, r := range radii {
		sin, cos := math.Sincos(start + 2*math.Pi*float64(k)/float64(len(radii)))
		p := vg.Point{X: at.X + r*vg.Length(cos), Y: at.Y + r*vg.Length(sin)}
		if k == 0 {
			path.Move(p)
		} else {
			path.Line(p)
		}
	}
	path.Close()
}

// shapes are those of the labels 0, 1 and 2, over again for more.
var shapes = []Shape{Circle, Triangle, Diamond}

// Labelled returns the points of one label, in its colour and shape.
func Labelled(label int, xys plotter.XYs) *Points {
	return &Points{XYs: xys, Shape: shapes[label%len(shapes)], Color: Color(label), Radius: vg.Points(1.1)}
}

// Plot implements plot.Plotter. Points outside the frame are left out.
func (s *Points) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	var path vg.Path
	for _, q := range s.XYs {
		if at := (vg.Point{X: x(q.X), Y: y(q.Y)}); c.Contains(at) {
			s.Shape(&path, at, s.Radius)
		}
	}
	c.SetColor(s.Color)
	c.Fill(path)
}

// Thumbnail implements plot.Thumbnailer: one mark, large enough to tell its shape.
func (s *Points) Thumbnail(c *draw.Canvas) {
	var path vg.Path
	s.Shape(&path, c.Center(), max(s.Radius, vg.Points(2.2)))
	c.SetColor(s.Color)
	c.Fill(path)
}
