package prune

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/rows"
)

// problem is a checked input, or some rows of one. Its rows are points, numbered
// label by label.
type problem struct {
	table  *rows.Table
	clouds []*cloud // one per label, the largest first
	row    []int32  // row[i]: the caller's number of point i
	reach  *reach
	units  *units
}

// problem checks the caller's input.
func (a Adversarial) problem(ctx context.Context, x mat.Matrix, y []int, weights []float64) (*problem, error) {
	if err := a.validate(); err != nil {
		return nil, err
	}
	t, classes, err := rows.Labelled(ctx, x, y)
	if err != nil {
		return nil, err
	}
	u, err := countWeights(weights, t.Len)
	if err != nil {
		return nil, err
	}
	r := newReach(a.Norm, 2*a.Radius)
	if err := arrange(ctx, t, &r); err != nil {
		return nil, err
	}
	labels := make([][]int32, classes)
	for i, label := range y {
		place := classes - 1 - label // the largest first
		labels[place] = append(labels[place], int32(i))
	}
	return newProblem(ctx, t, labels, &r, u)
}

// newProblem numbers the rows of each label that has any, each in the order of a k-d
// tree. It takes O(n log² n) time.
func newProblem(ctx context.Context, t *rows.Table, labels [][]int32, r *reach, u *units) (*problem, error) {
	p := &problem{table: t, reach: r, units: u}
	for _, members := range labels {
		if len(members) == 0 {
			continue
		}
		c, err := newCloud(ctx, t, members, int32(len(p.row)))
		if err != nil {
			return nil, err
		}
		p.clouds = append(p.clouds, c)
		p.row = append(p.row, c.tree.IDs...)
	}
	return p, nil
}

// part returns the problem of some of the points, given in ascending order.
func (p *problem) part(ctx context.Context, points []int32) (*problem, error) {
	labels := make([][]int32, len(p.clouds))
	for i, c := range p.clouds {
		n, _ := slices.BinarySearch(points, c.first+c.size())
		labels[i], points = at(p.row, points[:n]), points[n:]
	}
	return newProblem(ctx, p.table, labels, p.reach, p.units)
}

// doubled returns the graph with all points on either side.
func (p *problem) doubled() *conflicts { return newConflicts(p.clouds, p.clouds, p.reach) }

// rows returns the rows of the points that keep holds.
func (p *problem) rows(keep []bool) []int32 {
	var rows []int32
	for i, in := range keep {
		if in {
			rows = append(rows, p.row[i])
		}
	}
	return rows
}

// points returns the point of each of the caller's rows, of a problem that has
// all of them.
func (p *problem) points() []int32 {
	points := make([]int32, p.table.Len)
	for i, row := range p.row {
		points[row] = int32(i)
	}
	return points
}

// at returns the elements of list at these places.
func at[E any](list []E, places []int32) []E {
	picked := make([]E, len(places))
	for i, k := range places {
		picked[i] = list[k]
	}
	return picked
}
