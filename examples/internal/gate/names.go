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
	var asClassifier, asRegressor error
	err = subject.ReadEach(ctx, path, dataset.Limits{Values: dataset.DefaultValues},
		func(file io.Reader) {
			var c classifier.Classifier
			if c, asClassifier = classifier.Read(file); asClassifier == nil {
				names = classifier.NamesOf(c).Features
			}
		},
		func(file io.Reader) {
			var r *classifier.Regressor
			if r, asRegressor = classifier.ReadRegressor(file); asRegressor == nil {
				names = classifier.NamesOf(r).Features
			}
		})
	if err == nil && asClassifier != nil && asRegressor != nil {
		err = asClassifier
	}
	return names, err
}
