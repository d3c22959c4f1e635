package oc1

import (
	"context"
	"fmt"

	"github.com/seed-1a7dc1f9/facet/internal/cart"
	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// grower grows one tree, depth first, left child first.
type grower struct {
	table   *rows.Table
	y       []int
	weight  []float64 // of each row: how often it was drawn
	options Options
	rng     *numpyrand.Rand
	nodes   []trees.Node
	sweep   sweep
}

func newGrower(table *rows.Table, y []int, classes int, o Options, seed uint32) *grower {
	g := &grower{
		table: table, y: y, weight: make([]float64, table.Len), options: o,
		rng:   numpyrand.New(seed),
		sweep: sweep{left: make([]float64, classes), right: make([]float64, classes)},
	}
	for i := range g.weight {
		if o.Trees > 1 { // drawn with replacement
			i = int(g.rng.Randint(0, int64(table.Len)))
		}
		g.weight[i]++
	}
	return g
}

// grow grows the tree.
func (g *grower) grow(ctx context.Context) (*trees.Oblique, error) {
	var rows []int32 // those with a weight, those of each node in one run
	for i, w := range g.weight {
		if w > 0 {
			rows = append(rows, int32(i))
		}
	}
	if _, err := g.node(ctx, rows, 0); err != nil {
		return nil, err
	}
	return trees.NewOblique(g.table.Dim, trees.Nodes(g.nodes))
}

// node grows the tree of some rows and returns the number of its root.
func (g *grower) node(ctx context.Context, rows []int32, depth int) (int, error) {
	if err := ctx.Err(); err != nil {
		return 0, fmt.Errorf("training: %w", err)
	}
	id := len(g.nodes)
	value := g.frequencies(rows)
	g.nodes = append(g.nodes, trees.Node{Feature: -1, Left: -1, Right: -1, Value: value})
	if (g.options.MaxDepth > 0 && depth >= g.options.MaxDepth) ||
		len(rows) < max(g.options.MinSplit, 2*g.options.MinLeaf) ||
		g.options.Criterion.Impurity(value, 1) <= cart.Pure {
		return id, nil
	}
	p := g.bestPlane(ctx, rows)
	if err := ctx.Err(); err != nil {
		return 0, fmt.Errorf("training: %w", err)
	}
	if p.weights == nil {
		return id, nil
	}
	n := g.partition(rows, p)
	left, err := g.node(ctx, rows[:n], depth+1)
	if err != nil {
		return 0, err
	}
	right, err := g.node(ctx, rows[n:], depth+1)
	g.nodes[id] = trees.Node{
		Feature:   -1,
		Weights:   p.weights,
		Threshold: p.threshold,
		Left:      left,
		Right:     right,
		Value:     value,
	}
	return id, err
}

// frequencies returns the share of each class.
func (g *grower) frequencies(rows []int32) []float64 {
	value, all := make([]float64, len(g.sweep.left)), 0.0
	for _, i := range rows {
		value[g.y[i]] += g.weight[i]
		all += g.weight[i]
	}
	for c := range value {
		value[c] /= all
	}
	return value
}

// partition moves the rows that go left in front of the others and returns how
// many there are.
func (g *grower) partition(rows []int32, p plane) int {
	n := 0
	for k, i := range rows {
		if precise.Dot(p.weights, g.table.Row(int(i))) <= p.threshold {
			rows[k], rows[n] = rows[n], rows[k]
			n++
		}
	}
	return n
}
