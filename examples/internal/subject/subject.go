package subject

import (
	"context"
	"fmt"
	"io"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/progress"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
	"github.com/seed-1a7dc1f9/facet/prune"
)

// Subject is a classifier and the rows it is tried on.
type Subject struct {
	*Data
	Classifier classifier.Classifier
	Regressor  *classifier.Regressor // that the classifier is made of; nil if it is not
}

// Load reads the files that the flags name and trains the classifier, unless it is read too. What
// takes long shows its progress on stderr.
func (s *Flags) Load(ctx context.Context, stderr io.Writer) (*Subject, error) {
	var m *Model
	var err error
	if s.ModelIsFile() {
		if m, err = s.readModel(ctx); err != nil {
			return nil, err
		}
	}
	d, err := s.Read(ctx, m, stderr)
	if err != nil {
		return nil, err
	}
	if err := s.tune(ctx, d, stderr); err != nil {
		return nil, err
	}
	if err := s.pruneRows(ctx, d, stderr); err != nil {
		return nil, err
	}
	if m != nil && s.Scale == "minmax" {
		s.noteScale(m, d)
	}
	s.SayNotes(stderr)
	if m != nil {
		return &Subject{d, m.Classifier, m.regressor}, s.takes(m.Classifier, d.Test)
	}
	c, err := s.train(ctx, d, stderr)
	if err != nil {
		return nil, err
	}
	return &Subject{d, c, nil}, nil
}

// pruneRows leaves the training rows that adversarial pruning keeps. Without --prune all stay.
func (s *Flags) pruneRows(ctx context.Context, d *Data, stderr io.Writer) error {
	if s.Prune == 0 {
		return nil
	}
	defer progress.Busy(stderr, "pruning")()
	keep, err := s.Pruner().Prune(ctx, d.Train.Matrix(), d.Train.Y)
	if err != nil {
		return fmt.Errorf("--prune: %w", err)
	}
	d.Train = d.Train.Select(keep)
	if first := d.Train.Y[0]; len(d.Classes.Labels()) > 1 &&
		!slices.ContainsFunc(d.Train.Y, func(y int) bool { return y != first }) {
		s.note(
			fmt.Sprintf("--prune %v leaves rows of one label only, %v: no input gets another one.",
				s.Prune, d.Train.Labels[0]),
		)
	}
	return nil
}

// Pruner is the pruning that --prune asks for.
func (s *Flags) Pruner() prune.Adversarial {
	return prune.Adversarial{Radius: s.Prune, Norm: s.Norm, Local: s.Local}
}

func (s *Flags) train(
	ctx context.Context, d *Data, stderr io.Writer,
) (classifier.Classifier, error) {
	defer progress.Busy(stderr, "training")()
	trainer := s.trainer()
	if s.Adversarial > 0 {
		if err := s.augment(ctx, d, trainer); err != nil {
			return nil, fmt.Errorf("--adversarial-training: %w", err)
		}
	}
	c, err := trainer(ctx, d.Train.Matrix(), d.Train.Y)
	if err != nil {
		return nil, fmt.Errorf("--model %s: %w", s.Model, err)
	}
	return c, nil
}

func (s *Flags) trainer() classifier.Trainer {
	switch s.Model {
	case "tree", "forest":
		return s.ofTrees(s.tree())
	case "boosted":
		return classifier.TrainerOf(classifier.TrainBoosted, s.boosted())
	case "oblique":
		return classifier.TrainerOf(classifier.TrainOblique, classifier.ObliqueOptions{
			Gini:     s.Criterion == "gini",
			Trees:    s.Trees,
			MaxDepth: s.Depth,
			Seed:     s.Seed,
			Workers:  s.Workers,
		})
	}
	if s.weighted() {
		return classifier.TrainerOf(classifier.TrainWeightedKNN, classifier.KNNOptions{K: s.K})
	}
	return classifier.TrainerOf(classifier.TrainKNN, classifier.KNNOptions{K: s.K})
}

func (s *Flags) tree() classifier.TreeOptions {
	return classifier.TreeOptions{
		Gini:      s.Criterion == "gini",
		MaxDepth:  s.Depth,
		MinLeaf:   s.minLeaf,
		Seed:      s.Seed,
		Robust:    s.Robust,
		WholeTree: s.whole,
	}
}

// ofTrees returns the training of a tree, or of a forest, with these options.
func (s *Flags) ofTrees(o classifier.TreeOptions) classifier.Trainer {
	if s.Model == "tree" {
		return classifier.TrainerOf(classifier.TrainTree, o)
	}
	return classifier.TrainerOf(classifier.TrainForest,
		classifier.ForestOptions{TreeOptions: o, Trees: s.Trees, Workers: s.Workers})
}

// augment adds the adversarial examples of the training rows to them.
func (s *Flags) augment(ctx context.Context, d *Data, trainer classifier.Trainer) error {
	training := attack.AdversarialTraining{
		Trainer: trainer,
		Radius:  s.Adversarial,
		Norm:    s.Norm,
		Workers: s.Workers,
	}
	if s.Attack != nil {
		training.Attack = func(
			c classifier.Classifier, _ mat.Matrix, _ []int,
		) (attack.Attack, error) {
			return s.Attack(d, c)
		}
	}
	x, y, err := training.Augment(ctx, d.Train.Matrix(), d.Train.Y)
	if err != nil {
		return err
	}
	// Examples are in no file, so these rows have no raw form of their own.
	rows := x.RawMatrix().Data
	augmented := &Part{
		Table: &tabular.Table{Path: d.Train.Path, X: rows, Rows: len(y), Dim: d.Train.Dim},
		X:     rows, Y: y,
	}
	labels := d.Classes.Labels()
	for _, class := range y {
		augmented.Labels = append(augmented.Labels, labels[class])
	}
	d.Train = augmented
	return nil
}
