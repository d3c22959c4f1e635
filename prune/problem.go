package prune

import (
	"cmp"
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// problem is a checked input, or some rows of one. Its rows are points, which are numbered
// when their conflicts are to be found: label by label by buildTrees, or by listed.
type problem struct {
	table   *rows.Table
	members [][]int32     // the rows of each label that has any, the largest first
	labels  []*labelIndex // one per label
	row     []int32       // row[i]: the caller's number of point i
	ball    *ball
	weight  []int64 // by row; nil: 1 each
}

// problem checks the caller's input.
func (a Adversarial) problem(
	ctx context.Context, x mat.Matrix, y []int, weights []int,
) (*problem, error) {
	if err := a.validate(); err != nil {
		return nil, err
	}
	t, classes, err := a.labelled(ctx, x, y)
	if err != nil {
		return nil, err
	}
	w, err := checkWeights(weights, t.Len)
	if err != nil {
		return nil, err
	}
	r := newBall(a.Norm, 2*a.Radius)
	labels := make([][]int32, classes)
	for i, label := range y {
		at := classes - 1 - label // the largest first
		labels[at] = append(labels[at], int32(i))
	}
	if a.Local > 0 {
		r.local = true
		t, err = a.withRadii(ctx, t, labels)
	} else {
		err = arrange(ctx, t, &r)
	}
	if err != nil {
		return nil, err
	}
	return newProblem(t, labels, &r, w), nil
}

func newProblem(t *rows.Table, labels [][]int32, r *ball, weight []int64) *problem {
	members := slices.DeleteFunc(labels, func(members []int32) bool { return len(members) == 0 })
	return &problem{table: t, members: members, ball: r, weight: weight}
}

// withTrees returns the problem of the caller's input, without weights, with its points numbered.
func (a Adversarial) withTrees(ctx context.Context, x mat.Matrix, y []int) (*problem, error) {
	p, err := a.problem(ctx, x, y, nil)
	if err != nil {
		return nil, err
	}
	return p, p.buildTrees(ctx)
}

// buildTrees numbers the rows of each label in the order of a k-d tree. It takes O(d·n log n) time.
func (p *problem) buildTrees(ctx context.Context) error {
	for _, members := range p.members {
		if err := ctx.Err(); err != nil {
			return finding(err)
		}
		tree, err := nnindex.Build(ctx, p.table.Data, p.table.Dim, members)
		if err != nil {
			return finding(err)
		}
		p.labels = append(p.labels, &labelIndex{tree: tree, first: int32(len(p.row))})
		p.row = append(p.row, tree.IDs...)
	}
	return nil
}

// restrict returns the problem of some of the points, given in ascending order.
func (p *problem) restrict(points []int32) *problem {
	labels := make([][]int32, len(p.labels))
	for i, c := range p.labels {
		n, _ := slices.BinarySearch(points, c.first+c.size())
		labels[i], points = at(p.row, points[:n]), points[n:]
	}
	return newProblem(p.table, labels, p.ball, p.weight)
}

// doubled returns the graph with all points on either side.
func (p *problem) doubled() *conflicts { return newConflicts(p.labels, p.labels, p.ball) }

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
func at[E any](list []E, positions []int32) []E {
	picked := make([]E, len(positions))
	for i, k := range positions {
		picked[i] = list[k]
	}
	return picked
}

// sampleRows is how many rows the columns are judged by: their 8128 pairs tell
// one column in a thousand from one that separates none.
const sampleRows = 128

// arrange puts the columns of t that tell most rows apart first, where early
// exits find them. Only ℓ∞ is free to do so: the rounding of a sum depends on
// its order.
func arrange(ctx context.Context, t *rows.Table, r *ball) error {
	if r.norm != polytope.LInf {
		return nil
	}
	order, err := columnsByPower(ctx, t, r)
	if err != nil {
		return err
	}
	row := make([]float64, t.Dim)
	for i := range t.Len {
		copy(row, t.Row(i))
		for to, from := range order {
			t.Row(i)[to] = row[from]
		}
	}
	return nil
}

// columnsByPower returns the columns in the order of how few pairs of rows they
// leave near each other, judged by a sample spread evenly over them. The choice speeds
// up the search for conflicts and cannot change its result.
func columnsByPower(ctx context.Context, t *rows.Table, r *ball) ([]int, error) {
	near, columns := make([]int, t.Dim), make([]int, t.Dim)
	n := min(t.Len, sampleRows)
	for i := range n {
		x := t.Row(i * t.Len / n)
		for k := range i {
			if err := ctx.Err(); err != nil {
				return nil, finding(err)
			}
			y := t.Row(k * t.Len / n)
			for j := range near {
				if !r.tooFar(x[j], y[j]) {
					near[j]++
				}
			}
		}
	}
	for j := range columns {
		columns[j] = j
	}
	slices.SortStableFunc(columns,
		func(i, j int) int { return cmp.Compare(near[i], near[j]) })
	return columns, nil
}
