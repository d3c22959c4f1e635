package cart

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/rows"
)

// data are the rows that trees are grown on. Growing does not change them.
type data struct {
	columns []column
	y       []int
	classes int
}

// column is a feature of every row, rounded to float32.
type column struct {
	values []float32 // the different ones, ascending
	rank   []uint32  // of each row's value among them
}

// newData checks and sorts the data on so many goroutines.
func newData(ctx context.Context, x mat.Matrix, y []int, workers int) (*data, error) {
	table, classes, err := rows.Labelled(ctx, x, y)
	if err != nil {
		return nil, err
	}
	if err := checkFloat32(table); err != nil {
		return nil, err
	}
	d := &data{columns: make([]column, table.Dim), y: y, classes: classes}
	err = spread(ctx, workers, table.Dim, func() func(int) error {
		keys, spare := make([]uint64, table.Len), make([]uint64, table.Len)
		return func(j int) error {
			d.columns[j] = newColumn(table, j, keys, spare)
			return nil
		}
	})
	if err != nil {
		return nil, err
	}
	return d, nil
}

// checkFloat32 names the first value that float32 cannot hold.
func checkFloat32(table *rows.Table) error {
	for i, v := range table.Data {
		if f := float64(float32(v)); f-f != 0 {
			return fmt.Errorf("row %d: feature %d: %w in float32: %v",
				i/table.Dim, i%table.Dim, rows.ErrValue, v)
		}
	}
	return nil
}

// newColumn sorts feature j, in the space of two slices as long as the table.
func newColumn(table *rows.Table, j int, keys, spare []uint64) column {
	for i := range keys {
		keys[i] = uint64(ordinal(float32(table.Data[i*table.Dim+j])))<<32 | uint64(i)
	}
	keys = sortKeys(keys, spare, 0, math.MaxUint32)
	c := column{rank: make([]uint32, len(keys))}
	for i, key := range keys {
		if i == 0 || key>>32 != keys[i-1]>>32 {
			c.values = append(c.values, float32(table.Data[int(uint32(key))*table.Dim+j]))
		}
		c.rank[uint32(key)] = uint32(len(c.values) - 1)
	}
	return c
}
