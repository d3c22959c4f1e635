package attack_test

import (
	"errors"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
)

// TestQuorumsAgainstEnumeration compares distances of inputs that so many of up to six classifiers
// accept with those of all joint cells, under rules of moves.
func TestQuorumsAgainstEnumeration(t *testing.T) {
	t.Parallel()
	againstEnumeration(t, instance.DrawQuorums, 4700)
}

// TestCounterfactualsOfQuorums compares each answer with the nearest of all inputs that so many
// classifiers accept, and that do not change all that an earlier one changes.
func TestCounterfactualsOfQuorums(t *testing.T) {
	t.Parallel()
	counterfactualsOf(t, instance.DrawQuorums, 4702)
}

// TestQuorumsOfTrees: the nearest input is the one that so many accept, whichever they are.
func TestQuorumsOfTrees(t *testing.T) {
	x, one := []float64{0, 0}, 1
	var of []attack.Requirement
	for _, threshold := range []float64{5, 2, 9, 3} {
		of = append(of, attack.Requirement{Classifier: stump(t, threshold), Labels: []int{1}})
	}
	for least, want := range []float64{1: 2, 2: 3, 3: 5, 4: 9} {
		if least == 0 {
			continue
		}
		a := &attack.RegionBased{Classifier: stump(t, 1), Options: attack.Options{
			Target: &one, Also: []attack.Requirement{{Least: least, Of: of}},
		}}
		r, err := a.Perturb(t.Context(), x)
		if err != nil || r.Bound != want || !r.Optimal() {
			t.Errorf("at least %d of 4: %+v, %v, want an answer from %v on", least, r, err, want)
		}
		if robust, err := a.RobustAt(t.Context(), x, want-0.5); err != nil ||
			robust.Verdict(want-0.5) != attack.Holds {
			t.Errorf("at least %d of 4, within %v: %+v, %v", least, want-0.5, robust, err)
		}
	}
	a := &attack.RegionBased{Classifier: stump(t, 1), Options: attack.Options{
		Target: &one, Also: []attack.Requirement{{Least: 1, Of: of[:2]}, {Least: 1, Of: of[2:]}},
	}}
	if r, err := a.Perturb(t.Context(), x); err != nil || r.Bound != 3 || !r.Optimal() {
		t.Errorf("of two quorums: %+v, %v, want an answer from 3 on", r, err)
	}
	for _, least := range []int{-1, 0, 5} {
		a.Also = []attack.Requirement{{Least: least, Of: of}}
		instance.CheckRefused(t, a, x, classifier.ErrOption)
	}
	for _, wrong := range []attack.Requirement{
		{Least: 1, Of: of, Classifier: a.Classifier}, {Least: 1, Of: of, Labels: []int{1}},
		{Least: 1, Of: []attack.Requirement{{Least: 1, Of: of}}},
		{Least: 2, Classifier: a.Classifier, Labels: []int{1}},
	} {
		a.Also = []attack.Requirement{wrong}
		instance.CheckRefused(t, a, x, classifier.ErrOption)
	}
	a.Also = []attack.Requirement{{Least: 1, Of: []attack.Requirement{{Labels: []int{1}}}}}
	instance.CheckRefused(t, a, x, attack.ErrClassifier)
	a.Classifier = instance.Listed{Decomposable: stump(t, 1)}
	a.Also[0].Of = of
	instance.CheckRefused(t, a, x, errors.ErrUnsupported)
}
