package main

import (
	"fmt"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/baseline"
	"github.com/seed-1a7dc1f9/facet/classifier"
)

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
