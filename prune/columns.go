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
	picked := sample(t.Len)
	inReach := make([]int, t.Dim)
	for i, a := range picked {
		x := t.Row(a)
		for _, b := range picked[:i] {
			if err := ctx.Err(); err != nil {
				return nil, finding(err)
			}
			y := t.Row(b)
			for j := range inReach {
				if !r.apart(x[j], y[j]) {
					inReach[j]++
				}
			}
		}
	}
	columns := make([]int, t.Dim)
	for j := range columns {
		columns[j] = j
	}
	slices.SortFunc(columns, func(i, j int) int {
		return cmp.Or(cmp.Compare(inReach[i], inReach[j]), cmp.Compare(i, j))
	})
	return columns, nil
}

// sample returns at most sampleRows of n rows, evenly spread.
func sample(n int) []int {
	picked := make([]int, min(n, sampleRows))
	for i := range picked {
		picked[i] = i * n / len(picked)
	}
	return picked
}
