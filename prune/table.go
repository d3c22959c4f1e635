package prune

import (
	"context"
	"fmt"
	"math"
	"reflect"

	"gonum.org/v1/gonum/mat"
)

// table is a copy of the rows: finite values, row-major, without gaps.
type table struct {
	data      []float64
	rows, dim int
}

func (t *table) row(i int32) []float64 {
	return t.data[int(i)*t.dim:][:t.dim]
}

// newTable copies x, which may be any matrix, nil and empty ones included.
func newTable(ctx context.Context, x mat.Matrix) (*table, error) {
	if isNil(x) {
		return nil, fmt.Errorf("prune: nil matrix: %w", ErrEmpty)
	}
	rows, dim := x.Dims()
	if rows == 0 || dim == 0 {
		return nil, fmt.Errorf("prune: %d × %d matrix: %w", rows, dim, ErrEmpty)
	}
	if rows > math.MaxInt32 {
		return nil, fmt.Errorf("prune: %d rows: %w", rows, ErrSize)
	}
	t := &table{data: make([]float64, rows*dim), rows: rows, dim: dim}
	read := rowReader(x)
	for i := range rows {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("prune: reading rows: %w", err)
		}
		row := t.row(int32(i))
		read(row, i)
		if err := checkFinite(row, i); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// isNil also sees through an interface that holds a nil pointer, as mat.Matrix
// does when a caller's *mat.Dense was never set.
func isNil(x mat.Matrix) bool {
	if x == nil {
		return true
	}
	v := reflect.ValueOf(x)
	return v.Kind() == reflect.Pointer && v.IsNil()
}

// rowReader returns how to copy row i of x. A Dense hands out its rows; the
// concrete type matters, because a type that embeds one may override At.
func rowReader(x mat.Matrix) func(dst []float64, i int) {
	if d, ok := x.(*mat.Dense); ok {
		return func(dst []float64, i int) { copy(dst, d.RawRowView(i)) }
	}
	return func(dst []float64, i int) {
		for j := range dst {
			dst[j] = x.At(i, j)
		}
	}
}

func checkFinite(row []float64, i int) error {
	for j, v := range row {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("prune: row %d, column %d: %w: %v", i, j, ErrValue, v)
		}
	}
	return nil
}
