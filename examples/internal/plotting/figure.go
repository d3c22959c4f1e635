package plotting

import (
	"cmp"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Figure is panels of equal size in rows, under a title and above a common key,
// which therefore never covers data.
type Figure struct {
	Title   string
	Panels  []*Panel
	Columns int // panels in a row; 0 puts all in one
	Key     []Entry
	// Width and Height are those of the area within the axes of each
	// panel; 0 means 3.1 inches, with which two panels fill a page.
	Width, Height vg.Length
}

const (
	defaultSide = 3.1 * vg.Inch
	margin      = vg.Length(8) // around the figure
	panelGap    = vg.Length(14)
	rowGap      = vg.Length(8)
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
	columns, rows []margins // the largest of each column and of each row
	title         vg.Length // height, 0 without one
	key           [][]Entry
}

func (f *Figure) layout() layout {
	l := layout{dataW: cmp.Or(f.Width, defaultSide), dataH: cmp.Or(f.Height, defaultSide)}
	for i, p := range f.Panels {
		m := around(p, l.dataW, l.dataH)
		row, column := i/f.columns(), i%f.columns()
		if column == len(l.columns) {
			l.columns = append(l.columns, margins{})
		}
		if row == len(l.rows) {
			l.rows = append(l.rows, margins{})
		}
		l.panels = append(l.panels, m)
		l.columns[column].cover(m)
		l.rows[row].cover(m)
	}
	l.width = 2*margin - panelGap
	for _, c := range l.columns {
		l.width += panelGap + c.left + l.dataW + c.right
	}
	l.key = lines(f.Key, l.width-2*margin)
	if f.Title != "" {
		l.title = style(headSize).Height(f.Title) + titleGap
	}
	l.height = 2*margin + l.title - rowGap
	for _, r := range l.rows {
		l.height += rowGap + r.top + l.dataH + r.bottom
	}
	if len(l.key) > 0 {
		l.height += keyGap + lineHeight*vg.Length(len(l.key))
	}
	return l
}

// columns returns the number of panels in a row.
func (f *Figure) columns() int { return cmp.Or(f.Columns, len(f.Panels)) }

// data returns where the data of a panel lie.
func (l *layout) data(c draw.Canvas, row, column int) vg.Rectangle {
	x, y := c.Min.X+margin+l.columns[column].left, c.Max.Y-margin-l.title-l.rows[row].top
	for _, m := range l.columns[:column] {
		x += m.left + l.dataW + m.right + panelGap
	}
	for _, m := range l.rows[:row] {
		y -= m.top + l.dataH + m.bottom + rowGap
	}
	return vg.Rectangle{Min: vg.Point{X: x, Y: y - l.dataH}, Max: vg.Point{X: x + l.dataW, Y: y}}
}

// cover makes the margins as large as those of another panel.
func (m *margins) cover(o margins) {
	m.left, m.right = max(m.left, o.left), max(m.right, o.right)
	m.bottom, m.top = max(m.bottom, o.bottom), max(m.top, o.top)
}

// around measures, without drawing, the margins of a panel whose data fill w × h.
// How far the outer tick labels stick out depends on the size of the data, which
// depends on the margins; a few rounds settle it.
func around(p *Panel, w, h vg.Length) margins {
	var m margins
	for range 8 {
		c := draw.NewCanvas(nil, m.left+w+m.right, m.bottom+h+m.top)
		d := p.DataCanvas(c)
		m = margins{
			left: d.Min.X - c.Min.X, right: c.Max.X - d.Max.X,
			bottom: d.Min.Y - c.Min.Y, top: c.Max.Y - d.Max.Y,
		}
	}
	m.top += headingLine * vg.Length(len(p.Heading))
	return m
}

// draw draws the figure on a canvas of the layout's size.
func (f *Figure) draw(c draw.Canvas, l layout) {
	head := style(headSize)
	head.XAlign = draw.XCenter
	c.FillText(head, vg.Point{X: c.Center().X, Y: c.Max.Y - margin - (l.title-titleGap)/2}, f.Title)
	for i, p := range f.Panels {
		drawPanel(c, p, l.data(c, i/f.columns(), i%f.columns()), l.panels[i])
	}
	y := c.Min.Y + margin + lineHeight*vg.Length(len(l.key)) - lineHeight/2
	for _, entries := range l.key {
		drawLine(c, entries, y)
		y -= lineHeight
	}
}

// drawPanel draws a panel so that its data fill the rectangle, which is then
// framed.
func drawPanel(c draw.Canvas, p *Panel, data vg.Rectangle, m margins) {
	heading := headingLine * vg.Length(len(p.Heading))
	p.Draw(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
		Min: vg.Point{X: data.Min.X - m.left, Y: data.Min.Y - m.bottom},
		Max: vg.Point{X: data.Max.X + m.right, Y: data.Max.Y + m.top - heading},
	}})
	c.SetLineStyle(draw.LineStyle{Color: ink, Width: vg.Points(0.7)})
	c.Stroke(data.Path())
	p.drawHeading(c, data)
}
