package robust

import (
	"context"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Boosting are the parameters of boosting.
type Boosting struct {
	Options
	Rounds int
	Rate   float64 // by which leaves are multiplied
}

// prior is how many rows of mean weight and of each label every leaf has besides its own, for each
// that it must have, and mostValue how much a leaf may add before it is multiplied by the rate.
const (
	prior     = 1. / 200
	mostValue = 1
)

// Boost grows trees that add up to a margin for a label against all others. Leaves have the value
// of that class of the data, and zeros.
func Boost(ctx context.Context, d *Data, label int, o Boosting) ([]trees.Nodes, error) {
	binary := d.against(label)
	boost := boostTrees
	if o.Depth == 1 {
		boost = boostStumps
	}
	ensemble, err := boost(ctx, binary, o)
	if err != nil || label == 1 && d.classes == 2 {
		return ensemble, err
	}
	for _, tree := range ensemble {
		for id := range tree {
			value := make([]float64, d.classes)
			value[label] = tree[id].Value[1]
			tree[id].Value = value
		}
	}
	return ensemble, nil
}

// loss returns the loss of so many rows.
func (o Boosting) loss(rows int) exponential {
	return exponential{prior * float64(o.MinLeaf) / float64(rows)}
}

// boostTrees is Boost of trees, of data with two classes.
func boostTrees(ctx context.Context, binary *Data, o Boosting) ([]trees.Nodes, error) {
	all := make([]uint32, len(binary.y))
	for i := range all {
		all[i] = uint32(i)
	}
	loss := o.loss(len(all))
	g := newGrower(binary, o.Options, loss)
	margins := make([]float64, len(all))
	ensemble := make([]trees.Nodes, o.Rounds)
	for round := range ensemble {
		weigh(g.weight, margins)
		if err := g.grow(ctx, all); err != nil {
			return nil, err
		}
		values := g.values(loss.prior)
		g.advance(margins, values, o.Rate)
		ensemble[round] = make(trees.Nodes, len(g.nodes))
		for id, n := range g.nodes {
			value := make([]float64, 2)
			if n.feature < 0 {
				value[1] = float64(float32(o.Rate * values[id]))
			}
			ensemble[round][id] = n.plain(value)
		}
	}
	return ensemble, nil
}

// against returns the data with the label 1 of one class, and 0 of all others.
func (d *Data) against(label int) *Data {
	binary := &Data{
		columns: d.columns, blocks: d.blocks, y: make([]int, len(d.y)), classes: 2,
	}
	for i, y := range d.y {
		if y == label {
			binary.y[i] = 1
		}
	}
	return binary
}

// plain returns the node with a value.
func (n *node) plain(value []float64) trees.Node {
	return trees.Node{
		Feature: n.feature, Threshold: float64(n.threshold), Left: n.left, Right: n.right,
		Value: value,
	}
}

// weigh gives rows the slopes of their losses, which add up to 1. They are rounded to multiples of
// 2⁻⁵², so that no sum of them is rounded, in whichever order.
func weigh(weight, margins []float64) {
	sum := 0.0
	for i, m := range margins {
		weight[i] = 1 / (1 + math.Exp(m))
		sum += weight[i]
	}
	for i := range weight {
		weight[i] = weight[i]/sum + 1 - 1
	}
}

// advance adds the worst leaf that each row may reach to its margin.
func (g *grower) advance(margins, values []float64, rate float64) {
	worst := make([]float64, len(margins))
	for i := range worst {
		worst[i] = math.Inf(1)
	}
	for id, n := range g.nodes {
		for _, i := range n.rows {
			value := values[id]
			if g.y[i] == 0 {
				value = -value
			}
			worst[i] = min(worst[i], value)
		}
	}
	for i, w := range worst {
		margins[i] += rate * w
	}
}
