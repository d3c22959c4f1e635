package plotting

import (
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
		axis.Color = Ink
		axis.Width = 0 // the frame is drawn over it
		axis.Label.TextStyle.Font = sans(labelSize)
		axis.Label.TextStyle.Color = Ink
		axis.Label.Padding = vg.Points(3)
		axis.Tick.Label.Font = sans(tickSize)
		axis.Tick.Label.Color = Ink
		axis.Tick.Length = vg.Points(3)
		axis.Tick.Color = Ink
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
		Color: Ink, Font: sans(points), Handler: plot.DefaultTextHandler,
		XAlign: draw.XLeft, YAlign: draw.YCenter,
	}
}
