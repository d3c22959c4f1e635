package gate

import (
	"context"
	"io"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/subject"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
)

// namesOf returns the names of a model's features, nil if its file has none.
func namesOf(ctx context.Context, path string) (names []string, err error) {
	var fault error // of what the file says
	err = subject.ReadEach(ctx, path, dataset.Limits{Values: dataset.DefaultValues},
		func(file io.Reader) {
			var m classifier.Model
			m, fault = classifier.Read[classifier.Model](file, classifier.ReadOptions{})
			if fault == nil {
				names = classifier.NamesOf(m).Features
			}
		})
	if err == nil {
		err = fault
	}
	return names, err
}
