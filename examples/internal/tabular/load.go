package tabular

import (
	"context"
	"strconv"

	"github.com/seed-1a7dc1f9/facet/internal/dataset"
)

// Load reads the tables of a run. The first is what the others follow: they have its features, matched by name where
// both files have names, and its label column. All have dim features, those of a model, unless that is 0.
func Load(ctx context.Context, o Options, dim int, sources ...Source) ([]*Table, error) {
	plain := make([]dataset.Source, len(sources))
	for i, s := range sources {
		plain[i] = dataset.Source(s)
	}
	sets, err := dataset.Load(ctx, dataset.Limits{Values: o.MaxValues}, dim, plain...)
	if err != nil {
		return nil, err
	}
	tables := make([]*Table, len(sets))
	for i, s := range sets {
		tables[i] = &Table{Path: sources[i].Path, X: s.Data, Rows: s.Rows, Dim: s.Dim, Labels: make([]string, s.Rows)}
		for row, label := range s.Labels {
			tables[i].Labels[row] = strconv.FormatFloat(label, 'g', -1, 64)
		}
	}
	return tables, nil
}
