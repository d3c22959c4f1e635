package classifier

import (
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
)

// labels are the names of the classes and the features of a model in its training data.
type labels struct {
	values     []float64
	names      []string
	features   []string
	categories []int      // of each feature: its number of codes
	words      [][]string // and their names
}

func labelsOf(m *models.Model) labels {
	return labels{m.ClassValues, m.ClassNames, m.FeatureNames, m.Categories, m.CategoryNames}
}

// name gives a model that is to be written its labels.
func (l *labels) name(m models.Model) models.Model {
	m.ClassValues, m.ClassNames = l.values, l.names
	m.FeatureNames, m.Categories, m.CategoryNames = l.features, l.categories, l.words
	return m
}

// Names are the names of the classes and the features in the training data of a model.
type Names struct {
	ClassValues []float64 // the labels of the classes 0, 1, …, nil if they are unknown
	Classes     []string  // their words, nil if they are numbers
	Features    []string  // nil if they have no names
	// of each feature what its codes 0, 1, … are: words, or numbers and truth values as text, nil
	// of one that has no such names; nil if none has
	Categories [][]string
}

func (l *labels) named() Names {
	n := Names{
		ClassValues: slices.Clone(l.values), Classes: slices.Clone(l.names),
		Features: slices.Clone(l.features), Categories: slices.Clone(l.words),
	}
	for j := range n.Categories {
		n.Categories[j] = slices.Clone(n.Categories[j])
	}
	return n
}

// NamesOf returns the names in a model that Read read, or that was made of the trees of one, and
// none of any other.
func NamesOf(model Model) (names Names) {
	if m, ok := model.(interface{ named() Names }); ok && !rows.IsNil(model) {
		names = m.named()
	}
	return names
}
