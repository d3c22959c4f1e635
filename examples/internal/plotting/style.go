package plotting

import (
	"image/color"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// palette is Okabe and Ito's, the two that contrast most with white and with each
// other first.
var palette = []color.NRGBA{
	{R: 0x00, G: 0x72, B: 0xB2, A: 0xFF}, // blue
	{R: 0xD5, G: 0x5E, B: 0x00, A: 0xFF}, // vermilion
	{R: 0x00, G: 0x9E, B: 0x73, A: 0xFF}, // bluish green
	{R: 0xCC, G: 0x79, B: 0xA7, A: 0xFF}, // reddish purple
	{R: 0x56, G: 0xB4, B: 0xE9, A: 0xFF}, // sky blue
	{R: 0xE6, G: 0x9F, B: 0x00, A: 0xFF}, // orange
	{R: 0xF0, G: 0xE4, B: 0x42, A: 0xFF}, // yellow
}

var (
	Ink    = color.NRGBA{R: 0x1A, G: 0x1A, B: 0x1A, A: 0xFF} // text, axes, arrows
	border = color.NRGBA{R: 0x60, G: 0x60, B: 0x60, A: 0xFF} // lines between regions
	white  = color.NRGBA{R: 0xFF, G: 0xFF, B: 0xFF, A: 0xFF}
)

// Color returns the colour of a label's points and lines.
func Color(label int) color.NRGBA { return palette[label%len(palette)] }

// Light returns the tint of the same colour that fills the label's region.
func Light(label int) color.NRGBA {
	tint := func(v uint8) uint8 { return uint8(255 - (255-int(v))/4) }
	c := Color(label)
	return color.NRGBA{R: tint(c.R), G: tint(c.G), B: tint(c.B), A: 0xFF}
}

// dashes are those of the lines 0, 1, …: none, long, dotted, long and dotted,
// short.
var dashes = [][]vg.Length{nil, {7, 2}, {1.2, 1.8}, {7, 2, 1.2, 2}, {3.2, 1.8}}

// Line returns a style in which curves differ in colour and, for prints without
// colour, in dashes.
func Line(i int) draw.LineStyle {
	return draw.LineStyle{Color: Color(i), Width: vg.Points(1.3), Dashes: dashes[i%len(dashes)]}
}

var thin = draw.LineStyle{Color: border, Width: vg.Points(0.35)}

// Outline is the border of a polygon, a thin line.
func Outline(polygon plotter.XYs) *plotter.Line {
	closed := append(polygon[:len(polygon):len(polygon)], polygon[0])
	return &plotter.Line{XYs: closed, LineStyle: thin}
}
