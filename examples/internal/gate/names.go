package gate

import (
	"context"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/subject"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
)

// namesOf returns the names of a model's features, nil if its file has none.
func namesOf(ctx context.Context, path string) ([]string, error) {
	m, _, err := subject.ReadFile[classifier.Model](ctx, path,
		dataset.Limits{Values: dataset.DefaultValues}, nil)
	if err != nil {
		return nil, err
	}
	return classifier.NamesOf(m).Features, nil
}
