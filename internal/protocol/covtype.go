package protocol

import (
	"context"
	"fmt"

	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
)

// covtypeRows is the number of rows drawn of each class of covtype.
const covtypeRows = 1100

// loadCovtype draws its rows as the paper did: 1100 of label 1, then, with the same
// generator, 1100 of label 2, in the order drawn. The split that follows starts the
// generator again.
func loadCovtype(ctx context.Context, path string) (*Set, error) {
	set, err := dataset.LoadRows(ctx, path, drawCovtype)
	if err != nil {
		return nil, err
	}
	return split(set)
}

func drawCovtype(labels []float64) ([]int, error) {
	rng := numpyrand.New(seed)
	var drawn []int
	for _, label := range []float64{1, 2} {
		var rows []int
		for i, l := range labels {
			if l == label {
				rows = append(rows, i)
			}
		}
		positions, err := rng.Choice(len(rows), covtypeRows)
		if err != nil {
			return nil, fmt.Errorf("%d rows have label %v, where %d of them are drawn", len(rows), label, covtypeRows)
		}
		for _, p := range positions {
			drawn = append(drawn, rows[p])
		}
	}
	return drawn, nil
}
