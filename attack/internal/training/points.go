// Package training holds the training points that attacks start from.
package training

import (
	"context"
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/query"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// errPoints is that of points that there are not, or that cannot be read.
var errPoints = rows.Named("no training points to search around", rows.ErrEmpty)

// Points are the labelled training points that an attack starts from. The zero
// value is ready to Prepare.
type Points struct {
	*rows.Table
	Labels  []int
	byLabel []*nnindex.Tree // nil for a label without points

	mu      sync.Mutex
	done    bool
	failed  error
	predict bool // the labels are those that the classifier predicts, as far as it was asked
}

// Request says where points come from.
type Request struct {
	Classifier guard.Classifier
	// X are the points, one a row; nil means the rows of a classifier that keeps
	// them (k-NN). Y are their labels; nil means those that the classifier keeps
	// with its rows, and its predictions for others.
	X mat.Matrix
	Y []int
}

// keeper is a classifier that keeps its training rows.
type keeper interface {
	Len() int
	Row(i int) (x []float64, label int)
}

// Prepare copies and labels the points at the first call, as sync.Once does. Where
// the context ends it the next call goes on; any other error stays.
func (p *Points) Prepare(ctx context.Context, r Request) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done {
		return p.failed
	}
	err := p.prepare(ctx, r)
	if query.Ended(ctx, err) {
		return err
	}
	p.done, p.failed = true, err
	return err
}

func (p *Points) prepare(ctx context.Context, r Request) (err error) {
	defer guard.Recover(&err)
	if p.Table == nil {
		if err := p.take(ctx, r); err != nil {
			return guard.Blame(err)
		}
	}
	if err := p.label(ctx, r.Classifier); err != nil {
		return err
	}
	return p.index(ctx, r.Classifier.Classes())
}

// take copies the points, and the labels that are given.
func (p *Points) take(ctx context.Context, r Request) (err error) {
	if p.predict = r.X != nil && r.Y == nil; r.X == nil {
		return p.keep(r)
	}
	if p.Table, err = given(ctx, r.Classifier, r.X); err == nil && !p.predict {
		p.Labels = r.Y
	}
	return err
}

// keep takes the rows that a classifier keeps.
func (p *Points) keep(r Request) (err error) {
	if r.Y != nil {
		return fmt.Errorf("%w: labels without Points", errPoints)
	}
	p.Table, p.Labels, err = kept(r.Classifier)
	return err
}

// Rows returns the points of x, or where it is nil the rows that the classifier keeps (k-NN).
func Rows(ctx context.Context, c guard.Classifier, x mat.Matrix) (*rows.Table, error) {
	if x != nil {
		return given(ctx, c, x)
	}
	table, _, err := kept(c)
	return table, err
}

// given copies points that a caller gives.
func given(ctx context.Context, c guard.Classifier, x mat.Matrix) (*rows.Table, error) {
	table, err := Copy(ctx, x)
	if err != nil {
		return nil, fmt.Errorf("training points: %w", err)
	}
	if table.Dim != c.Dim() {
		return nil, fmt.Errorf("training points: %w: %d columns, want %d",
			polytope.ErrDimension, table.Dim, c.Dim())
	}
	return table, nil
}

// kept copies the rows that a classifier keeps, and their labels.
func kept(c guard.Classifier) (table *rows.Table, labels []int, err error) {
	defer guard.Catch(&err, "Len or Row", c)
	k, ok := c.(keeper)
	if !ok {
		return nil, nil, fmt.Errorf("%w: %T keeps none, set Points", errPoints, c)
	}
	table = &rows.Table{Len: k.Len(), Dim: c.Dim()}
	if table.Len < 1 {
		return nil, nil, fmt.Errorf("%w: %T keeps %d rows", errPoints, k, table.Len)
	}
	table.Data = make([]float64, 0, table.Len*table.Dim)
	for i := range table.Len {
		x, label := k.Row(i)
		if err := geometry.CheckPoint(x, table.Dim); err != nil {
			return nil, nil, fmt.Errorf("%w: row %d that %T keeps: %w",
				guard.ErrClassifier, i, k, err)
		}
		table.Data = append(table.Data, x...)
		labels = append(labels, label)
	}
	return table, labels, nil
}

// Copy is rows.Copy, whose errors are about the points unless the context ended.
func Copy(ctx context.Context, x mat.Matrix) (*rows.Table, error) {
	table, err := rows.Copy(ctx, x)
	if err != nil && !query.Ended(ctx, err) {
		err = fmt.Errorf("%w: %w", errPoints, err)
	}
	return table, err
}

// label gives every point the label that c predicts, if it is to, and checks the
// labels. When the context ends it has done with some, and goes on from there.
func (p *Points) label(ctx context.Context, c guard.Classifier) error {
	for p.predict && len(p.Labels) < p.Len {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("predicting training points: %w", err)
		}
		label := guard.Predict(c, p.Row(len(p.Labels)))
		if label < 0 || label >= c.Classes() {
			return fmt.Errorf("%w: %T predicts label %d of %d classes",
				guard.ErrClassifier, c, label, c.Classes())
		}
		p.Labels = append(p.Labels, label)
	}
	if len(p.Labels) != p.Len {
		return fmt.Errorf("%w: %w: %d labels, %d rows",
			errPoints, rows.ErrLength, len(p.Labels), p.Len)
	}
	for i, label := range p.Labels {
		if label < 0 || label >= c.Classes() {
			wrong := rows.Wrong(i, rows.ErrLabel, label)
			return fmt.Errorf("%w: %w of %d classes", errPoints, wrong, c.Classes())
		}
	}
	return nil
}

// index makes a tree of the points of each label.
func (p *Points) index(ctx context.Context, classes int) error {
	members := make([][]int32, classes)
	for i, label := range p.Labels {
		members[label] = append(members[label], int32(i))
	}
	trees := make([]*nnindex.Tree, classes)
	for label, ids := range members {
		if len(ids) == 0 {
			continue
		}
		var err error
		if trees[label], err = nnindex.Build(ctx, p.Data, p.Dim, ids); err != nil {
			return err
		}
	}
	p.byLabel = trees
	return nil
}

// Nearest returns the n points nearest to x in Euclidean distance, or all there are,
// of those with labels that will do, nearest first.
func (p *Points) Nearest(x []float64, n int, label func(int) bool) []nnindex.Neighbor {
	var nearest nnindex.Nearest
	nearest.Reset(n, math.Inf(1))
	for l, t := range p.byLabel {
		if t != nil && label(l) {
			t.Nearest(x, &nearest)
		}
	}
	return nearest.Sorted()
}
