package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
)

// modelFile is a model trained elsewhere.
type modelFile struct {
	path    string
	trees   []*classifier.Tree
	classes []float64 // the labels that the file lists
}

// readModel reads the file of a scikit-learn tree or forest.
func readModel(path string) (*modelFile, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("-model %s: neither knn, tree nor forest, and there is no such file", path)
	}
	if err != nil {
		return nil, fmt.Errorf("-model: %w", err)
	}
	if kind := foreign(text); kind != "" {
		return nil, fmt.Errorf("-model %s: this version does not read %s, only scikit-learn trees and forests", path, kind)
	}
	e, err := classifier.ReadEnsemble(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("-model %s: %w", path, err)
	}
	m := &modelFile{path: path, classes: e.ClassValues()}
	for i := range e.Len() {
		m.trees = append(m.trees, e.Tree(i))
	}
	return m, nil
}

// classifier returns the tree, or the vote of the trees.
func (m *modelFile) classifier() (classifier.Classifier, error) {
	if len(m.trees) == 1 {
		return m.trees[0], nil
	}
	return classifier.NewEnsemble(m.trees, classifier.EnsembleOptions{})
}

// dim returns the number of features of the model.
func (m *modelFile) dim() int { return m.trees[0].Dim() }

// foreign names the kind of a model file that is known but not read.
func foreign(text []byte) string {
	if bytes.HasPrefix(text, []byte("tree\n")) || bytes.HasPrefix(text, []byte("tree\r\n")) {
		return "LightGBM models"
	}
	var keys struct {
		Learner json.RawMessage `json:"learner"`
	}
	if json.Unmarshal(text, &keys) == nil && keys.Learner != nil {
		return "XGBoost models"
	}
	return ""
}

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
	for i, tree := range m.trees {
		wide, err := classifier.NewTree(dim, tree.Comparison(), tree.Nodes())
		if err != nil {
			return err
		}
		m.trees[i] = wide
	}
	return nil
}
