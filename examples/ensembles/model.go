package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/internal/protocol"
)

// build returns the ensemble: one trained, or the one read.
func (s *settings) build(ctx context.Context, d *protocol.Set) (*classifier.Ensemble, error) {
	if s.model != "forest" {
		return s.read(ctx, d)
	}
	e, err := classifier.TrainForest(ctx, d.Train, d.TrainY, classifier.ForestOptions{
		TreeOptions: classifier.TreeOptions{MaxDepth: s.depth},
		Trees:       s.trees,
		Workers:     s.Workers,
	})
	if err != nil {
		return nil, fmt.Errorf("--model forest: %w", err)
	}
	return e, nil
}

// read reads a model and checks that it fits the rows.
func (s *settings) read(ctx context.Context, d *protocol.Set) (*classifier.Ensemble, error) {
	f, err := os.Open(s.model)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("--model %s: neither forest nor the name of a file", s.model)
	}
	if err != nil {
		return nil, fmt.Errorf("--model: %w", err)
	}
	defer f.Close()
	c, err := classifier.Read(dataset.Guard(ctx, f, dataset.Limits{}))
	if err != nil {
		return nil, fmt.Errorf("--model %s: %w", s.model, err)
	}
	e, ok := c.(*classifier.Ensemble)
	if !ok {
		return nil, fmt.Errorf("--model %s is no ensemble of axis-parallel trees", s.model)
	}
	if _, features := d.Train.Dims(); e.Dim() != features || e.Classes() != 2 {
		return nil, fmt.Errorf("--model %s has %d features and %d classes, but %s has %d and 2: train it on the rows that --dump writes",
			s.model, e.Dim(), e.Classes(), s.Data, features)
	}
	return e, nil
}

// describe says what is attacked.
func (s *settings) describe(e *classifier.Ensemble) string {
	leaves := 0
	for i := range e.Len() {
		for _, n := range e.Tree(i).Nodes() {
			if n.Left < 0 {
				leaves++
			}
		}
	}
	if s.model != "forest" {
		return fmt.Sprintf("%s, %d trees with %d leaves", s.model, e.Len(), leaves)
	}
	return fmt.Sprintf("random forest, %d trees of depth ≤ %d with %d leaves", e.Len(), s.depth, leaves)
}
