package experiment

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
)

// vertex attacks a tree as the paper's code does for adversarial training. The nearest
// point of a box in ℓ∞ is seldom the only one: this is the one that the code's solver,
// GLPK's simplex, returns: its variables start at 0 and move only as far as they must, so
// that of all nearest points it is the one with every coordinate nearest to 0.
type vertex struct {
	tree   *classifier.Tree
	leaves []leaf // in depth-first order
}

// leaf is the box of a leaf, less the code's margin.
type leaf struct {
	lo, hi []float64
	label  int
}

// boxMargin is the margin that the code takes off every side of a box.
const boxMargin = 1e-4

func newVertex(tree *classifier.Tree) *vertex {
	a := &vertex{tree: tree}
	lo, hi := make([]float64, tree.Dim()), make([]float64, tree.Dim())
	for j := range lo {
		lo[j], hi[j] = math.Inf(-1), math.Inf(1)
	}
	a.walk(tree.Nodes(), 0, lo, hi)
	return a
}

func (a *vertex) walk(nodes []classifier.TreeNode, id int, lo, hi []float64) {
	n := &nodes[id]
	if n.Left < 0 {
		l := leaf{label: floats.MaxIdx(n.Value)}
		l.lo, l.hi = append(l.lo, lo...), append(l.hi, hi...)
		a.leaves = append(a.leaves, l)
		return
	}
	j, before := n.Feature, hi[n.Feature]
	hi[j] = min(hi[j], n.Threshold-boxMargin)
	a.walk(nodes, n.Left, lo, hi)
	hi[j], before = before, lo[j]
	lo[j] = max(lo[j], n.Threshold+boxMargin)
	a.walk(nodes, n.Right, lo, hi)
	lo[j] = before
}

// Perturb implements attack.Attack.
func (a *vertex) Perturb(_ context.Context, x []float64) (attack.Result, error) {
	r := noClaim()
	own := a.tree.Predict(x)
	for _, l := range a.leaves {
		if l.label == own {
			continue
		}
		if z, d := l.nearest(x); d < r.Distance {
			r.Distance, r.Example, r.Label = d, z, l.label
		}
	}
	return r, nil
}

// nearest returns the solver's point of the box and its distance, +Inf if the box is empty.
func (l *leaf) nearest(x []float64) (z []float64, distance float64) {
	for j, v := range x {
		if l.lo[j] > l.hi[j] {
			return nil, math.Inf(1)
		}
		distance = max(distance, l.lo[j]-v, v-l.hi[j])
	}
	z = make([]float64, len(x))
	for j, v := range x {
		lo, hi := max(l.lo[j], v-distance), min(l.hi[j], v+distance)
		z[j] = min(max(0, lo), hi)
	}
	return z, distance
}
