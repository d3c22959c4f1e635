package plotting

import (
	"context"
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// inset is a plotter that shows the surroundings of a point, enlarged, in the upper right corner of
// the panel.
type inset struct {
	*Panel
}

const (
	insetShare = 0.26 // of a side of the panel
	insetReach = 0.02 // from the point to a side of the inset, of the panel's frame
)

// AddInset shows the regions around an adversarial example, which may lie in one that
// is too small to be seen. It is for panels whose upper right corner is free.
func (p *Panel) AddInset(ctx context.Context, m Model, example []float64) error {
	dx, dy := insetReach*(p.X.Max-p.X.Min), insetReach*(p.Y.Max-p.Y.Min)
	x, y := example[0], example[1]
	around := NewPanel("", "", Frame{MinX: x - dx, MaxX: x + dx, MinY: y - dy, MaxY: y + dy})
	around.HideAxes()
	regions, err := around.AddRegions(ctx, m, nil, nil)
	if err != nil {
		return err
	}
	regions.Border /= insetShare // as wide as those of the panel
	around.Add(&arrow{to: plotter.XY{X: x, Y: y}, from: plotter.XY{X: x, Y: y + dy/1e3}})
	p.Add(inset{around})
	return nil
}

// Plot implements plot.Plotter.
func (i inset) Plot(c draw.Canvas, _ *plot.Plot) {
	const gap = 4
	size := c.Size()
	corner := vg.Point{X: c.Max.X - gap, Y: c.Max.Y - gap}
	r := vg.Rectangle{
		Min: corner.Sub(vg.Point{X: insetShare * size.X, Y: insetShare * size.Y}),
		Max: corner,
	}
	i.Draw(draw.Canvas{Canvas: c.Canvas, Rectangle: r})
	c.SetLineStyle(draw.LineStyle{Color: ink, Width: vg.Points(0.7)})
	c.Stroke(r.Path())
	label, magnified := style(tickSize), fmt.Sprintf("× %.1f", insetShare/insetReach/2)
	ground := vg.Rectangle{
		Min: r.Min,
		Max: r.Min.Add(vg.Point{X: label.Width(magnified) + 2*gap, Y: label.Height(magnified)}),
	}
	c.SetColor(white)
	c.Fill(ground.Path())
	c.SetColor(ink)
	c.Stroke(ground.Path())
	c.FillText(label, vg.Point{X: r.Min.X + gap, Y: (ground.Min.Y+ground.Max.Y)/2 + 1}, magnified)
}
