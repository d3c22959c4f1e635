package models

import (
	"errors"
	"fmt"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Kind is the kind of a model, by its name in facet's own files.
type Kind string

const (
	Tree            Kind = "tree"
	Ensemble        Kind = "ensemble"
	ObliqueTree     Kind = "oblique-tree"
	ObliqueEnsemble Kind = "oblique-ensemble"
	KNN             Kind = "knn"
	WeightedKNN     Kind = "weighted-knn"
	Regressor       Kind = "regressor"
)

// IsAxis reports whether a model is of axis-parallel trees.
func (k Kind) IsAxis() bool { return k == Tree || k == Ensemble || k == Regressor }

// Model is the content of a file, as plain data. Which numbers agree with one another is
// checked as far as the format says; the trees themselves are not, nor that numbers are finite.
type Model struct {
	Format       string // the name of the format it was read from
	Kind         Kind
	Dim          int      // features
	FeatureNames []string // of each feature; nil if the file has none, or none that is read
	// of each feature: how many codes 0, 1, 2, … it has, 0 for a number; nil if all are numbers
	Categories []int
	// of each feature: the names of its codes; nil if the file has no names, or of a number
	CategoryNames [][]string
	Comparison    trees.Comparison // of axis-parallel trees
	Trees         []trees.Plain
	// of boosted trees, whose nodes have one value or none: the class that each adds it to
	Adds []int
	Vote trees.Vote // of an ensemble, or of a regressor: Sum or Soft, of one class
	Link trees.Link // of a regressor
	// the file has no meaning for the sums: those of one class are a regressor's
	Undecided   bool
	ClassValues []float64 // of each class: its label in the training data; nil if the file has none
	ClassNames  []string  // of each class: its label, if these are words

	K      int // of nearest neighbours
	Rows   [][]float64
	Labels []int
}

// MostFeatures keeps a malformed file from asking for boxes of billions of sides.
const MostFeatures = 1 << 20

// MostCodes is how many codes a categorical feature may have.
const MostCodes = 1 << 20

// CheckCategories checks the numbers and the names of codes, if either is there.
func CheckCategories(categories []int, names [][]string, features int) error {
	if len(categories) > 0 && len(categories) != features {
		return fmt.Errorf("%d categories, n_features is %d", len(categories), features)
	}
	if len(names) > 0 && len(names) != features {
		return fmt.Errorf("%d category_names, n_features is %d", len(names), features)
	}
	for f, codes := range categories {
		if codes < 0 || codes > MostCodes {
			return fmt.Errorf("categories: feature %d has %d codes, want 0 to %d",
				f, codes, MostCodes)
		}
	}
	return nil
}

// Labels returns the class values of a library whose labels count from 0.
func Labels(classes int) []float64 {
	values := make([]float64, classes)
	for c := range values {
		values[c] = float64(c)
	}
	return values
}

// CheckNames checks the names of classes, if there are any. A file without class values has as many
// classes as its model.
func CheckNames(names []string, classes int) error {
	if classes > 0 && len(names) > 0 && len(names) != classes {
		return fmt.Errorf("%d class_names for %d classes", len(names), classes)
	}
	seen := make(map[string]bool, len(names))
	for i, name := range names {
		if name == "" || seen[name] {
			return fmt.Errorf("class_names: %.40q of class %d is empty or the name of another",
				name, i)
		}
		seen[name] = true
	}
	return nil
}

// Unsupported is the error for a file that a library can write but that is not read: a sentence
// that names the kind of file and a way out. It wraps errors.ErrUnsupported.
type Unsupported string

// NoTrees is the error for boosted trees of no round.
const NoTrees = Unsupported("no trees: every row has the same output, which no change of it " +
	"alters; train for one round at least")

func (u Unsupported) Error() string { return string(u) }
func (u Unsupported) Unwrap() error { return errors.ErrUnsupported }
