package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
)

// modelFile is a model trained elsewhere.
type modelFile struct {
	path    string
	model   *classifier.Ensemble
	classes []float64 // the labels that the file lists
}

// readModel reads the file of a model of scikit-learn, XGBoost or LightGBM.
func readModel(path string) (*modelFile, error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("-model %s: neither knn, tree nor forest, and there is no such file", path)
	}
	if err != nil {
		return nil, fmt.Errorf("-model: %w", err)
	}
	defer f.Close()
	e, err := classifier.ReadModel(f)
	if err != nil {
		return nil, fmt.Errorf("-model %s: %w", path, err)
	}
	return &modelFile{path: path, model: e, classes: e.ClassValues()}, nil
}

// dim returns the number of features of the model.
func (m *modelFile) dim() int { return m.model.Dim() }

// widen lets the trees take rows with more features than they were trained on, which
// LIBSVM files may have; they never look at them.
func (m *modelFile) widen(dim int, sources []dataset.Source) error {
	if dim == m.dim() {
		return nil
	}
	for _, source := range sources {
		if format, _ := dataset.FormatOf(source.Path); format != dataset.LIBSVM {
			return fmt.Errorf("%s has %d features, the model %s %d", source.Path, dim, m.path, m.dim())
		}
	}
	trees := make([]*classifier.Tree, m.model.Len())
	for i := range trees {
		tree := m.model.Tree(i)
		wide, err := classifier.NewTree(dim, tree.Comparison(), tree.Nodes())
		if err != nil {
			return err
		}
		trees[i] = wide
	}
	wide, err := classifier.NewEnsemble(trees, m.model.Options())
	if err != nil {
		return err
	}
	m.model = wide
	return nil
}
