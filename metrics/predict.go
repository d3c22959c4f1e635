package metrics

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/access"
	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Predict returns the label that c gives to each row of x, using every core. A *classifier.Ensemble
// predicts many rows at a time, several times as fast as row by row.
func Predict(ctx context.Context, c classifier.Classifier, x mat.Matrix) ([]int, error) {
	table, err := tableFor(ctx, c, x)
	if err != nil {
		return nil, fmt.Errorf("metrics: %w", err)
	}
	labels, size := make([]int, table.Len), chunk
	batch, ok := access.Batch(c)
	if ok {
		size = batch.Rows()
	}
	failure := rows.Each(ctx, 0, (table.Len+size-1)/size, func(n int) error {
		first, last := n*size, min((n+1)*size, table.Len)
		if ok {
			batch.Predict(table.Data[first*table.Dim:last*table.Dim], labels[first:last])
			return nil
		}
		return predictChunk(ctx, c, table, labels, first, last)
	})
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("metrics: predicting: %w", err)
	}
	if failure != nil {
		return nil, fmt.Errorf("metrics: %w", failure)
	}
	return labels, nil
}

// chunk is the number of rows that one goroutine predicts at a time: enough to make
// handing them out free, few enough to notice that the context has ended.
const chunk = 64

// predictChunk predicts the rows from first on, before last.
func predictChunk(
	ctx context.Context, c classifier.Classifier, table *rows.Table, labels []int,
	first, last int,
) (err error) {
	for i := first; i < last && ctx.Err() == nil; i++ {
		if labels[i], err = label(c, table.Row(i)); err != nil {
			return &polytope.RowError{Row: i, Err: err}
		}
	}
	return nil
}

// Accuracy returns the share of the rows of x that c labels as y does.
func Accuracy(
	ctx context.Context, c classifier.Classifier, x mat.Matrix, y []int,
) (float64, error) {
	labels, err := Predict(ctx, c, x)
	if err != nil {
		return 0, err
	}
	if err := checkLabels(y, len(labels), c.Classes()); err != nil {
		return 0, fmt.Errorf("metrics: %w", err)
	}
	correct := 0
	for i, label := range labels {
		if label == y[i] {
			correct++
		}
	}
	return float64(correct) / float64(len(y)), nil
}

// checkInput checks an input of c: numbers, and NaN for missing values where c takes them.
func checkInput(c classifier.Classifier, x []float64) error {
	return rules.CheckInput(access.Follows(c), x, c.Dim())
}

// tableFor copies rows that c can predict: numbers, and NaN for missing values where c takes them.
func tableFor(ctx context.Context, c classifier.Classifier, x mat.Matrix) (*rows.Table, error) {
	if err := guard.CheckClassifier(c); err != nil {
		return nil, err
	}
	takes := false // missing values, as the first row that has some finds out
	table, err := rows.CopyIf(ctx, x, func(row []float64, i int) error {
		if slices.ContainsFunc(row, math.IsNaN) {
			if takes = takes || len(row) == c.Dim() && checkInput(c, row) == nil; takes {
				row = rules.Present(row)
			}
		}
		return rows.CheckFinite(row, i)
	})
	if err != nil {
		return nil, err
	}
	if table.Dim != c.Dim() {
		return nil, fmt.Errorf("%w: the rows have %d columns, the classifier %d",
			polytope.ErrDimension, table.Dim, c.Dim())
	}
	return table, nil
}

func checkLabels(y []int, n, classes int) error {
	if len(y) != n {
		return fmt.Errorf("%w: %d labels, %d rows", rows.ErrLength, len(y), n)
	}
	for i, label := range y {
		if label < 0 || label >= classes {
			return fmt.Errorf("%w of %d classes",
				rows.Wrong(i, classifier.ErrLabel, label), classes)
		}
	}
	return nil
}
