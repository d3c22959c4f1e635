package plotting

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Entry is a line of a figure's key: its icons, drawn over each other, and their meaning.
type Entry struct {
	Text  string
	Icons []plot.Thumbnailer
}

// Swatch is the icon of a filled region, or of an Outline if it has no colour.
type Swatch struct {
	Color color.Color
}

// Thumbnail implements plot.Thumbnailer.
func (s Swatch) Thumbnail(c *draw.Canvas) {
	style := thin
	if s.Color != nil {
		c.SetColor(s.Color)
		c.Fill(c.Rectangle.Path())
		style.Width = vg.Points(0.6)
	}
	c.SetLineStyle(style)
	c.Stroke(c.Rectangle.Path())
}

// Measures of the key, in points.
const (
	iconWidth  = 18
	iconHeight = 10
	iconGap    = 4  // from an icon to its text
	entryGap   = 16 // from a text to the next icon
	lineHeight = 15
)

func (e Entry) width() vg.Length {
	text := style(labelSize)
	return vg.Points(iconWidth+iconGap) + text.Width(e.Text)
}

// draw draws the entry with its left end at x, centred on y.
func (e Entry) draw(c draw.Canvas, x, y vg.Length) {
	icon := draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
		Min: vg.Point{X: x, Y: y - iconHeight/2},
		Max: vg.Point{X: x + iconWidth, Y: y + iconHeight/2},
	}}
	for _, t := range e.Icons {
		t.Thumbnail(&icon)
	}
	c.FillText(style(labelSize), vg.Point{X: x + iconWidth + iconGap, Y: y}, e.Text)
}

// lines distributes the entries over lines no wider than width, in order.
func lines(key []Entry, width vg.Length) [][]Entry {
	var all [][]Entry
	var used vg.Length
	for _, e := range key {
		w := e.width()
		if len(all) == 0 || used+entryGap+w > width {
			all, used = append(all, nil), -entryGap
		}
		last := len(all) - 1
		all[last] = append(all[last], e)
		used += entryGap + w
	}
	return all
}

// drawLine draws a line of the key, centred.
func drawLine(c draw.Canvas, entries []Entry, y vg.Length) {
	width := vg.Length(-entryGap)
	for _, e := range entries {
		width += entryGap + e.width()
	}
	x := (c.Min.X + c.Max.X - width) / 2
	for _, e := range entries {
		e.draw(c, x, y)
		x += e.width() + entryGap
	}
}
