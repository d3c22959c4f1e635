package prune

import (
	"context"
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
)

// leastLocal is the least factor of Local that may make rows conflict: for a row i and a row j of
// another label r_i + r_j ≤ 2·Local·distance.
const leastLocal = 0.5

// validateLocal checks the requirements of Local.
func (a Adversarial) validateLocal() error {
	switch {
	case a.Local == 0:
		return nil
	case !(a.Local >= leastLocal) || math.IsInf(a.Local, 1):
		return fmt.Errorf("%w: local radii of %v times the distance to another label, want a "+
			"number from 1/2 on, below which no rows conflict", classifier.ErrOption, a.Local)
	case a.Radius == 0:
		return fmt.Errorf("%w: local radii without a radius, which is the most that they may be",
			classifier.ErrOption)
	}
	return nil
}

// withRadii returns the table with the radius of each row in a column behind its own, which the
// trees and the grid of the rows then bound as any other.
func (a Adversarial) withRadii(
	ctx context.Context, t *rows.Table, labels [][]int32,
) (*rows.Table, error) {
	radii, err := a.radii(ctx, t, labels)
	if err != nil {
		return nil, err
	}
	wide := &rows.Table{Len: t.Len, Dim: t.Dim + 1, Data: make([]float64, t.Len*(t.Dim+1))}
	for i, radius := range radii {
		copy(wide.Row(i), t.Row(i))
		wide.Row(i)[t.Dim] = radius
	}
	return wide, nil
}

// radii returns the radius of each row. A row of another label at a distance of Radius/Local or
// less, rounded, is looked for: one that is farther does not make it less than Radius.
func (a Adversarial) radii(
	ctx context.Context, t *rows.Table, labels [][]int32,
) ([]float64, error) {
	nearest := make([]float64, t.Len)
	for i := range nearest {
		nearest[i] = math.Inf(1)
	}
	label := make([]int, t.Len)
	for class, members := range labels {
		for _, i := range members {
			label[i] = class
		}
	}
	for class, members := range labels {
		if len(members) == 0 {
			continue
		}
		tree, err := nnindex.Build(ctx, t.Data, t.Dim, members)
		if err != nil {
			return nil, finding(err)
		}
		err = rows.Each(ctx, 0, t.Len, func(i int) error {
			if label[i] != class {
				b := newBall(a.Norm, min(nearest[i], a.Radius/a.Local))
				a.approach(tree, 0, t.Row(i), &b, &nearest[i])
			}
			return nil
		})
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, finding(err)
		}
	}
	for i, d := range nearest {
		nearest[i] = min(a.Radius, a.Local*d)
	}
	return nearest, nil
}

// approach lowers the distance to that of the nearest point of a node that is in the ball around q,
// and makes the ball as small.
func (a Adversarial) approach(
	t *nnindex.Tree, node int32, q []float64, b *ball, nearest *float64,
) {
	n := t.Nodes[node]
	lo, hi := t.Box(int(node))
	if b.box(q, lo, hi) == outside {
		return
	}
	if n.Left != 0 {
		a.approach(t, n.Left, q, b, nearest)
		a.approach(t, n.Left+1, q, b, nearest)
		return
	}
	for i := n.First; i < n.End; i++ {
		if p := t.Point(int(i)); b.within(q, p) {
			if d := a.Norm.Distance(q, p); d < *nearest {
				*nearest, *b = d, newBall(a.Norm, d)
			}
		}
	}
}
