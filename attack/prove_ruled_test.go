package attack_test

import (
	"bytes"
	"errors"
	"fmt"
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
	var file bytes.Buffer
	if err := classifier.Save(&file, c); err != nil {
		t.Fatal(err)
	}
	m, err := proof.ReadModel(&file)
	if err != nil {
		t.Fatal(err)
	}
	var all bytes.Buffer
	if _, err := proof.NewWriter(&all, m.SHA256).Write(text); err != nil {
		t.Fatal(err)
	}
	err = proof.Check(&all, m, func(c proof.Claim) error {
		claims = append(claims, c)
		return nil
	})
	return claims, err
}

// TestProofsUnderRules: limits and prices of real numbers are proven, and the checker agrees.
func TestProofsUnderRules(t *testing.T) {
	t.Parallel()
	for k, kind := range []string{"prices", "directions", "frozen", "limits"} {
		for _, norm := range instance.Norms() {
			t.Run(fmt.Sprintf("%s/norm=%v", kind, norm), func(t *testing.T) {
				t.Parallel()
				proven, priced := 0, 0
				for number := range uint64(racetest.Count(60, 2000)) {
					in := instance.DrawRuled(t,
						rand.New(rand.NewPCG(number, uint64(500+10*k)+uint64(norm))), kind, norm)
					truth := in.Nearest(func([]int) bool { return true })
					a := &attack.RegionBased{Classifier: in.C, Options: in.Options()}
					var text bytes.Buffer
					r, err := instance.Prove(t.Context(), a, in.X, &text)
					if errors.Is(err, errors.ErrUnsupported) { // a missing value, or nowhere to go
						continue
					}
					if err != nil || text.Len() == 0 {
						if err != nil || r.Bound > 0 {
							t.Fatalf("instance %d: %+v, %v\n%+v", number, r, err, in)
						}
						continue
					}
					claims, err := checked(t, in.C, text.Bytes())
					if err != nil || len(claims) != 1 ||
						claims[0].Bound > truth+1e-12*max(1, truth) {
						t.Fatalf("instance %d: %v, %+v, the nearest is at %v\n%s\n%+v",
							number, err, claims, truth, &text, in)
					}
					if !math.IsInf(truth, 1) && !claims[0].Settled {
						t.Fatalf("instance %d: the radius %v is not settled: %+v\n%+v",
							number, truth, claims[0], in)
					}
					if proven++; claims[0].Prices != nil {
						priced++
					}
				}
				if proven == 0 || (kind == "prices" && priced == 0) {
					t.Errorf("%d proofs, %d with prices", proven, priced)
				}
			})
		}
	}
}

// TestProofsOfRadiiUnderRules: so is a radius.
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

// TestProofsOfNeighborsKnowNoPrices: they are refused, and nothing is written.
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
