package subject

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
	"github.com/seed-1a7dc1f9/facet/internal/modelfile"
)

// Save writes the classifier in facet's own format, with the labels of its classes and the names of
// its features.
func (s *Subject) Save(w io.Writer) error {
	var text bytes.Buffer
	if err := classifier.Save(&text, s.Classifier); err != nil {
		return err
	}
	m, err := modelfile.Read(&text)
	if err != nil {
		return err
	}
	labels := s.Classes.Labels()
	m.ClassValues, m.ClassNames = valuesOrNames(labels[:min(len(labels), s.Classifier.Classes())])
	m.FeatureNames = s.Names
	return modelfile.Write(w, m)
}

// SaveXGBoost writes boosted trees for XGBoost.
func (s *Subject) SaveXGBoost(w io.Writer) error {
	e, ok := s.Classifier.(*classifier.Ensemble)
	if !ok {
		return fmt.Errorf("%T: %w", s.Classifier, errors.ErrUnsupported)
	}
	return classifier.SaveXGBoost(w, e)
}

// valuesOrNames returns ascending numbers as such, and other labels as names.
func valuesOrNames(labels []tabular.Label) (values []float64, names []string) {
	for i, l := range labels {
		v, err := strconv.ParseFloat(l.String(), 64)
		if err != nil || i > 0 && v <= values[i-1] {
			names = make([]string, len(labels))
			for i, l := range labels {
				names[i] = l.String()
			}
			return nil, names
		}
		values = append(values, v)
	}
	return values, nil
}
