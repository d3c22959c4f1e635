package plotting

import (
	"context"
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/gonum/mat"
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
	Radius vg.Length // in a panel of the default size: marks are smaller in smaller ones
}

// Shape adds the outline of a mark of the given radius to a path.
type Shape func(path *vg.Path, at vg.Point, radius vg.Length)

// circle is the shape of label 0.
func circle(path *vg.Path, at vg.Point, radius vg.Length) {
	path.Move(vg.Point{X: at.X + radius, Y: at.Y})
	path.Arc(at, radius, 0, 2*math.Pi)
	path.Close()
}

// triangle is the shape of label 1.
func triangle(path *vg.Path, at vg.Point, radius vg.Length) {
	corners(path, at, math.Pi/2, 1.3*radius, 1.3*radius, 1.3*radius)
}

// diamond is the shape of label 2.
func diamond(path *vg.Path, at vg.Point, radius vg.Length) {
	r := 1.25 * radius
	corners(path, at, 0, r, r, r, r)
}

// star has five tips, for a point that stands apart from the labelled ones.
func star(path *vg.Path, at vg.Point, radius vg.Length) {
	r, s := 1.4*radius, 0.6*radius
	corners(path, at, math.Pi/2, r, s, r, s, r, s, r, s, r, s)
}

// corners adds a polygon with corners at these radii, at equal angles from start
// on.
func corners(path *vg.Path, at vg.Point, start float64, radii ...vg.Length) {
	places := make([]vg.Point, len(radii))
	for k, r := range radii {
		sin, cos := math.Sincos(start + 2*math.Pi*float64(k)/float64(len(radii)))
		places[k] = vg.Point{X: at.X + r*vg.Length(cos), Y: at.Y + r*vg.Length(sin)}
	}
	addPolygon(path, places)
}

func addPolygon(path *vg.Path, corners []vg.Point) {
	path.Move(corners[0])
	for _, at := range corners[1:] {
		path.Line(at)
	}
	path.Close()
}

// shapes are those of the labels 0, 1 and 2, over again for more.
var shapes = []Shape{circle, triangle, diamond}

// labelled returns the points of one label, in its colour and shape.
func labelled(label int, xys plotter.XYs) *Points {
	c := Color(label)
	c.A = 0xA0 // so that drawings below show
	return &Points{XYs: xys, Shape: shapes[label%len(shapes)], Color: c, Radius: vg.Points(1)}
}

// Plot implements plot.Plotter. Points outside the frame are left out.
func (s *Points) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	radius := fitted(s.Radius, c)
	var path vg.Path
	for _, q := range s.XYs {
		if at := (vg.Point{X: x(q.X), Y: y(q.Y)}); c.Contains(at) {
			s.Shape(&path, at, radius)
		}
	}
	c.SetColor(s.Color)
	c.Fill(path)
}

// fitted makes a length smaller where the canvas of the data is smaller than usual, so that marks
// and lines do not grow together.
func fitted(length vg.Length, c draw.Canvas) vg.Length {
	return length * min(1, (c.Max.X-c.Min.X)/defaultSide)
}

// Thumbnail implements plot.Thumbnailer: one mark, large enough to tell its shape.
func (s *Points) Thumbnail(c *draw.Canvas) {
	var path vg.Path
	s.Shape(&path, c.Center(), max(s.Radius, vg.Points(2.2)))
	c.SetColor(s.Color)
	c.Fill(path)
}

// Model labels points of the plane.
type Model interface {
	Predict(x []float64) int
	Classes() int
}

// AddRegions adds the decision regions of a model to the panel, above them the rows of
// x, which has two columns, in the colours and shapes of their labels, and above
// these the borders of the regions.
func (p *Panel) AddRegions(ctx context.Context, m Model, x mat.Matrix, y []int) (*Regions, error) {
	frame := Frame{MinX: p.X.Min, MaxX: p.X.Max, MinY: p.Y.Min, MaxY: p.Y.Max}
	label := func(x, y float64) int { return m.Predict([]float64{x, y}) }
	regions, err := newRegions(ctx, frame, m.Classes(), label)
	if err != nil {
		return nil, err
	}
	p.Add(regions)
	p.AddLabelled(m.Classes(), x, y)
	p.Add(regions.Borders())
	return regions, nil
}

// AddLabelled adds the rows of x, which has two columns, in the colours and
// shapes of their labels, and returns them label by label.
func (p *Panel) AddLabelled(classes int, x mat.Matrix, y []int) []*Points {
	var all []*Points
	for label := range classes {
		var xys plotter.XYs
		for i, l := range y {
			if l == label {
				xys = append(xys, plotter.XY{X: x.At(i, 0), Y: x.At(i, 1)})
			}
		}
		points := labelled(label, xys)
		p.Add(points)
		all = append(all, points)
	}
	return all
}

// RegionKey explains the regions and points of the labels.
func RegionKey(classes int) []Entry {
	var entries []Entry
	for label := range classes {
		entries = append(entries, Entry{
			Text:  fmt.Sprintf("label %d: predicted in this region; training points", label),
			Icons: []plot.Thumbnailer{Swatch{Color: light(label)}, labelled(label, nil)},
		})
	}
	return entries
}
