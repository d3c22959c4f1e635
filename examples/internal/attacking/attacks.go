package attacking

import (
	"fmt"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/baseline"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/subject"
)

// regionBased attacks c, exactly unless --attack approx is given.
func (s *settings) regionBased(d *subject.Data, c classifier.Classifier, target *int) (*attack.RegionBased, error) {
	box, err := s.domain.scaled(d, c.Dim())
	if err != nil {
		return nil, err
	}
	a := &attack.RegionBased{
		Classifier: c,
		Options:    attack.Options{Norm: s.Norm, Target: target, Workers: 1, Solver: s.solver, Timeout: s.timeout, MaxNodes: s.maxNodes, Regions: s.regions, Domain: box},
	}
	if s.attackName == "approx" {
		a.Mode, a.Points = attack.Approx, d.Train.Matrix()
	}
	return a, nil
}

// buildBaseline returns an attack that the paper compares with.
func (e *evaluation) buildBaseline(target *int) (attack.Attack, error) {
	switch e.attackName {
	case "direct":
		return &baseline.Direct{Classifier: e.data.Classifier, Norm: e.Norm, Target: target, Points: e.data.Train.Matrix(), Labels: e.data.Train.Y}, nil
	case "kernel":
		return &baseline.Kernel{Classifier: e.data.Classifier, Norm: e.Norm, Target: target, Points: e.data.Train.Matrix(), Labels: e.data.Train.Y}, nil
	case "blackbox":
		return &baseline.BlackBox{Classifier: e.data.Classifier, Norm: e.Norm, Target: target, Seed: uint64(e.Seed)}, nil
	}
	tree, ok := e.singleTree()
	if !ok {
		return nil, fmt.Errorf("--attack papernot searches a single tree, not --model %s", e.Model)
	}
	return &baseline.Papernot{Classifier: tree, Norm: e.Norm, Target: target}, nil
}

// singleTree returns the classifier if it is a tree, or a model file with one.
func (e *evaluation) singleTree() (*classifier.Tree, bool) {
	switch c := e.data.Classifier.(type) {
	case *classifier.Tree:
		return c, true
	case *classifier.Ensemble:
		if c.Len() == 1 && c.Options().Vote == classifier.SoftVote {
			return c.Tree(0), true
		}
	}
	return nil, false
}
