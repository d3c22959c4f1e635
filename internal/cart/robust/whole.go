package robust

import (
	"context"
	"fmt"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// passes changes a tree so that more rows are right in all leaves that they may reach.
type passes struct {
	*grower
	label   []int // of each node, if it is a leaf
	changed bool
}

// mostPasses ends a training that would take long. On small sets a few passes change all that can
// be changed.
const mostPasses = 50

// improve passes over a tree that was grown on rows, until no node can be changed for the better.
func (g *grower) improve(ctx context.Context, rows []uint32) (trees.Nodes, error) {
	p := &passes{grower: g, label: make([]int, len(g.nodes)), changed: true}
	for id, n := range g.nodes {
		p.label[id] = heaviest(n.total)
	}
	alive := slices.Repeat([]bool{true}, len(g.y))
	for pass := 0; pass < mostPasses && p.changed; pass++ {
		p.changed = false
		if err := p.visit(ctx, 0, 0, rows, alive); err != nil {
			return nil, fmt.Errorf("training: %w", err)
		}
	}
	return p.appendTo(nil, 0), nil
}

// heaviest returns the class of most weight.
func heaviest(weights []float64) (class int) {
	for c, w := range weights {
		if w > weights[class] {
			class = c
		}
	}
	return class
}

// visit changes a node that rows may reach, and its subtrees. Those that are not alive are wrong in
// some other leaf.
func (p *passes) visit(
	ctx context.Context, id, depth int, rows []uint32, alive []bool,
) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if p.nodes[id].feature >= 0 {
		p.move(id, rows, alive)
	}
	if p.nodes[id].feature < 0 {
		p.divideLeaf(id, depth, rows, alive)
	}
	n := p.nodes[id]
	if n.feature < 0 {
		return nil
	}
	left, right := p.columns[n.feature].divide(rows, p.place(&n))
	if err := p.visit(ctx, n.left, depth+1, left, p.rightIn(n.right, right, alive)); err != nil {
		return err
	}
	return p.visit(ctx, n.right, depth+1, right, p.rightIn(n.left, left, alive))
}

// place returns which threshold a node has.
func (p *passes) place(n *node) int {
	at, _ := slices.BinarySearch(p.columns[n.feature].thresholds, n.threshold)
	return at
}

// rightIn returns which of the rows alive are right in all leaves below a node that they, being
// among rows, may reach.
func (p *passes) rightIn(id int, rows []uint32, alive []bool) []bool {
	right := slices.Clone(alive)
	p.strike(id, rows, right)
	return right
}

// strike strikes out the rows that a leaf below a node gets wrong.
func (p *passes) strike(id int, rows []uint32, right []bool) {
	n := &p.nodes[id]
	if n.feature < 0 {
		for _, i := range rows {
			right[i] = right[i] && p.y[i] == p.label[id]
		}
		return
	}
	l, r := p.columns[n.feature].divide(rows, p.place(n))
	p.strike(n.left, l, right)
	p.strike(n.right, r, right)
}

// move gives a node the split by which most rows are right, while its subtrees stay as they are. It
// keeps its own among equal ones, and becomes a leaf if there is none.
func (p *passes) move(id int, rows []uint32, alive []bool) {
	n := &p.nodes[id]
	of := choice{rows, p.rightIn(n.left, rows, alive), p.rightIn(n.right, rows, alive)}
	best := p.rate(of, n)
	if p.search(of, &best) {
		p.changed = true
		n.feature, n.threshold = best.feature, p.threshold(best)
	}
	if best.weight < 0 {
		p.changed = true
		n.feature = -1
	}
}

func (p *passes) threshold(s division) float32 {
	c := &p.columns[s.feature]
	return c.thresholds[c.middle(s.first, s.last)]
}

// divideLeaf gives a leaf the label of most rows alive, or two leaves of different labels in its
// place if more are right then.
func (p *passes) divideLeaf(id, depth int, rows []uint32, alive []bool) {
	total := make([]float64, p.Data.classes)
	for _, i := range rows {
		if alive[i] {
			total[p.y[i]] += p.weight[i]
		}
	}
	label := p.label[id]
	if other := heaviest(total); total[other] > total[label] {
		label, p.label[id], p.changed = other, other, true
	}
	if depth == p.options.Depth || len(rows) < p.options.MinSplit {
		return
	}
	best, labels := division{feature: -1, weight: total[label]}, [2]int{}
	for other := range total {
		for _, pair := range [2][2]int{{label, other}, {other, label}} {
			if other != label && p.search(p.labelled(rows, alive, pair), &best) {
				labels = pair
			}
		}
	}
	if best.feature < 0 {
		return
	}
	p.changed = true
	n := &p.nodes[id]
	n.feature, n.threshold = best.feature, p.threshold(best)
	n.left, n.right = len(p.nodes), len(p.nodes)+1
	leaf := node{feature: -1, left: -1, right: -1}
	p.nodes, p.label = append(p.nodes, leaf, leaf), append(p.label, labels[:]...)
}

// appendTo appends the nodes from one on, which have the label of leaves.
func (p *passes) appendTo(nodes trees.Nodes, id int) trees.Nodes {
	value, n, at := make([]float64, p.Data.classes), p.nodes[id], len(nodes)
	if n.feature < 0 {
		n.left, n.right = -1, -1
		value[p.label[id]] = 1
	}
	nodes = append(nodes, n.plain(value))
	if n.feature >= 0 {
		nodes[at].Left = len(nodes)
		nodes = p.appendTo(nodes, n.left)
		nodes[at].Right = len(nodes)
		nodes = p.appendTo(nodes, n.right)
	}
	return nodes
}
