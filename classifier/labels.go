package classifier

import (
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile"
)

// labels are what the classes and the features of a model are called in its training data.
type labels struct {
	values     []float64
	names      []string
	features   []string
	categories []int // of each feature: its number of codes
}

func labelsOf(m *modelfile.Model) labels {
	return labels{m.ClassValues, m.ClassNames, m.FeatureNames, m.Categories}
}

// name gives a model that is to be written its labels.
func (l *labels) name(m modelfile.Model) modelfile.Model {
	m.ClassValues, m.ClassNames = l.values, l.names
	m.FeatureNames, m.Categories = l.features, l.categories
	return m
}

// ClassValues returns the labels that the classes 0, 1, … have in the training
// data of a model that was read from a file, nil for any other.
func (l *labels) ClassValues() []float64 { return slices.Clone(l.values) }

// ClassNames returns the words that are the labels of the classes 0, 1, … in the training
// data of a model that was read from a file, nil for any other and if they are numbers.
func (l *labels) ClassNames() []string { return slices.Clone(l.names) }

// FeatureNames returns what the features are called in the training data of a model that was
// read from a file, nil for any other and if they have no names there.
func (l *labels) FeatureNames() []string { return slices.Clone(l.features) }
