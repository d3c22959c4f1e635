package prune

import (
	"cmp"
	"context"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// sampleRows is how many rows the columns are judged by: their 8128 pairs tell
// one column in a thousand from one that separates nothing.
const sampleRows = 128

// arrange puts the columns of t that tell most rows apart first, where early
// exits find them. Only ℓ∞ is free to do so: the rounding of a sum depends on
// its order.
func arrange(ctx context.Context, t *rows.Table, r *reach) error {
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
// leave in reach, judged by a sample spread evenly over them. The choice speeds
// up the search for conflicts and cannot change what is found.
func columnsByPower(ctx context.Context, t *rows.Table, r *reach) ([]int, error) {
	inReach, columns := make([]int, t.Dim), make([]int, t.Dim)
	n := min(t.Len, sampleRows)
	for i := range n {
		x := t.Row(i * t.Len / n)
		for k := range i {
			if err := ctx.Err(); err != nil {
				return nil, finding(err)
			}
			y := t.Row(k * t.Len / n)
			for j := range inReach {
				if !r.apart(x[j], y[j]) {
					inReach[j]++
				}
			}
		}
	}
	for j := range columns {
		columns[j] = j
	}
	slices.SortStableFunc(columns, func(i, j int) int { return cmp.Compare(inReach[i], inReach[j]) })
	return columns, nil
}
