package prune

import (
	"context"
	"fmt"

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
	t, err := rows.Copy(ctx, x)
	if err != nil {
		return nil, fmt.Errorf("prune: %w", err)
	}
	labels, err := byLabel(y, t.Len)
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
	return newProblem(ctx, t, labels, &r, u)
}

// newProblem numbers the rows of each label.
func newProblem(ctx context.Context, t *rows.Table, labels [][]int32, r *reach, u *units) (*problem, error) {
	p := &problem{table: t, reach: r, units: u}
	var err error
	if p.clouds, err = newClouds(ctx, t, labels); err != nil {
		return nil, err
	}
	for _, c := range p.clouds {
		p.row = append(p.row, c.tree.IDs...)
	}
	return p, nil
}

// part returns the problem of some of the points, given in ascending order.
func (p *problem) part(ctx context.Context, points []int32) (*problem, error) {
	var labels [][]int32
	for _, c := range p.clouds {
		var members []int32
		for len(points) > 0 && points[0] < c.first+c.size() {
			members = append(members, p.row[points[0]])
			points = points[1:]
		}
		if members != nil {
			labels = append(labels, members)
		}
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
