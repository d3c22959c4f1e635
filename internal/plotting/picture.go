package plotting

import (
	"image"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// NewPicture returns a panel that shows a small grey-scale picture, white ground and dark
// ink, each pixel a square.
func NewPicture(picture *image.Gray, heading ...string) *Panel {
	p := NewPanel("", "", Frame{MaxX: 1, MaxY: 1}, heading...)
	p.HideAxes()
	p.X.Padding, p.Y.Padding = vg.Length(0), vg.Length(0)
	p.Add(plotter.NewImage(magnify(picture), 0, 0, 1, 1))
	return p
}

// zoom is the side of a pixel in a picture, so large that no reader blurs the whole.
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
