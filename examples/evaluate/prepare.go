package main

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/baseline"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/metrics"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// evaluation is what is known before the first attack.
type evaluation struct {
	*settings
	data       *data
	record     record
	classifier classifier.Classifier
	attack     attack.Attack
	predicted  []int // of each test row
	accuracy   float64
	rows       []int // to attack, in this order
}

// prepare reads the files, trains and chooses the rows.
func prepare(ctx context.Context, s *settings) (*evaluation, error) {
	e := &evaluation{settings: s}
	var m *modelFile
	var err error
	if s.modelIsFile() {
		if m, err = readModel(ctx, s.model, dataset.Limits{Values: s.maxValues}); err != nil {
			return nil, err
		}
	}
	if e.data, err = loadData(ctx, s, m); err != nil {
		return nil, err
	}
	if e.classifier, err = e.build(ctx, m); err != nil {
		return nil, err
	}
	if e.predicted, err = metrics.Predict(ctx, e.classifier, e.data.test.matrix()); err != nil {
		return nil, err
	}
	correct := 0
	for i, label := range e.predicted {
		if label == e.data.test.y[i] {
			correct++
		}
	}
	e.accuracy = float64(correct) / float64(len(e.predicted))
	if err := e.buildAttack(ctx); err != nil {
		return nil, err
	}
	if e.record, err = newRecord(s); err != nil {
		return nil, err
	}
	return e, ctx.Err()
}

// build returns the classifier: the one read, or one trained.
func (e *evaluation) build(ctx context.Context, m *modelFile) (classifier.Classifier, error) {
	if m != nil {
		return m.Classifier, nil
	}
	trainer := e.trainer()
	if e.adversarial > 0 {
		if err := e.augment(ctx, trainer); err != nil {
			return nil, fmt.Errorf("-adversarial-training: %w", err)
		}
	}
	c, err := trainer.Train(ctx, e.data.train.matrix(), e.data.train.y)
	if err != nil {
		return nil, fmt.Errorf("-model %s: %w", e.model, err)
	}
	return c, nil
}

func (e *evaluation) trainer() classifier.Trainer {
	tree := classifier.TreeOptions{Criterion: e.criterion, MaxDepth: e.depth, Seed: e.seed, Robust: e.robust}
	switch e.model {
	case "tree":
		return tree
	case "forest":
		return classifier.ForestOptions{TreeOptions: tree, Trees: e.trees, Workers: e.workers}
	case "oblique":
		return classifier.ObliqueOptions{Criterion: e.criterion, Trees: e.trees, MaxDepth: e.depth, Seed: e.seed, Workers: e.workers}
	}
	if e.weighted() {
		return classifier.WeightedKNNOptions{K: e.k}
	}
	return classifier.KNNOptions{K: e.k}
}

// augment adds the adversarial examples of the training rows to them.
func (e *evaluation) augment(ctx context.Context, trainer classifier.Trainer) error {
	training := attack.AdversarialTraining{
		Trainer: trainer, Radius: e.adversarial, Norm: e.norm, Workers: e.workers,
		Attack: func(c classifier.Classifier, _ mat.Matrix, _ []int) (attack.Attack, error) {
			return e.regionBased(c, nil), nil
		},
	}
	x, y, err := training.Augment(ctx, e.data.train.matrix(), e.data.train.y)
	if err != nil {
		return err
	}
	e.data.train = &part{&dataset.Set{Rows: len(y), Dim: e.data.train.Dim, Data: x.RawMatrix().Data}, y}
	return nil
}

// buildAttack checks what the attack needs and chooses its rows.
func (e *evaluation) buildAttack(ctx context.Context) error {
	var target *int
	if e.target != nil {
		class, err := e.targetClass()
		if err != nil {
			return err
		}
		target = &class
	}
	var err error
	if e.baseline() {
		e.attack, err = e.buildBaseline(target)
	} else {
		e.attack = e.regionBased(e.classifier, target)
	}
	if err != nil {
		return err
	}
	return e.chooseRows(ctx, target)
}

// regionBased attacks c, exactly unless -attack approx is given.
func (e *evaluation) regionBased(c classifier.Classifier, target *int) attack.Attack {
	a := &attack.RegionBased{
		Classifier: c,
		Options:    attack.Options{Norm: e.norm, Target: target, Workers: 1, Solver: e.solver, Timeout: e.timeout, Regions: e.regions},
	}
	if e.attackName == "approx" {
		a.Mode, a.Points = attack.Approx, e.data.train.matrix()
	}
	if e.domain != nil {
		a.Domain = polytope.Cube(c.Dim(), e.domain.Lo, e.domain.Hi)
	}
	return a
}

// targetClass returns the class of -target.
func (e *evaluation) targetClass() (int, error) {
	known := e.data.classes[:min(len(e.data.classes), e.classifier.Classes())]
	if class := slices.Index(known, *e.target); class >= 0 {
		return class, nil
	}
	return 0, fmt.Errorf("-target %v is no label of the classifier; there are %v", *e.target, e.data.classes)
}

// buildBaseline returns an attack that the paper compares with.
func (e *evaluation) buildBaseline(target *int) (attack.Attack, error) {
	switch e.attackName {
	case "direct":
		return &baseline.Direct{Classifier: e.classifier, Norm: e.norm, Target: target, Points: e.data.train.matrix(), Labels: e.data.train.y}, nil
	case "kernel":
		return &baseline.Kernel{Classifier: e.classifier, Norm: e.norm, Target: target, Points: e.data.train.matrix(), Labels: e.data.train.y}, nil
	case "blackbox":
		return &baseline.BlackBox{Classifier: e.classifier, Norm: e.norm, Target: target, Seed: uint64(e.seed)}, nil
	}
	tree, ok := e.singleTree()
	if !ok {
		return nil, fmt.Errorf("-attack papernot searches a single tree, not -model %s", e.model)
	}
	return &baseline.Papernot{Classifier: tree, Norm: e.norm, Target: target}, nil
}

// singleTree returns the classifier if it is a tree, or a model file with one.
func (e *evaluation) singleTree() (*classifier.Tree, bool) {
	switch c := e.classifier.(type) {
	case *classifier.Tree:
		return c, true
	case *classifier.Ensemble:
		if c.Len() == 1 && c.Options().Vote == classifier.SoftVote {
			return c.Tree(0), true
		}
	}
	return nil, false
}
