package plotting

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// Model labels points of the plane.
type Model interface {
	Predict(x []float64) int
	Classes() int
}

// AddRegions adds the decision regions of a model to the panel and, above them,
// the rows of x, which has two columns, in the colours and shapes of their
// labels.
func (p *Panel) AddRegions(ctx context.Context, m Model, x mat.Matrix, y []int) (*Regions, error) {
	frame := Frame{MinX: p.X.Min, MaxX: p.X.Max, MinY: p.Y.Min, MaxY: p.Y.Max}
	label := func(x, y float64) int { return m.Predict([]float64{x, y}) }
	regions, err := NewRegions(ctx, frame, m.Classes(), label)
	if err != nil {
		return nil, err
	}
	p.Add(regions)
	p.AddLabelled(m.Classes(), x, y)
	return regions, nil
}

// AddLabelled adds the rows of x, which has two columns, in the colours and
// shapes of their labels, and returns them label by label.
func (p *Panel) AddLabelled(classes int, x mat.Matrix, y []int) []*Points {
	var all []*Points
	for label := range classes {
		var xys plotter.XYs
		for i, l := range y {
			if l == label {
				xys = append(xys, plotter.XY{X: x.At(i, 0), Y: x.At(i, 1)})
			}
		}
		points := Labelled(label, xys)
		p.Add(points)
		all = append(all, points)
	}
	return all
}

// RegionKey explains the regions and points of the labels.
func RegionKey(classes int) []Entry {
	var entries []Entry
	for label := range classes {
		entries = append(entries, Entry{
			Text:  fmt.Sprintf("label %d: region, training points", label),
			Icons: []plot.Thumbnailer{Swatch{Color: Light(label)}, Labelled(label, nil)},
		})
	}
	return entries
}
