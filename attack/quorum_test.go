package attack_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// TestQuorumsAgainstEnumeration compares distances of inputs that so many of up to six classifiers
// accept with those of all joint cells, under rules of moves.
func TestQuorumsAgainstEnumeration(t *testing.T) {
	t.Parallel()
	for k, kind := range instance.RuleKinds {
		if kind == "shares" { // which are refused
			continue
		}
		for _, norm := range instance.Measures() {
			t.Run(fmt.Sprintf("%s/norm=%v", kind, norm), func(t *testing.T) {
				t.Parallel()
				answered := 0
				n := racetest.Count(25, 500)
				for number := range uint64(n) {
					in := instance.DrawQuorums(t,
						rand.New(rand.NewPCG(number, uint64(4700+10*k)+uint64(norm))), kind, norm)
					truth := in.Nearest(func([]int) bool { return true })
					if truth < math.Inf(1) {
						answered++
					}
					checkRuled(t, in, number, truth)
				}
				if answered < n/10 && !racetest.Enabled { // which draws few
					t.Errorf("%d of %d instances have an answer", answered, n)
				}
			})
		}
	}
}

// TestCounterfactualsOfQuorums compares each answer with the nearest of all inputs that so many
// classifiers accept, and that do not change all that an earlier one changes.
func TestCounterfactualsOfQuorums(t *testing.T) {
	t.Parallel()
	several, n := 0, instance.Count(500, 20_000)
	for number := range uint64(n) {
		rng := rand.New(rand.NewPCG(number, 4702))
		kind := instance.RuleKinds[rng.IntN(len(instance.RuleKinds)-1)]
		in := instance.DrawQuorums(t, rng, kind, instance.Measures()[number%4])
		if checkCounterfactuals(t, in, number) > 1 {
			several++
		}
	}
	if several < n/50 && !racetest.Enabled {
		t.Errorf("%d of %d instances have several answers", several, n)
	}
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
			Target: &one, Quorums: []attack.Quorum{{Least: least, Of: of}},
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
		Target: &one, Quorums: []attack.Quorum{{Least: 1, Of: of[:2]}, {Least: 1, Of: of[2:]}},
	}}
	if r, err := a.Perturb(t.Context(), x); err != nil || r.Bound != 3 || !r.Optimal() {
		t.Errorf("of two quorums: %+v, %v, want an answer from 3 on", r, err)
	}
	for _, least := range []int{-1, 0, 5} {
		a.Quorums = []attack.Quorum{{Least: least, Of: of}}
		instance.CheckRefused(t, a, x, classifier.ErrOption)
	}
	a.Quorums = []attack.Quorum{{Least: 1, Of: []attack.Requirement{{Labels: []int{1}}}}}
	instance.CheckRefused(t, a, x, attack.ErrClassifier)
	a.Classifier = instance.Listed{Decomposable: stump(t, 1)}
	a.Quorums[0].Of = of
	instance.CheckRefused(t, a, x, errors.ErrUnsupported)
}
