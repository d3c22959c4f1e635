package experiment

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/protocol"
	"github.com/seed-1a7dc1f9/facet/prune"
)

// ErrName is returned for a classifier, defence or attack that there is not, or
// that does not go with the others.
var ErrName = errors.New("no such experiment")

// depth is that of the paper's trees and forests.
const depth = 5

// Model is a trained classifier and the rows it was trained on.
type Model struct {
	Classifier classifier.Classifier
	X          *mat.Dense
	Y          []int
}

// Model trains a subject. It remembers models, but keeps them in no file.
func (l *Lab) Model(ctx context.Context, s Subject) (*Model, error) {
	if m := l.models[s]; m != nil {
		return m, nil
	}
	m, err := l.train(ctx, s)
	if err != nil {
		return nil, fmt.Errorf("%v: %w", s, err)
	}
	l.models[s] = m
	return m, nil
}

func (l *Lab) train(ctx context.Context, s Subject) (*Model, error) {
	set, err := l.set(s.Set)
	if err != nil {
		return nil, err
	}
	trainer, err := l.trainer(s)
	if err != nil {
		return nil, err
	}
	m := &Model{X: set.Train, Y: set.TrainY}
	pruner, err := s.pruner()
	if err != nil {
		return nil, err
	}
	if pruner != nil {
		keep, err := pruner.Prune(ctx, m.X, m.Y)
		if err != nil {
			return nil, err
		}
		m.X, m.Y = protocol.Select(m.X, m.Y, keep)
	}
	m.Classifier, err = trainer.Train(ctx, m.X, m.Y)
	return m, err
}

// trainer returns what trains the subject's classifier.
func (l *Lab) trainer(s Subject) (classifier.Trainer, error) {
	tree := classifier.TreeOptions{MaxDepth: depth}
	switch s.Classifier {
	case OneNN:
		return classifier.KNNOptions{K: 1}, nil
	case ThreeNN:
		return classifier.KNNOptions{K: 3}, nil
	case Tree:
		return tree, nil
	case Forest:
		return classifier.ForestOptions{TreeOptions: tree, Workers: l.options.Workers}, nil
	}
	return nil, fmt.Errorf("%w: classifier %q", ErrName, s.Classifier)
}

// pruner returns what prunes the subject's training set, nil if nothing does. Rows
// conflict at the separation, twice the radius of the paper's text.
func (s Subject) pruner() (prune.Pruner, error) {
	switch d := s.Defence; d.Method {
	case None:
		return nil, nil
	case Pruning:
		return prune.Adversarial{Radius: d.Strength / 2}, nil
	case WJC:
		if s.Classifier == OneNN {
			return prune.WJC{Radius: d.Strength / 2, AsPrinted: true}, nil
		}
	}
	return nil, fmt.Errorf("%w: defence %q of %q", ErrName, s.Defence.Method, s.Classifier)
}
