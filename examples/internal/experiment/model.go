package experiment

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/robustsplit"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/prune"
)

// ErrName is returned for a classifier, defence or attack that there is not, or
// that does not go with the others.
var ErrName = errors.New("no such experiment")

// ErrLeftOut is returned for parts that Options leave out.
var ErrLeftOut = errors.New("left out")

// depth is that of the paper's trees and forests.
const depth = 5

// Model is a trained classifier and the rows it was trained on.
type Model struct {
	Classifier classifier.Classifier
	X          *mat.Dense
	Y          []int

	norm polytope.Norm // of attacks
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
	set, err := l.set(ctx, s.Set)
	if err != nil {
		return nil, err
	}
	slow := s.Defence.Method == Adversarial && s.Classifier == ThreeNN
	if slow && len(set.TrainY) >= largeSet && !l.options.Large {
		return nil, ErrLeftOut
	}
	trainer, err := l.trainer(s, depth, set.Seed)
	if err != nil {
		return nil, err
	}
	m := &Model{norm: l.options.Norm}
	if m.X, m.Y, err = l.defend(ctx, s, set); err != nil {
		return nil, err
	}
	m.Classifier, err = trainer(ctx, m.X, m.Y)
	return m, err
}

// trainer returns the trainer of the subject's classifier; trees have the depth, 0 for any.
func (l *Lab) trainer(s Subject, depth int, seed uint32) (classifier.Trainer, error) {
	tree := classifier.TreeOptions{MaxDepth: depth, Seed: seed}
	printed := robustsplit.Options{MaxDepth: depth, Epsilon: s.Defence.Strength, Seed: seed}
	split := s.Defence.Method == Splitting || s.Defence.Method == Hybrid
	if split {
		tree.Robust, tree.Chen = s.Defence.Strength, true
	}
	switch s.Classifier {
	case OneNN:
		return classifier.TrainerOf(classifier.TrainKNN, classifier.KNNOptions{K: 1}), nil
	case ThreeNN:
		return classifier.TrainerOf(classifier.TrainKNN, classifier.KNNOptions{K: 3}), nil
	case Tree:
		if split && s.Defence.AsPrinted {
			return printed.Train, nil
		}
		return classifier.TrainerOf(classifier.TrainTree, tree), nil
	case Forest:
		if split && s.Defence.AsPrinted {
			printed.Trees, printed.Workers = 100, l.options.Workers
			return printed.Train, nil
		}
		return classifier.TrainerOf(classifier.TrainForest,
			classifier.ForestOptions{TreeOptions: tree, Workers: l.options.Workers}), nil
	}
	return nil, fmt.Errorf("%w: classifier %q", ErrName, s.Classifier)
}

// defend returns the rows to train on. Rows conflict at the separation, twice the
// radius of the paper's text.
func (l *Lab) defend(
	ctx context.Context, s Subject, set *set,
) (*mat.Dense, []int, error) {
	x, y := set.Train, set.TrainY
	neighbours := s.Classifier == OneNN || s.Classifier == ThreeNN
	switch r := s.Defence.Strength; {
	case s.Defence.Method == None, s.Defence.Method == Splitting && !neighbours:
		return x, y, nil
	case s.Defence.Method == Pruning, s.Defence.Method == Hybrid && !neighbours:
		return keep(ctx, prune.Adversarial{Radius: r / 2, Norm: l.options.Norm}, x, y)
	case s.Defence.Method == WJC && s.Classifier == OneNN:
		return keep(ctx, wjc{radius: r / 2, norm: l.options.Norm}, x, y)
	case s.Defence.Method == Adversarial:
		training, err := l.training(s, set.Seed)
		if err != nil {
			return nil, nil, err
		}
		return training.Augment(ctx, x, y)
	}
	return nil, nil, fmt.Errorf("%w: defence %q of %q", ErrName, s.Defence.Method, s.Classifier)
}

func keep(ctx context.Context, p prune.Pruner, x *mat.Dense, y []int) (*mat.Dense, []int, error) {
	rows, err := p.Prune(ctx, x, y)
	if err != nil {
		return nil, nil, err
	}
	return prune.Select(x, y, rows)
}

// largeSet is a number of training rows from which on the paper trains 1-NN
// adversarially with the approximate attack.
const largeSet = 10000

// training is adversarial training with the attack that measures the classifier. As in
// the paper's code the tree that is attacked is of unlimited depth.
func (l *Lab) training(s Subject, seed uint32) (attack.AdversarialTraining, error) {
	attacked := depth
	if s.Classifier == Tree {
		attacked = 0
	}
	trainer, err := l.trainer(s, attacked, seed)
	return attack.AdversarialTraining{
		Trainer: trainer,
		Radius:  s.Defence.Strength,
		Norm:    l.options.Norm,
		Workers: l.options.Workers,
		Attack: func(c classifier.Classifier, x mat.Matrix, y []int) (attack.Attack, error) {
			tree, ok := c.(*classifier.Tree)
			if ok && s.Defence.AsPrinted {
				return newVertex(tree), nil
			}
			run := Run{Subject: s, Attack: Usual(s.Classifier)}
			if s.Classifier == OneNN && len(y) >= largeSet {
				run.Attack = RBAApprox
			}
			m := &Model{Classifier: c, X: mat.DenseCopyOf(x), norm: l.options.Norm}
			return m.attack(run)
		},
	}, err
}
