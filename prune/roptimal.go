package prune

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// ROptimal is the r-optimal classifier of a finite distribution (paper, section
// 4.1): of all classifiers it has the largest astuteness at radius r, the
// probability that a point is labelled correctly together with all of its
// surroundings within r.
//
// The sets S_j of points of label j that it is right about are the heaviest
// separated set of the distribution's points. Within r of S_j it predicts j;
// elsewhere, where any label would do, the label of the nearest point of any S_j.
//
// It is a classifier.Classifier, immutable and safe for concurrent use.
type ROptimal struct {
	// Result is the set of points, ∪ S_j, with its certificate. If it is not
	// optimal, which takes three labels, the classifier has its astuteness and not
	// the largest.
	Result *Result

	tree    *nnindex.Tree // of the set
	labels  []int         // of all points
	classes int
	norm    polytope.Norm
	total   int // weight of all points
}

// NewROptimal returns the r-optimal classifier, r = a.Radius, of the distribution
// that gives point i of x the label y[i] and a probability proportional to
// weights[i]; without weights all are equal. A point of the space may occur with
// several labels.
//
// As everywhere in this package separated means more than 2r apart, where the
// paper asks for 2r at least: of two points at exactly 2r it is right about one,
// since a point halfway has only one label.
//
// It takes what Adversarial.Solve takes, but no Prices: a classifier knows those of its own
// columns. Errors are those of Solve.
func NewROptimal(
	ctx context.Context, a Adversarial, x mat.Matrix, y []int, weights []int,
) (*ROptimal, error) {
	if a.Prices != nil {
		return nil, fmt.Errorf(
			"prune: %w: the r-optimal classifier takes no prices, scale the columns",
			classifier.ErrOption,
		)
	}
	r, err := a.Solve(ctx, x, y, weights)
	if err != nil {
		return nil, err
	}
	t, classes, err := rows.Labelled(ctx, x, y)
	if err != nil {
		return nil, fmt.Errorf("prune: %w", err)
	}
	keep := make([]int32, len(r.Keep))
	for k, i := range r.Keep {
		keep[k] = int32(i)
	}
	tree, err := nnindex.Build(ctx, t.Data, t.Dim, keep)
	if err != nil {
		return nil, fmt.Errorf("prune: %w", err)
	}
	total := t.Len
	if weights != nil {
		total = 0
		for _, w := range weights {
			total += w
		}
	}
	return &ROptimal{
		Result:  r,
		tree:    tree,
		labels:  slices.Clone(y),
		classes: classes,
		norm:    a.Norm,
		total:   total,
	}, nil
}

// Predict returns the label of the nearest point of the set, ties to the earlier
// row. It takes O(n·d) time at worst, about O(log n) in the plane. x must have
// Dim() finite coordinates.
func (c *ROptimal) Predict(x []float64) int {
	_, row := c.nearest(0, x, math.Inf(1), math.MaxInt32)
	return c.labels[row]
}

// nearest returns the point of a node of the tree that is nearest to x, or the one given if
// that comes first. It looks into the nearer half first.
func (c *ROptimal) nearest(node int32, x []float64, distance float64, row int32) (float64, int32) {
	if c.gap(node, x) > distance {
		return distance, row
	}
	t := c.tree.Nodes[node]
	if t.Left == 0 {
		for i := t.First; i < t.End; i++ {
			d, id := c.norm.Distance(x, c.tree.Point(int(i))), c.tree.IDs[i]
			if d < distance || d == distance && id < row {
				distance, row = d, id
			}
		}
		return distance, row
	}
	near, far := t.Left, t.Left+1
	if c.gap(far, x) < c.gap(near, x) {
		near, far = far, near
	}
	distance, row = c.nearest(near, x, distance, row)
	return c.nearest(far, x, distance, row)
}

// gap returns the largest difference between a coordinate and its interval in a
// node, which no norm's distance to a point of it is less than.
func (c *ROptimal) gap(node int32, x []float64) float64 {
	lo, hi := c.tree.Box(int(node))
	gap := 0.0
	for j, e := range x {
		gap = max(gap, lo[j]-e, e-hi[j])
	}
	return gap
}

// Dim returns the dimension of the points.
func (c *ROptimal) Dim() int { return c.tree.Dim }

// Classes returns the largest label plus one.
func (c *ROptimal) Classes() int { return c.classes }

// Astuteness returns the probability of the set, which is the astuteness at radius
// r and, if Result is optimal, the largest that any classifier has. It is 0 if
// nothing has any mass.
func (c *ROptimal) Astuteness() float64 {
	if c.total == 0 {
		return 0
	}
	return float64(c.Result.Weight) / float64(c.total)
}
