package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/seed-1a7dc1f9/facet/examples/internal/plotting"
	"github.com/seed-1a7dc1f9/facet/internal/protocol"
)

// drawAll draws the regions of every contender without pruning and at the shown separation,
// and prints where the pictures are.
func drawAll(ctx context.Context, set *protocol.Set, cells []*cell, folder string, stdout io.Writer) error {
	for i := range contenders {
		before, after := find(cells, &contenders[i], 0), find(cells, &contenders[i], shown)
		figure, err := regions(ctx, set, before, after)
		if err != nil {
			return err
		}
		for _, format := range []string{".png", ".svg"} {
			path := filepath.Join(folder, "halfmoon-regions-"+contenders[i].slug+format)
			if err := figure.Save(path); err != nil {
				return err
			}
			if _, err := fmt.Fprintln(stdout, path); err != nil {
				return err
			}
		}
	}
	return nil
}

func find(cells []*cell, c *contender, separation float64) *cell {
	i := slices.IndexFunc(cells, func(k *cell) bool { return k.contender == c && k.separation == separation })
	return cells[i]
}

// frame shows all training points, which are scaled to [0,1].
var frame = plotting.Frame{MinX: -0.04, MaxX: 1.04, MinY: -0.04, MaxY: 1.04}

// regions draws a classifier before and after pruning, with one test point attacked in both.
func regions(ctx context.Context, set *protocol.Set, before, after *cell) (*plotting.Figure, error) {
	row, err := typical(set, before, after)
	if err != nil {
		return nil, err
	}
	f := &plotting.Figure{
		Title: fmt.Sprintf("halfmoon: decision regions of the %s before and after adversarial pruning", before.contender.long),
		Key:   key(),
	}
	for _, c := range []*cell{before, after} {
		panel, err := c.panel(ctx, set, row)
		if err != nil {
			return nil, err
		}
		f.Panels = append(f.Panels, panel)
	}
	return f, nil
}

// panel draws the regions, the training points and the attack on a row of the test set.
func (c *cell) panel(ctx context.Context, set *protocol.Set, row int) (*plotting.Panel, error) {
	example := c.points[slices.Index(c.test.Attacked, row)]
	p := plotting.NewPanel("x₁ (scaled)", "x₂ (scaled)", frame, c.heading(example.Distance)...)
	if _, err := p.AddRegions(ctx, c.model.Classifier, c.model.X, c.model.Y); err != nil {
		return nil, err
	}
	x := xy(set.Test.RawRowView(row))
	p.Add(
		&plotting.Ball{Center: x, Radius: example.Distance},
		&plotting.Arrow{From: x, To: xy(example.Example)},
		attacked(plotter.XYs{x}),
	)
	return p, nil
}

func (c *cell) heading(distance float64) []string {
	when := "before"
	if c.separation > 0 {
		when = fmt.Sprintf("after, at r = %.1f", c.separation)
	}
	return []string{
		fmt.Sprintf("%s: %d training points", when, c.test.Rows),
		fmt.Sprintf("nearest adversarial example at ℓ∞ distance %.3f", distance),
	}
}

// attacked marks test points.
func attacked(xys plotter.XYs) *plotting.Points {
	return &plotting.Points{XYs: xys, Shape: plotting.Star, Color: plotting.Ink, Radius: vg.Points(3.2)}
}

func xy(x []float64) plotter.XY { return plotter.XY{X: x[0], Y: x[1]} }

func key() []plotting.Entry {
	return append(plotting.RegionKey(2),
		plotting.Entry{Text: "attacked test point", Icons: []plot.Thumbnailer{attacked(nil)}},
		plotting.Entry{Text: "to its nearest adversarial example", Icons: []plot.Thumbnailer{&plotting.Arrow{}}},
		plotting.Entry{Text: "ℓ∞ ball free of the other label", Icons: []plot.Thumbnailer{&plotting.Ball{}}},
	)
}
