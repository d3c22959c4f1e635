package subject

import (
	"errors"
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

// InFileUnits returns a subject whose rows are as they are in the files, and whose classifier
// labels each of them, and any other input, as the one of s labels it scaled. It exists for trees,
// whose thresholds can be moved without an error: the scaling never falls, so that what a test
// sends left is all up to some float64. The error is errors.ErrUnsupported for others.
func (s *Subject) InFileUnits() (*Subject, error) {
	if s.Scaling == nil {
		return s, nil
	}
	c, err := s.unscaled()
	if err != nil {
		return nil, err
	}
	data := *s.Data
	data.Scaling = nil
	for _, p := range []**Part{&data.Train, &data.Test} {
		if *p != nil {
			raw := **p
			raw.X = raw.Raw
			*p = &raw
		}
	}
	return &Subject{&data, c, s.Regressor}, nil
}

// unscaled returns the classifier of rows that are not scaled.
func (s *Subject) unscaled() (classifier.Classifier, error) {
	switch c := s.Classifier.(type) {
	case *classifier.Tree:
		return unscaledTree(c, s.Scaling)
	case *classifier.Ensemble:
		if c.Classes() != c.Tree(0).Classes() {
			return nil, errors.ErrUnsupported // the label says whether a probability is reached
		}
		if c.Categories() != nil {
			return nil, errors.New(
				"--scale minmax: the model has categories, whose codes cannot be scaled",
			)
		}
		trees := make([]*classifier.Tree, c.Len())
		for i := range trees {
			tree, err := unscaledTree(c.Tree(i), s.Scaling)
			if err != nil {
				return nil, err
			}
			trees[i] = tree
		}
		return classifier.NewEnsemble(trees, c.Options())
	}
	return nil, errors.ErrUnsupported
}

func unscaledTree(t *classifier.Tree, m *dataset.MinMax) (*classifier.Tree, error) {
	nodes := t.Nodes()
	for i := range nodes {
		n := &nodes[i]
		if n.Left < 0 || math.IsInf(n.Threshold, 1) {
			continue
		}
		last, ok := precise.Last(func(v float64) bool {
			return goesLeft(t.Comparison(), float64(v*m.Scale[n.Feature])+m.Shift[n.Feature],
				n.Threshold)
		})
		if !ok {
			return nil, fmt.Errorf("--scale minmax: threshold %v of feature %d lies beyond all "+
				"float64 in the units of the files", n.Threshold, n.Feature)
		}
		n.Threshold = last
	}
	return classifier.NewTree(t.Dim(), classifier.AtMostFloat64, nodes)
}

// goesLeft reports whether a test sends v left.
func goesLeft(c classifier.Comparison, v, threshold float64) bool {
	switch c {
	case classifier.AtMostFloat32:
		return float64(float32(v)) <= threshold
	case classifier.BelowFloat32:
		return float64(float32(v)) < threshold
	case classifier.BelowFloat64:
		return v < threshold
	}
	return v <= threshold
}
