package classifier

import (
	"context"
	"fmt"

	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
)

// obliqueGrower grows one linear decision tree, depth first, left child first.
type obliqueGrower struct {
	table   *rows.Table
	y       []int
	classes int
	weight  []float64 // how often a row was drawn
	opts    ObliqueOptions
	rng     *numpyrand.Rand
	rows    []int32 // those with a weight, those of each node in one run
	nodes   []ObliqueNode

	left, right []float64 // class counts
	values      []obliqueValue
}

func (g *obliqueGrower) grow(ctx context.Context) (*ObliqueTree, error) {
	if _, err := g.node(ctx, g.rows, 0); err != nil {
		return nil, err
	}
	return NewObliqueTree(g.table.Dim, g.nodes)
}

// node grows the tree of some rows and returns the number of its root.
func (g *obliqueGrower) node(ctx context.Context, rows []int32, depth int) (int, error) {
	if err := ctx.Err(); err != nil {
		return 0, fmt.Errorf("training: %w", err)
	}
	id := len(g.nodes)
	value := g.frequencies(rows)
	g.nodes = append(g.nodes, ObliqueNode{Left: -1, Right: -1, Value: value})
	if (g.opts.MaxDepth > 0 && depth >= g.opts.MaxDepth) || len(rows) < max(g.opts.MinSplit, 2*g.opts.MinLeaf) ||
		g.opts.Criterion.impurity(value, 1) <= pure {
		return id, nil
	}
	plane := g.bestPlane(ctx, rows)
	if err := ctx.Err(); err != nil {
		return 0, fmt.Errorf("training: %w", err)
	}
	if plane.weights == nil {
		return id, nil
	}
	n := g.partition(rows, plane)
	left, err := g.node(ctx, rows[:n], depth+1)
	if err != nil {
		return 0, err
	}
	right, err := g.node(ctx, rows[n:], depth+1)
	g.nodes[id] = ObliqueNode{Weights: plane.weights, Threshold: plane.threshold, Left: left, Right: right, Value: value}
	return id, err
}

// frequencies returns the share of each class.
func (g *obliqueGrower) frequencies(rows []int32) []float64 {
	value, all := make([]float64, g.classes), 0.0
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
func (g *obliqueGrower) partition(rows []int32, p obliquePlane) int {
	n := 0
	for k, i := range rows {
		if dotProduct(p.weights, g.table.Row(int(i))) <= p.threshold {
			rows[k], rows[n] = rows[n], rows[k]
			n++
		}
	}
	return n
}
