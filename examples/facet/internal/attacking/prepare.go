package attacking

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/baseline"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/facet/internal/subject"
	"github.com/seed-1a7dc1f9/facet/metrics"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// evaluation is what is known before the first attack.
type evaluation struct {
	*settings
	data      *subject.Subject
	record    record
	attack    attack.Attack
	predicted []int // of each test row
	accuracy  float64
	rows      []int // to attack, in this order
}

// prepare reads the files, trains and chooses the rows.
func prepare(ctx context.Context, s *settings, stderr io.Writer) (*evaluation, error) {
	e := &evaluation{settings: s}
	var err error
	if e.data, err = s.Load(ctx, stderr); err != nil {
		return nil, err
	}
	if e.predicted, err = metrics.Predict(ctx, e.data.Classifier, e.data.Test.Matrix()); err != nil {
		return nil, err
	}
	correct := 0
	for i, label := range e.predicted {
		if label == e.data.Test.Y[i] {
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

// buildAttack checks what the attack needs and chooses its rows.
func (e *evaluation) buildAttack(ctx context.Context) error {
	var target *int
	if e.target != "" {
		class, known := e.data.Classes.Class(strings.TrimSpace(e.target))
		if !known || class >= e.data.Classifier.Classes() {
			return fmt.Errorf("--target %s is no label of the classifier; there are %v", e.target, e.data.Classes.Labels())
		}
		target = &class
	}
	var err error
	if e.baseline() {
		e.attack, err = e.buildBaseline(target)
	} else {
		e.attack = e.regionBased(e.data.Data, e.data.Classifier, target)
	}
	if err != nil {
		return err
	}
	return e.chooseRows(ctx, target)
}

// regionBased attacks c, exactly unless --attack approx is given.
func (s *settings) regionBased(d *subject.Data, c classifier.Classifier, target *int) attack.Attack {
	a := &attack.RegionBased{
		Classifier: c,
		Options:    attack.Options{Norm: s.Norm, Target: target, Workers: 1, Solver: s.solver, Timeout: s.timeout, Regions: s.regions},
	}
	if s.attackName == "approx" {
		a.Mode, a.Points = attack.Approx, d.Train.Matrix()
	}
	if s.domain != nil {
		a.Domain = polytope.Cube(c.Dim(), s.domain.Lo, s.domain.Hi)
	}
	return a
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
