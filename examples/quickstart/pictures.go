package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"gonum.org/v1/plot/vg"

	"github.com/seed-1a7dc1f9/facet/examples/internal/plotting"
	"github.com/seed-1a7dc1f9/facet/internal/dataset/protocol"
)

// drawAll draws the regions of every contender without pruning and at the shown separation,
// and prints where the pictures are.
func (s *study) drawAll(
	ctx context.Context, set *protocol.Set, cells []*cell, folder string, stdout io.Writer,
) error {
	for i := range s.contenders {
		before, after := find(cells, &s.contenders[i], 0), find(cells, &s.contenders[i], shown)
		figure, err := regions(ctx, set, before, after)
		if err != nil {
			return err
		}
		if err := figure.Publish(
			ctx, stdout, folder, "halfmoon-regions-"+s.contenders[i].slug,
		); err != nil {
			return err
		}
	}
	return nil
}

func find(cells []*cell, c *contender, separation float64) *cell {
	i := slices.IndexFunc(cells,
		func(k *cell) bool { return k.contender == c && k.separation == separation })
	return cells[i]
}

// attacked is how the attacked test point is shown.
func attacked() plotting.Attack {
	return plotting.Attack{Name: "attacked test point", Size: vg.Points(3.2)}
}

// regions draws a classifier before and after pruning, with one test point attacked in both.
func regions(
	ctx context.Context, set *protocol.Set, before, after *cell,
) (*plotting.Figure, error) {
	row, err := typical(set, before, after)
	if err != nil {
		return nil, err
	}
	f := &plotting.Figure{
		Title: fmt.Sprintf(
			"halfmoon: decision regions of the %s before and after adversarial pruning",
			before.contender.long,
		),
		Key: append(plotting.RegionKey(2), attacked().Key()...),
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
	p := plotting.NewPanel("x₁ (scaled)", "x₂ (scaled)",
		plotting.Unit(), c.heading(example.Distance)...)
	if _, err := p.AddRegions(ctx, c.model.Classifier, c.model.X, c.model.Y); err != nil {
		return nil, err
	}
	if err := p.AddInset(ctx, c.model.Classifier, example.Example); err != nil {
		return nil, err
	}
	attacked().AddTo(p, set.Test.RawRowView(row), example.Example, example.Distance)
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
