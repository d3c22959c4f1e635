package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/prune"
)

// data are the rows the evaluation works on: scaled, pruned, augmented.
type data struct {
	classes []float64 // class c is the label classes[c]
	train   *part     // nil without -train
	test    *part
}

// part is a data set as matrix and classes.
type part struct {
	*dataset.Set
	y []int
}

// matrix returns the rows, which are not copied.
func (p *part) matrix() *mat.Dense { return mat.NewDense(p.Rows, p.Dim, p.Data) }

// loadData reads the files; m is nil for a model that is to be trained.
func loadData(ctx context.Context, s *settings, m *modelFile) (*data, error) {
	train, test, err := loadSets(ctx, s, m)
	if err != nil {
		return nil, err
	}
	if s.scale == "minmax" {
		if train, test, err = scale(train, test); err != nil {
			return nil, err
		}
	}
	d := new(data)
	if d.classes, err = chooseClasses(s, m, train, test); err != nil {
		return nil, err
	}
	if d.test, err = d.part(s.test, test); err != nil || train == nil {
		return d, err
	}
	if d.train, err = d.part(s.train, train); err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(d.test.y, func(label int) bool { return slices.Contains(d.train.y, label) }) {
		return nil, fmt.Errorf("no label of %s occurs in %s: are the labels where they should be (in CSV the last column)?", s.test, s.train)
	}
	return d, d.prune(ctx, s)
}

func (d *data) part(path string, set *dataset.Set) (*part, error) {
	y, err := dataset.ClassIndices(set.Labels, d.classes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &part{set, y}, nil
}

func loadSets(ctx context.Context, s *settings, m *modelFile) (train, test *dataset.Set, err error) {
	sources := []dataset.Source{{Path: s.test, Labels: s.testLabels}}
	if s.train != "" {
		sources = append(sources, dataset.Source{Path: s.train, Labels: s.trainLabels})
	}
	dim := 0
	if m != nil {
		dim = m.Dim()
	}
	sets, err := dataset.Load(ctx, dataset.Limits{Values: s.maxValues}, dim, sources...)
	if errors.Is(err, dataset.ErrLimit) {
		return nil, nil, fmt.Errorf("%w; -max-values raises the limit", err)
	}
	if err != nil {
		return nil, nil, err
	}
	if m != nil {
		if err := m.widen(sets[0].Dim, sources); err != nil {
			return nil, nil, err
		}
	}
	if s.train != "" {
		train = sets[1]
	}
	return train, sets[0], nil
}

func scale(train, test *dataset.Set) (scaledTrain, scaledTest *dataset.Set, err error) {
	scaling, err := dataset.FitMinMax(train)
	if err != nil {
		return nil, nil, fmt.Errorf("-scale minmax: %w", err)
	}
	if scaledTrain, err = scaling.Apply(train); err != nil {
		return nil, nil, fmt.Errorf("-scale minmax: training set: %w", err)
	}
	if scaledTest, err = scaling.Apply(test); err != nil {
		return nil, nil, fmt.Errorf("-scale minmax: test set: %w", err)
	}
	return scaledTrain, scaledTest, nil
}

// chooseClasses returns the labels of the classes: those a model lists, or those of -classes, or those
// of the files in ascending order.
func chooseClasses(s *settings, m *modelFile, train, test *dataset.Set) ([]float64, error) {
	if m != nil {
		if s.classes != nil {
			return nil, fmt.Errorf("-classes: %s lists the labels of its classes itself, %v", s.model, m.classes)
		}
		return m.classes, nil
	}
	if s.classes == nil {
		return dataset.Classes(train, test), nil
	}
	if _, err := dataset.ClassIndices(s.classes, s.classes); err != nil {
		return nil, fmt.Errorf("-classes: %w", err)
	}
	return s.classes, nil
}

// prune leaves the training rows that adversarial pruning keeps.
func (d *data) prune(ctx context.Context, s *settings) error {
	if s.prune == 0 {
		return nil
	}
	pruner := prune.Adversarial{Radius: s.prune, Norm: s.norm}
	keep, err := pruner.Prune(ctx, d.train.matrix(), d.train.y)
	if err != nil {
		return fmt.Errorf("-prune: %w", err)
	}
	d.train, err = d.part(s.train, d.train.Select(keep))
	return err
}
