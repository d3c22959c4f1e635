package plotting

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sizes of text in points: readable when a figure of two panels fills the width
// of a page.
const (
	headSize  = 11
	titleSize = 10
	labelSize = 9
	tickSize  = 8
)

// Panel is one of the plots of a figure. Lines of its heading stand above it, the
// first one larger.
type Panel struct {
	*plot.Plot
	Heading []string
}

// NewPanel returns an empty plot of the frame in the style of the figures.
func NewPanel(xLabel, yLabel string, f Frame, heading ...string) *Panel {
	p := plot.New()
	p.X.Min, p.X.Max = f.MinX, f.MaxX
	p.Y.Min, p.Y.Max = f.MinY, f.MaxY
	p.X.Label.Text, p.Y.Label.Text = xLabel, yLabel
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Padding = 0
		axis.Color = ink
		axis.Width = 0 // the frame is drawn over it
		axis.Label.TextStyle.Handler, axis.Tick.Label.Handler = handler, handler
		axis.Label.TextStyle.Font = sans(labelSize)
		axis.Label.TextStyle.Color = ink
		axis.Label.Padding = vg.Points(3)
		axis.Tick.Label.Font = sans(tickSize)
		axis.Tick.Label.Color = ink
		axis.Tick.Length = vg.Points(3)
		axis.Tick.Color = ink
	}
	return &Panel{Plot: p, Heading: heading}
}

// AddLines adds lines that are cut off at the frame.
func (p *Panel) AddLines(lines ...*plotter.Line) {
	for _, l := range lines {
		p.Add(unsized{l})
	}
}

// unsized hides that a plotter tells its size, to which the frame would be fitted.
type unsized struct{ plot.Plotter }

// headingLine is the distance between lines of a heading, in points.
const headingLine = 13

// drawHeading draws the heading centred above the rectangle.
func (p *Panel) drawHeading(c draw.Canvas, data vg.Rectangle) {
	y := data.Max.Y + headingLine*vg.Length(len(p.Heading)) - headingLine/3
	for i, line := range p.Heading {
		s := style(labelSize)
		if i == 0 {
			s = style(titleSize)
		}
		s.XAlign = draw.XCenter
		c.FillText(s, vg.Point{X: (data.Min.X + data.Max.X) / 2, Y: y}, line)
		y -= headingLine
	}
}

func sans(points float64) font.Font {
	return font.From(font.Font{Typeface: "Liberation", Variant: "Sans"}, vg.Points(points))
}

// style is that of plain text, left-aligned and vertically centred.
func style(points float64) text.Style {
	return text.Style{
		Color: ink, Font: sans(points), Handler: handler,
		XAlign: draw.XLeft, YAlign: draw.YCenter,
	}
}

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
	ink    = color.NRGBA{R: 0x1A, G: 0x1A, B: 0x1A, A: 0xFF} // text, axes, arrows
	border = color.NRGBA{R: 0x38, G: 0x38, B: 0x38, A: 0xFF} // lines between regions
	white  = color.NRGBA{R: 0xFF, G: 0xFF, B: 0xFF, A: 0xFF}
)

// Color returns the colour of a label's points and lines.
func Color(label int) color.NRGBA { return palette[label%len(palette)] }

// light returns the tint of the same colour that fills the label's region.
func light(label int) color.NRGBA {
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
