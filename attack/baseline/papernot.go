package baseline

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/access"
	"github.com/seed-1a7dc1f9/facet/internal/query"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Papernot is the attack on decision trees of Papernot, McDaniel, Goodfellow
// ("Transferability in machine learning: from phenomena to black-box attacks using
// adversarial samples", 2016), a baseline of the paper's Table 1.
//
// It climbs from the leaf of x, ancestor by ancestor, until the leftmost leaf
// below the ancestor's other child has another label, or the Target. It then moves
// the features that are compared on the way from the ancestor down to that leaf
// past their thresholds by Margin, as far as they are not there yet.
//
// A point takes time linear in the depth squared at most. It proves no bound: Result.Bound is 0.
// There may be no example where one exists: only leftmost leaves are looked at, and the moves may
// change a comparison above the ancestor.
//
// Errors wrap attack.ErrClassifier, classifier.ErrOption, attack.ErrTarget, polytope.ErrNorm,
// polytope.ErrDimension, polytope.ErrNotFinite or the context's. A Papernot must
// not be copied or changed once used.
type Papernot struct {
	Classifier *classifier.Tree
	Norm       polytope.Norm // in which the result is measured
	Target     *int          // the label to reach; nil means any other than Predict(x)
	Margin     float64       // in units of the features; 0 means 1e-3
}

// defaultMargin is the Margin of Papernot in the paper's experiments.
const defaultMargin = 1e-3

var _ attack.Attack = (*Papernot)(nil)

// Perturb implements Attack.
func (a *Papernot) Perturb(ctx context.Context, x []float64) (attack.Result, error) {
	return answer(ctx, func() (attack.Result, error) {
		q, f, err := a.query(x)
		if err != nil {
			return none(), err
		}
		ancestor, goal, found := f.goal(q)
		if !found || ctx.Err() != nil {
			return none(), nil
		}
		return tried(a.Classifier, q, a.move(x, f, ancestor, goal)), nil
	})
}

// query checks the options and x, and returns the tree.
func (a *Papernot) query(x []float64) (q search.Query, f family, err error) {
	if rows.IsNil(a.Classifier) {
		return q, f, fmt.Errorf("%w: no tree given", attack.ErrClassifier)
	}
	if !(a.Margin >= 0) || math.IsInf(a.Margin, 1) {
		return q, f, fmt.Errorf("%w: margin %v", classifier.ErrOption, a.Margin)
	}
	if q, err = query.Plain(a.Classifier, a.Norm, a.Target, x); err != nil {
		return q, f, err
	}
	of, err := access.Trees(a.Classifier)
	if err != nil {
		return q, f, err
	}
	return q, family{of.Trees[0]}, nil
}

// goal returns the leaf to reach and the ancestor that it shares with that of x.
func (f family) goal(q search.Query) (ancestor, goal int, found bool) {
	leaf := f.Leaf(q.X)
	for node := leaf; node > 0; node = f.parent(node) {
		if goal = f.leftmost(f.sibling(node)); q.Reaches(f.label(goal)) {
			return f.parent(node), goal, true
		}
	}
	return 0, 0, false
}

// move returns x with the features that are compared on the way from an ancestor
// down to a leaf moved past the thresholds.
func (a *Papernot) move(x []float64, f family, ancestor, leaf int) []float64 {
	margin := cmp.Or(a.Margin, defaultMargin)
	z := slices.Clone(x)
	for node := leaf; node != ancestor; node = f.parent(node) {
		n := f.Node(f.parent(node))
		if node == n.Left {
			z[n.Feature] = min(z[n.Feature], n.Threshold-margin)
		} else {
			z[n.Feature] = max(z[n.Feature], n.Threshold+margin)
		}
	}
	return z
}

// family is a tree that can be climbed.
type family struct{ *trees.Axis }

func (f family) parent(node int) int { return int(f.Parents[node]) }
func (f family) label(node int) int  { return int(f.Labels[node]) }

// sibling returns the other child of the parent.
func (f family) sibling(node int) int {
	parent := f.Node(f.parent(node))
	if node == parent.Left {
		return parent.Right
	}
	return parent.Left
}

// leftmost returns the leaf that is reached from a node by going left.
func (f family) leftmost(node int) int {
	for !f.IsLeaf(node) {
		node = f.Node(node).Left
	}
	return node
}
