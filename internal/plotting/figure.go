package plotting

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Figure is a row of panels of equal size under a title and above a common key, which
// therefore never covers data.
type Figure struct {
	Title  string
	Panels []*Panel
	Key    []Entry
	// Width and Height are those of the area within the axes of each
	// panel; 0 means 3.1 inches, with which two panels fill a page.
	Width, Height vg.Length
}

const (
	defaultSide = 3.1 * vg.Inch
	margin      = vg.Length(8) // around the figure
	panelGap    = vg.Length(14)
	titleGap    = vg.Length(8)
	keyGap      = vg.Length(6)
)

// margins is the room that a panel needs around its data, for axes and titles.
type margins struct{ left, right, bottom, top vg.Length }

// layout is where everything goes.
type layout struct {
	width, height vg.Length // of the figure
	dataW, dataH  vg.Length
	panels        []margins
	bottom, top   vg.Length // the largest of all panels
	title         vg.Length // height, 0 without one
	key           [][]Entry
}

func (f *Figure) layout() layout {
	l := layout{dataW: f.Width, dataH: f.Height, width: 2*margin - panelGap}
	if l.dataW == 0 {
		l.dataW = defaultSide
	}
	if l.dataH == 0 {
		l.dataH = defaultSide
	}
	for _, p := range f.Panels {
		m := around(p, l.dataW, l.dataH)
		l.panels = append(l.panels, m)
		l.width += panelGap + m.left + l.dataW + m.right
		l.bottom, l.top = max(l.bottom, m.bottom), max(l.top, m.top)
	}
	l.key = lines(f.Key, l.width-2*margin)
	if f.Title != "" {
		l.title = style(headSize).Height(f.Title) + titleGap
	}
	l.height = 2*margin + l.title + l.top + l.dataH + l.bottom
	if len(l.key) > 0 {
		l.height += keyGap + lineHeight*vg.Length(len(l.key))
	}
	return l
}

// around measures the margins of a panel on a canvas of about its size, without drawing.
func around(p *Panel, w, h vg.Length) margins {
	c := draw.NewCanvas(nil, w, h)
	d := p.DataCanvas(c)
	return margins{
		left: d.Min.X - c.Min.X, right: c.Max.X - d.Max.X,
		bottom: d.Min.Y - c.Min.Y,
		top:    c.Max.Y - d.Max.Y + headingLine*vg.Length(len(p.Heading)),
	}
}

// draw draws the figure on a canvas of the layout's size.
func (f *Figure) draw(c draw.Canvas, l layout) {
	head := style(headSize)
	head.XAlign = draw.XCenter
	c.FillText(head, vg.Point{X: c.Center().X, Y: c.Max.Y - margin - (l.title-titleGap)/2}, f.Title)
	x, y := c.Min.X+margin, c.Max.Y-margin-l.title-l.top
	for i, p := range f.Panels {
		m := l.panels[i]
		data := vg.Rectangle{
			Min: vg.Point{X: x + m.left, Y: y - l.dataH},
			Max: vg.Point{X: x + m.left + l.dataW, Y: y},
		}
		drawPanel(c, p, data, m)
		x = data.Max.X + m.right + panelGap
	}
	y -= l.dataH + l.bottom + keyGap + lineHeight/2
	for _, entries := range l.key {
		drawLine(c, entries, y)
		y -= lineHeight
	}
}

// drawPanel draws a panel so that its data fill the rectangle, which is then framed.
func drawPanel(c draw.Canvas, p *Panel, data vg.Rectangle, m margins) {
	heading := headingLine * vg.Length(len(p.Heading))
	p.Draw(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
		Min: vg.Point{X: data.Min.X - m.left, Y: data.Min.Y - m.bottom},
		Max: vg.Point{X: data.Max.X + m.right, Y: data.Max.Y + m.top - heading},
	}})
	c.SetLineStyle(draw.LineStyle{Color: Ink, Width: vg.Points(0.7)})
	c.Stroke(data.Path())
	p.drawHeading(c, data)
}
