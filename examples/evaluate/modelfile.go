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
	tree    *classifier.Tree
	classes []float64 // the labels that the file lists
}

// readModel reads the file of a scikit-learn tree.
func readModel(path string) (*modelFile, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("-model %s: neither knn nor tree, and there is no such file", path)
	}
	if err != nil {
		return nil, fmt.Errorf("-model: %w", err)
	}
	if kind := foreign(text); kind != "" {
		return nil, fmt.Errorf("-model %s: this version does not read %s, only a single scikit-learn tree", path, kind)
	}
	tree, err := classifier.ReadTree(bytes.NewReader(text))
	if errors.Is(err, errors.ErrUnsupported) {
		return nil, fmt.Errorf("-model %s: this version reads files of a single tree: %w", path, err)
	}
	if err != nil {
		return nil, fmt.Errorf("-model %s: %w", path, err)
	}
	return &modelFile{path, tree, tree.ClassValues()}, nil
}

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

// widen lets the tree take rows with more features than it was trained on, which
// LIBSVM files may have; it never looks at them.
func (m *modelFile) widen(dim int, sources []dataset.Source) error {
	if dim == m.tree.Dim() {
		return nil
	}
	for _, source := range sources {
		if format, _ := dataset.FormatOf(source.Path); format != dataset.LIBSVM {
			return fmt.Errorf("%s has %d features, the model %s %d", source.Path, dim, m.path, m.tree.Dim())
		}
	}
	tree, err := classifier.NewTree(dim, m.tree.Precision(), m.tree.Nodes())
	if err != nil {
		return err
	}
	m.tree = tree
	return nil
}
