package prune

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/prune/internal/bipartite"
)

// WJC is the defence of Wang, Jha and Chaudhuri (2018) for 1-NN and two labels. It
// keeps rows that their surroundings are sure about, and of the others as many as
// adversarial pruning does. Rows kept for sure may conflict with others.
//
// With k = min(⌊3·ln(n/Failure)/(ln 2·Margin²)⌋, n), a row's confident label is the
// one of the k rows nearest to it (Euclidean distance, itself included, ties to
// earlier rows) if their labels, taken for ±1, have a mean of 2·Margin at least in
// absolute value. A row is kept for sure if its own label is its confident label
// and every row within Radius has the same confident label.
type WJC struct {
	Radius float64       // the others conflict as in Adversarial, at distance ≤ 2·Radius
	Norm   polytope.Norm // of both; the zero value is ℓ∞

	Margin  float64 // Δ, from 0 to 1/2; 0 stands for 0.45
	Failure float64 // δ, from 0 to 1; 0 stands for 0.1
}

var _ Pruner = WJC{}

// Prune returns the rows to keep, ascending. It takes the time and memory of
// Adversarial.Prune and that of a k-nearest-neighbour query per row.
//
// Errors wrap those of Adversarial.Prune, or errors.ErrUnsupported if there are more
// than two labels.
func (w WJC) Prune(ctx context.Context, x mat.Matrix, y []int) ([]int, error) {
	keep, err := w.prune(ctx, x, y)
	if err != nil {
		return nil, fmt.Errorf("prune: %w", err)
	}
	return ascending(keep, len(y)), nil
}

func (w WJC) prune(ctx context.Context, x mat.Matrix, y []int) ([]int32, error) {
	w.Margin, w.Failure = cmp.Or(w.Margin, 0.45), cmp.Or(w.Failure, 0.1)
	if !(w.Margin > 0 && w.Margin <= 0.5) || !(w.Failure > 0 && w.Failure <= 1) {
		return nil, fmt.Errorf("%w: margin %v, failure %v",
			classifier.ErrOption, w.Margin, w.Failure)
	}
	p, err := Adversarial{Radius: w.Radius, Norm: w.Norm}.withTrees(ctx, x, y)
	if err != nil {
		return nil, err
	}
	if len(p.labels) > 2 {
		return nil, fmt.Errorf("%d labels, and WJC is for two: %w",
			len(p.labels), errors.ErrUnsupported)
	}
	sure, err := w.sure(ctx, p, x)
	if err != nil {
		return nil, err
	}
	rest, err := p.pruneRest(ctx, sure)
	return append(p.rows(sure), rest...), err
}

// neighbors returns k for n rows.
func (w WJC) neighbors(n int) int {
	k := 3 * math.Log(float64(n)/w.Failure) / (math.Ln2 * w.Margin * w.Margin)
	return max(1, int(min(k, float64(n))))
}

// sure marks the points that are kept for sure.
func (w WJC) sure(ctx context.Context, p *problem, x mat.Matrix) ([]bool, error) {
	t, err := rows.Copy(ctx, x) // as it is: the problem may have arranged its columns
	if err != nil {
		return nil, err
	}
	confident, err := w.confident(ctx, p, t)
	if err != nil {
		return nil, err
	}
	sure := make([]bool, len(p.row))
	for i := range sure {
		sure[i] = confident[i] == p.sign(int32(i))
	}
	return sure, w.unanimous(ctx, p, confident, sure)
}

// sign returns 1 for a point of the larger label, or the only one, and −1 for
// one of the other.
func (p *problem) sign(point int32) int {
	if point < p.labels[0].size() {
		return 1
	}
	return -1
}

// confident returns the confident labels of the points, as signs; 0: none.
func (w WJC) confident(ctx context.Context, p *problem, t *rows.Table) ([]int, error) {
	n := len(p.row)
	k := w.neighbors(n)
	signs := make([]int, n) // by row
	for i, row := range p.row {
		signs[row] = p.sign(int32(i))
	}
	ids := slices.Clone(p.row)
	slices.Sort(ids)
	tree, err := nnindex.Build(ctx, t.Data, t.Dim, ids)
	if err != nil {
		return nil, finding(err)
	}
	var nearest nnindex.Nearest
	labels := make([]int, n)
	for i, row := range p.row {
		if err := ctx.Err(); err != nil {
			return nil, finding(err)
		}
		nearest.Reset(k, math.Inf(1))
		tree.Nearest(t.Row(int(row)), &nearest)
		sum := 0
		for _, neighbor := range nearest.All() {
			sum += signs[neighbor.ID]
		}
		if mean := float64(sum) / float64(k); math.Abs(mean) >= 2*w.Margin {
			labels[i] = max(-1, min(sum, 1))
		}
	}
	return labels, nil
}

// unanimous takes back sure points with a point of another confident label within
// Radius. These are conflicts of another kind, found in the same way.
func (w WJC) unanimous(ctx context.Context, p *problem, confident []int, sure []bool) error {
	groups := make([][]int32, 3)
	for i, row := range p.row {
		g := &groups[confident[i]+1]
		*g = append(*g, row)
	}
	r := newBall(w.Norm, w.Radius)
	q := newProblem(p.table, groups, &r, p.weight)
	if err := q.buildTrees(ctx); err != nil {
		return err
	}
	c := q.doubled()
	c.Begin(nil)
	points := q.points()
	for i, row := range p.row {
		if err := ctx.Err(); err != nil {
			return finding(err)
		}
		sure[i] = sure[i] && c.Find(points[row], 0) == bipartite.None
	}
	return nil
}

// pruneRest returns the rows that adversarial pruning keeps of those that are not
// kept for sure.
func (p *problem) pruneRest(ctx context.Context, sure []bool) ([]int32, error) {
	var points []int32
	for i, in := range sure {
		if !in {
			points = append(points, int32(i))
		}
	}
	if points == nil {
		return nil, nil
	}
	a, err := p.restrict(points).solve(ctx, 0)
	if err != nil {
		return nil, err
	}
	return a.keep, nil
}
