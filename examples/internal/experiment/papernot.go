package experiment

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// papernot attacks a tree as the code behind the paper's printed numbers does. Unlike
// baseline.Papernot, that never moves feature 0, crosses the root only from a leaf right below it,
// and compares features with thresholds without rounding them to float32, so that it may start from
// another leaf than the tree does.
type papernot struct {
	tree    *classifier.Tree
	norm    polytope.Norm
	nodes   []classifier.TreeNode
	parents []int // of the root: −1
}

// papernotMargin is how far the code moves a feature past a threshold.
const papernotMargin = 1e-3

func newPapernot(tree *classifier.Tree, norm polytope.Norm) *papernot {
	a := &papernot{tree: tree, norm: norm, nodes: tree.Nodes()}
	a.parents = make([]int, len(a.nodes))
	a.parents[0] = -1
	for i, n := range a.nodes {
		if n.Left >= 0 {
			a.parents[n.Left], a.parents[n.Right] = i, i
		}
	}
	return a
}

// noClaim is the result that makes no claim.
func noClaim() attack.Result { return attack.Result{Label: -1, Distance: math.Inf(1)} }

// Perturb implements attack.Attack.
func (a *papernot) Perturb(_ context.Context, x []float64) (attack.Result, error) {
	ancestor, goal := a.goal(x)
	if goal < 0 {
		return noClaim(), nil
	}
	z := slices.Clone(x)
	for node := goal; node != ancestor; node = a.parents[node] {
		n := &a.nodes[a.parents[node]]
		if node == n.Left {
			z[n.Feature] = min(z[n.Feature], n.Threshold-papernotMargin)
		} else {
			z[n.Feature] = max(z[n.Feature], n.Threshold+papernotMargin)
		}
	}
	z[0] = x[0]
	label := a.tree.Predict(z)
	if label == a.tree.Predict(x) {
		return noClaim(), nil
	}
	return attack.Result{Example: z, Label: label, Distance: a.norm.Distance(x, z)}, nil
}

// goal returns the leaf to reach and the ancestor that it shares with that of x, or −1.
func (a *papernot) goal(x []float64) (ancestor, goal int) {
	leaf := 0
	for n := a.nodes[0]; n.Left >= 0; n = a.nodes[leaf] {
		if leaf = n.Right; x[n.Feature] <= n.Threshold {
			leaf = n.Left
		}
	}
	for node := leaf; node > 0; node = a.parents[node] {
		parent := a.parents[node]
		if parent == 0 && node != leaf {
			break
		}
		goal := a.nodes[parent].Left + a.nodes[parent].Right - node // its sibling
		for a.nodes[goal].Left >= 0 {
			goal = a.nodes[goal].Left
		}
		if a.label(goal) != a.label(leaf) {
			return parent, goal
		}
	}
	return -1, -1
}

func (a *papernot) label(leaf int) int { return floats.MaxIdx(a.nodes[leaf].Value) }
