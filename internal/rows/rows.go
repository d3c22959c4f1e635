// Package rows copies the labelled rows that callers hand in as a mat.Matrix and
// a slice of labels into one flat array, and checks them on the way. Each works on many of
// them at once.
package rows

import (
	"context"
	"fmt"
	"math"
	"reflect"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// maxLabel bounds the labels, which index arrays.
const maxLabel = 1 << 20

// Table holds Len rows of Dim finite values, row-major, without gaps.
type Table struct {
	Data     []float64
	Len, Dim int
}

// Row returns row i as a part of Data.
func (t *Table) Row(i int) []float64 { return t.Data[i*t.Dim : (i+1)*t.Dim : (i+1)*t.Dim] }

// Copy copies x, which may be any matrix, nil and empty ones included, of finite values.
func Copy(ctx context.Context, x mat.Matrix) (*Table, error) {
	return CopyIf(ctx, x, CheckFinite)
}

// CopyIf is Copy with another check of each row.
func CopyIf(
	ctx context.Context, x mat.Matrix, check func(row []float64, i int) error,
) (*Table, error) {
	if ctx == nil {
		return nil, ErrContext
	}
	if IsNil(x) {
		return nil, fmt.Errorf("nil matrix: %w", ErrEmpty)
	}
	n, dim := x.Dims()
	if n == 0 || dim == 0 {
		return nil, fmt.Errorf("%d × %d matrix: %w", n, dim, ErrEmpty)
	}
	if n > math.MaxInt32 {
		return nil, fmt.Errorf("%d rows: %w", n, ErrSize)
	}
	t := &Table{Data: make([]float64, n*dim), Len: n, Dim: dim}
	read := reader(x)
	for i := range n {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("reading rows: %w", err)
		}
		row := t.Row(i)
		read(row, i)
		if err := check(row, i); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// Labelled is Copy together with a check of the labels. It returns the number of
// classes, the largest label plus one.
func Labelled(ctx context.Context, x mat.Matrix, y []int) (t *Table, classes int, err error) {
	if t, err = Copy(ctx, x); err != nil {
		return nil, 0, err
	}
	if len(y) != t.Len {
		return nil, 0, fmt.Errorf("%w: %d labels, %d rows", ErrLength, len(y), t.Len)
	}
	for i, label := range y {
		if label < 0 || label > maxLabel {
			return nil, 0, Wrong(i, ErrLabel, label)
		}
		classes = max(classes, label+1)
	}
	return t, classes, nil
}

// IsNil also sees through an interface that holds a nil pointer, as mat.Matrix
// does when a caller's *mat.Dense was never set.
func IsNil(x any) bool {
	if x == nil {
		return true
	}
	v := reflect.ValueOf(x)
	return v.Kind() == reflect.Pointer && v.IsNil()
}

// reader returns how to copy row i of x. A Dense hands out its rows; the concrete
// type matters, because a type that embeds one may override At.
func reader(x mat.Matrix) func(dst []float64, i int) {
	if d, ok := x.(*mat.Dense); ok {
		return func(dst []float64, i int) { copy(dst, d.RawRowView(i)) }
	}
	return func(dst []float64, i int) {
		for j := range dst {
			dst[j] = x.At(i, j)
		}
	}
}

// Wrong returns the error of a row whose label, or whose weight, is wrong.
func Wrong(row int, err error, value int) error {
	return &polytope.RowError{Row: row, Err: fmt.Errorf("%w: %d", err, value)}
}

// WrongValue returns the error of a row that has a value that is not finite.
func WrongValue(row, feature int, value float64) error {
	err := &polytope.FeatureError{Feature: feature, Err: fmt.Errorf("%w: %v", ErrValue, value)}
	return &polytope.RowError{Row: row, Err: err}
}

// CheckFinite returns a RowError for a NaN or an infinity in row i.
func CheckFinite(row []float64, i int) error {
	for j, v := range row {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return WrongValue(i, j, v)
		}
	}
	return nil
}
