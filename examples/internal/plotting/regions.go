package plotting

import (
	"context"
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/seed-1a7dc1f9/facet/internal/rows"
)

// Regions is a plotter that fills the region of each label with its light colour.
// Borders draws the borders between them, above the drawings in between.
type Regions struct {
	Border vg.Length // width of the borders in a panel of the default size

	frame Frame
	above [][][]point // above[l]: the contour of the points labelled l or more
}

// gridSteps is the number of squares along a side of the frame: at the size of
// a printed panel one is about half a point wide, as wide as the border. What is
// narrower than a square may be missed.
const gridSteps = 400

// newRegions samples label, a function with values 0…classes−1 that many goroutines
// may call, within the frame. It takes about 160,000 calls, shared among the cores.
func newRegions(
	ctx context.Context, f Frame, classes int, label func(x, y float64) int,
) (*Regions, error) {
	labels, err := sample(ctx, f, label)
	if err != nil {
		return nil, fmt.Errorf("plotting: %w", err)
	}
	r := &Regions{Border: vg.Points(0.8), frame: f, above: make([][][]point, classes)}
	for l := range r.above {
		g := grid{
			frame: f, n: gridSteps,
			sampled:  func(i, j int) bool { return labels[j][i] >= l },
			contains: func(p point) bool { return label(p.x, p.y) >= l },
		}
		r.above[l] = g.loops()
	}
	return r, nil
}

// sample returns the labels of the grid's corners, row by row.
func sample(ctx context.Context, f Frame, label func(x, y float64) int) ([][]int, error) {
	labels := make([][]int, gridSteps+1)
	_ = rows.Each(ctx, 0, len(labels), func(j int) error { // cannot fail
		labels[j] = make([]int, gridSteps+1)
		for i := range labels[j] {
			p := f.node(i, j, gridSteps)
			labels[j][i] = label(p.x, p.y)
		}
		return nil
	})
	return labels, ctx.Err()
}

// Plot implements plot.Plotter. Later labels are painted over earlier ones, so that
// no gap shows where three regions meet. The frame itself is no border.
func (r *Regions) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for l, loops := range r.above {
		c.SetColor(light(l))
		var path vg.Path
		for _, loop := range loops {
			addPolygon(&path, placed(loop, x, y))
		}
		c.Fill(path)
	}
}

// Borders returns a plotter of the borders.
func (r *Regions) Borders() plot.Plotter { return borders{r} }

type borders struct{ *Regions }

// Plot implements plot.Plotter.
func (b borders) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	style := draw.LineStyle{Color: border, Width: fitted(b.Border, c)}
	for _, loops := range b.above {
		for _, line := range b.frame.inside(loops) {
			c.StrokeLines(style, placed(line, x, y))
		}
	}
}

func placed(points []point, x, y func(float64) vg.Length) []vg.Point {
	out := make([]vg.Point, len(points))
	for i, q := range points {
		out[i] = vg.Point{X: x(q.x), Y: y(q.y)}
	}
	return out
}

// inside returns the parts of closed loops that do not run along the frame.
func (f Frame) inside(loops [][]point) [][]point {
	var lines [][]point
	for _, loop := range loops {
		open := false
		for i, p := range loop {
			q := loop[(i+1)%len(loop)]
			if f.along(p, q) {
				open = false
				continue
			}
			if !open {
				lines, open = append(lines, []point{p}), true
			}
			last := len(lines) - 1
			lines[last] = append(lines[last], q)
		}
	}
	return lines
}

// along reports whether both points lie on the same side of the frame.
func (f Frame) along(p, q point) bool {
	return p.x == q.x && (p.x == f.MinX || p.x == f.MaxX) ||
		p.y == q.y && (p.y == f.MinY || p.y == f.MaxY)
}
