package main

import (
	"context"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/experiment"
	"github.com/seed-1a7dc1f9/facet/examples/internal/printed"
	"github.com/seed-1a7dc1f9/facet/internal/dataset/protocol"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// equallyNear attacks as another attack does, and then moves the example to another one
// at the same distance: feature by feature towards where toward says, as far as the
// label lets it.
type equallyNear struct {
	attack.Attack
	classifier classifier.Classifier
	toward     func(x, z float64, j int) float64 // feature j of the row and of the example
}

func (a equallyNear) Perturb(ctx context.Context, x []float64) (attack.Result, error) {
	r, err := a.Attack.Perturb(ctx, x)
	if err != nil || r.Example == nil {
		return r, err
	}
	z := r.Example
	for j, v := range z {
		good := v
		goal := min(max(a.toward(x[j], v, j), x[j]-r.Distance), x[j]+r.Distance)
		for step := 1.0; step > 1.0/256; step /= 2 {
			z[j] = good + step*(goal-good)
			if a.classifier.Predict(z) == r.Label {
				good = z[j]
			}
			if good == goal {
				break
			}
		}
		z[j] = good
	}
	return r, nil
}

// choices are rules by which one of equally near examples is taken: ours, and those that move
// features to 0, to 1, to the middle, as far up or down as can be, or up and down in turn.
func choices() []func(x, z float64, j int) float64 {
	return []func(x, z float64, j int) float64{
		nil,
		func(_, _ float64, _ int) float64 { return 0 },
		func(_, _ float64, _ int) float64 { return 1 },
		func(_, _ float64, _ int) float64 { return .5 },
		func(x, _ float64, _ int) float64 { return x + 2 },
		func(x, _ float64, _ int) float64 { return x - 2 },
		func(x, _ float64, j int) float64 { return x + 2 - 4*float64(j%2) },
	}
}

// trainedNear is the defscore of adversarial training on examples that a choice moves; nil
// leaves them where they are.
func trainedNear(
	t *testing.T, lab *experiment.Lab, set string, c experiment.Classifier,
	toward func(x, z float64, j int) float64,
) float64 {
	t.Helper()
	s, err := lab.Set(t.Context(), set)
	if err != nil {
		t.Fatal(err)
	}
	undefended, err := lab.Robustness(t.Context(), measured(c, experiment.Defence{}).on(set))
	if err != nil {
		t.Fatal(err)
	}
	trainer, options := trainerOf(c)
	at := attack.AdversarialTraining{
		Trainer: trainer, Radius: strength,
		Attack: func(c classifier.Classifier, x mat.Matrix, y []int) (attack.Attack, error) {
			var a attack.Attack = &attack.RegionBased{Classifier: c, Options: options, Points: x}
			if toward != nil {
				a = equallyNear{a, c, toward}
			}
			return a, nil
		},
	}
	x, y, err := at.Augment(t.Context(), s.Train, s.TrainY)
	if err != nil {
		t.Fatal(err)
	}
	m, err := trainer(t.Context(), x, y)
	if err != nil {
		t.Fatal(err)
	}
	correct := make([]bool, len(s.TestY))
	for i, y := range s.TestY {
		correct[i] = m.Predict(s.Test.RawRowView(i)) == y
	}
	rows, err := s.Attacked(correct)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	rba := &attack.RegionBased{Classifier: m, Options: options, Points: x}
	for _, i := range rows {
		r, err := rba.Perturb(t.Context(), s.Test.RawRowView(i))
		if err != nil {
			t.Fatal(err)
		}
		sum += r.Distance
	}
	return printed.Thousandths(sum/float64(len(rows))) / printed.Thousandths(undefended)
}

// trainerOf returns the trainer of a classifier and its attack.
func trainerOf(c experiment.Classifier) (classifier.Trainer, attack.Options) {
	options := attack.Options{Mode: attack.Approx, Workers: 1}
	switch c {
	case experiment.OneNN:
		return classifier.TrainerOf(classifier.TrainKNN, classifier.KNNOptions{K: 1}),
			attack.Options{Workers: 1}
	case experiment.ThreeNN:
		return classifier.TrainerOf(classifier.TrainKNN, classifier.KNNOptions{K: 3}), options
	}
	options.Regions = 100
	forest := classifier.ForestOptions{TreeOptions: classifier.TreeOptions{MaxDepth: 5}}
	return classifier.TrainerOf(classifier.TrainForest, forest), options
}

// TestEquallyNear computes the ranges of the cells of adversarial training: which of equally
// near examples is added decides them.
func TestEquallyNear(t *testing.T) {
	t.Parallel()
	if racetest.Enabled {
		return
	}
	fixture.Open(t, "fourclass")
	lab, err := experiment.New(experiment.Options{Folders: protocol.Folders()})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range rangesOf("nearest")[:racetest.Count(1, len(rangesOf("nearest")))] {
		name, _, _ := strings.Cut(want.columns[0], "_")
		least, largest := math.Inf(1), 0.0
		for _, toward := range choices() {
			v := trainedNear(t, lab, want.set, experiment.Classifier(name), toward)
			least, largest = min(least, v), max(largest, v)
		}
		checkRange(t, want, least, largest)
	}
}
