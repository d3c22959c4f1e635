package attack_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// checked reads a proof about a classifier.
func checked(t *testing.T, c classifier.Classifier, text []byte) (claims []proof.Claim, err error) {
	t.Helper()
	n := saved(t, c)
	err = proof.Check(io.MultiReader(bytes.NewReader(n.head), bytes.NewReader(text)), n.model,
		func(c proof.Claim) error {
			claims = append(claims, c)
			return nil
		})
	return claims, err
}

// TestProofsOfRadiiUnderRules: the checker accepts a proof of a radius under prices.
func TestProofsOfRadiiUnderRules(t *testing.T) {
	proven := 0
	for number := range uint64(40) {
		in := instance.DrawRuled(t, rand.New(rand.NewPCG(number, 600)), "prices", polytope.L1)
		truth := in.Nearest(func([]int) bool { return true })
		radius := truth * 0.9
		if !(radius > 1e-6) || math.IsInf(radius, 1) {
			continue
		}
		a := &attack.RegionBased{Classifier: in.C, Options: in.Options()}
		var text bytes.Buffer
		robust, err := instance.ProveRobustAt(t.Context(), a, in.X, radius, &text)
		if errors.Is(err, errors.ErrUnsupported) {
			continue
		}
		if claims, wrong := checked(t, in.C, text.Bytes()); err != nil || robust != attack.Holds ||
			wrong != nil || claims[0].Bound <= radius*(1-1e-11) {
			t.Fatalf("instance %d: %v, %v, %v, %+v", number, robust, err, wrong, claims)
		}
		proven++
	}
	if proven == 0 {
		t.Error("nothing was proven")
	}
}

// TestWhatProofsDoNotKnow: rules that the format has no words for are refused, by name.
func TestWhatProofsDoNotKnow(t *testing.T) {
	in := instance.DrawRuled(t, rand.New(rand.NewPCG(1, 1)), "prices", polytope.L1)
	for want, f := range map[string]attack.Feature{
		"feature 0 may take multiples of 2": {Step: 2},
		"categories of so many codes only":  {Categorical: true},
		`"may miss"`:                        {Missing: attack.MayMiss},
	} {
		in.Rules = make([]attack.Feature, len(in.X))
		in.Rules[0] = f
		a := &attack.RegionBased{Classifier: in.C, Options: attack.Options{Features: in.Rules}}
		_, err := instance.Prove(t.Context(), a, make([]float64, len(in.X)), &bytes.Buffer{})
		if !errors.Is(err, errors.ErrUnsupported) || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", f, err, want)
		}
	}
	a := &attack.RegionBased{Classifier: in.C, Options: attack.Options{Changes: true}}
	_, err := instance.Prove(t.Context(), a, make([]float64, len(in.X)), &bytes.Buffer{})
	if !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("changes: %v", err)
	}
}

// TestProofsOfNeighborsKnowNoPrices: they are refused, and no proof is written.
func TestProofsOfNeighborsKnowNoPrices(t *testing.T) {
	for number := range uint64(20) {
		in := instance.DrawNeighbors(rand.New(rand.NewPCG(number, 701)))
		rules := make([]attack.Feature, len(in.Query))
		rules[0].Up = 2
		a := &attack.RegionBased{Classifier: in.KNN(t, 1), Options: attack.Options{Features: rules}}
		var text bytes.Buffer
		_, err := instance.Prove(t.Context(), a, in.Query, &text)
		if !errors.Is(err, errors.ErrUnsupported) || text.Len() > 0 {
			t.Fatalf("instance %d: %v and %d bytes, want that there are none",
				number, err, text.Len())
		}
	}
}

// TestProofsOfNeighborsUnderLimits: limits are a domain, which proofs about neighbours know as
// well.
func TestProofsOfNeighborsUnderLimits(t *testing.T) {
	proven := 0
	for number := range uint64(racetest.Count(30, 500)) {
		rng := rand.New(rand.NewPCG(number, 700))
		in := instance.DrawNeighbors(rng)
		c := in.KNN(t, 1)
		rules := make([]attack.Feature, c.Dim())
		rules[rng.IntN(len(rules))] = attack.Feature{Frozen: true}
		rules[rng.IntN(len(rules))].MaxUp = 0.5
		rules[rng.IntN(len(rules))].Down = math.Inf(1)
		a := &attack.RegionBased{
			Classifier: c,
			Options:    attack.Options{Norm: instance.Norms()[number%3], Features: rules},
		}
		var text bytes.Buffer
		r, err := instance.Prove(t.Context(), a, in.Query, &text)
		if errors.Is(err, attack.ErrUnproven) { // rows tie wherever one may go
			continue
		}
		if err != nil {
			t.Fatalf("instance %d: %v\n%+v", number, err, in)
		}
		plain, err := a.Perturb(t.Context(), in.Query)
		if err != nil ||
			math.Abs(plain.Bound-r.Bound) > 1e-9*max(1, r.Bound) && plain.Bound != r.Bound {
			t.Fatalf("instance %d: %+v proven, %+v without a proof (%v)", number, r, plain, err)
		}
		if text.Len() == 0 {
			continue
		}
		claims, err := checked(t, c, text.Bytes())
		if err != nil || claims[0].Domain == nil {
			t.Fatalf("instance %d: %v, %+v\n%s", number, err, claims, &text)
		}
		proven++
	}
	if proven < 10 && !racetest.Enabled {
		t.Error("nothing was proven")
	}
}

// TestProofOfFewModels: a Writer that lacks the sum of another model is refused before a search.
func TestProofOfFewModels(t *testing.T) {
	member := func(threshold float64) attack.Requirement {
		leaf := func(v ...float64) classifier.TreeNode {
			return classifier.TreeNode{Feature: -1, Left: -1, Right: -1, Value: v}
		}
		c, err := classifier.NewTree(1, classifier.AtMostFloat64, []classifier.TreeNode{
			{Threshold: threshold, Left: 1, Right: 2, Value: []float64{1, 1}},
			leaf(1, 0), leaf(0, 1),
		})
		if err != nil {
			t.Fatal(err)
		}
		return attack.Requirement{Classifier: c, Labels: []int{1}}
	}
	var text bytes.Buffer
	a := &attack.RegionBased{Classifier: member(1).Classifier, Options: attack.Options{
		Also:  []attack.Requirement{member(2), member(3)},
		Proof: proof.NewWriter(&text, [32]byte{}, [32]byte{1}),
	}}
	r, err := a.Perturb(t.Context(), []float64{0})
	if !errors.Is(err, classifier.ErrOption) || r.Nodes != 0 || text.Len() != 0 {
		t.Errorf("%+v, %v, %d bytes", r, err, text.Len())
	}
	a.Proof = proof.NewWriter(&text, [32]byte{}, [32]byte{1}, [32]byte{2})
	if r, err = a.Perturb(t.Context(), []float64{0}); err != nil || text.Len() == 0 {
		t.Errorf("%+v, %v, %d bytes", r, err, text.Len())
	}
}
