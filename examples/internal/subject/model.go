package subject

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
)

// Model is a model that was read, not trained here.
type Model struct {
	path    string
	sum     string // SHA-256
	classes *tabular.Classes
	classifier.Classifier
	regressor *classifier.Regressor // that the classifier is made of, if it is
}

// readModel reads the file of --model in any of the formats that classifier.Read knows.
func (s *Flags) readModel(ctx context.Context) (*Model, error) {
	path, limits := s.Model, dataset.Limits{Values: s.MaxValues}
	text, err := ReadAll(ctx, path, limits)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("--model %s: neither knn, tree, forest nor oblique, and there is no such file", path)
	}
	if err != nil {
		return nil, fmt.Errorf("--model: %w", err)
	}
	m := &Model{path: path, sum: fmt.Sprintf("%x", sha256.Sum256(text))}
	if s.Asks() {
		m.regressor, m.Classifier, m.classes, err = s.Regression.read(text)
	} else if m.Classifier, err = classifier.Read(bytes.NewReader(text)); err == nil {
		m.classes, err = ClassesOf(m.Classifier)
	}
	if err != nil {
		return nil, fmt.Errorf("--model %s: %w", path, err)
	}
	return m, nil
}

// ReadAll reads a file within the limits.
func ReadAll(ctx context.Context, path string, limits dataset.Limits) ([]byte, error) {
	text, err := unlessEnded(ctx, func() ([]byte, error) {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return io.ReadAll(dataset.Guard(ctx, f, limits))
	})
	if errors.Is(err, dataset.ErrLimit) {
		return nil, fmt.Errorf("%s: %w; --max-values raises the limit", path, err)
	}
	return text, err
}

// ClassesOf returns the labels that a model lists, or the numbers of its classes.
func ClassesOf(c classifier.Classifier) (*tabular.Classes, error) {
	if named, ok := c.(interface{ ClassNames() []string }); ok {
		if names := named.ClassNames(); names != nil {
			return tabular.Named(names)
		}
	}
	var values []float64
	if labelled, ok := c.(interface{ ClassValues() []float64 }); ok {
		values = labelled.ClassValues()
	}
	for class := len(values); class < c.Classes(); class++ {
		values = append(values, float64(class))
	}
	return tabular.Numbered(values)
}

// features are those that the model takes.
func (m *Model) features() tabular.Model {
	f := tabular.Model{Dim: m.Dim()}
	if named, ok := m.Classifier.(interface{ FeatureNames() []string }); ok {
		f.Names = named.FeatureNames()
	}
	return f
}

// widen lets the trees take rows with more features than they were trained on, which
// LIBSVM files may have; they never look at them.
func (m *Model) widen(dim int) error {
	if dim == m.Dim() {
		return nil
	}
	model, ok := m.Classifier.(*classifier.Ensemble)
	if !ok {
		return fmt.Errorf("the rows have %d features, the model %s %d", dim, m.path, m.Dim())
	}
	trees := make([]*classifier.Tree, model.Len())
	for i := range trees {
		tree := model.Tree(i)
		wide, err := classifier.NewTree(dim, tree.Comparison(), tree.Nodes())
		if err != nil {
			return err
		}
		trees[i] = wide
	}
	wide, err := classifier.NewEnsemble(trees, model.Options())
	if err != nil {
		return err
	}
	m.Classifier = wide
	return nil
}
