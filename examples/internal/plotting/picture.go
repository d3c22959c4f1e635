package plotting

import (
	"image"

	"gonum.org/v1/plot/plotter"
)

// NewPictures returns a panel of two small grey-scale pictures side by side, dark
// ink on white ground, each pixel a square.
func NewPictures(left, right *image.Gray, heading ...string) *Panel {
	p := NewPanel("", "", Frame{MaxX: 2, MaxY: 1}, heading...)
	p.HideAxes()
	p.X.Padding, p.Y.Padding = 0, 0
	p.Add(
		plotter.NewImage(magnify(left), 0, 0, 1, 1),
		plotter.NewImage(magnify(right), 1, 0, 2, 1),
	)
	p.AddLines(&plotter.Line{XYs: plotter.XYs{{X: 1, Y: 0}, {X: 1, Y: 1}}, LineStyle: thin})
	return p
}

// zoom is the side of a pixel in a picture, so large that no reader blurs the
// whole.
const zoom = 8

// magnify inverts a picture, ink being 255 in the files, and enlarges it.
func magnify(picture *image.Gray) *image.Gray {
	b := picture.Bounds()
	large := image.NewGray(image.Rect(0, 0, zoom*b.Dx(), zoom*b.Dy()))
	for y := range large.Rect.Dy() {
		for x := range large.Rect.Dx() {
			c := picture.GrayAt(b.Min.X+x/zoom, b.Min.Y+y/zoom)
			c.Y = 255 - c.Y
			large.SetGray(x, y, c)
		}
	}
	return large
}
