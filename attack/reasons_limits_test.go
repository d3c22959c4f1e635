package attack_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/explain"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestExplainersAreChecked: what makes no sense is refused by a sentence.
func TestExplainersAreChecked(t *testing.T) {
	t.Parallel()
	ctx, c := t.Context(), instance.Line(t, 0, 1)
	for name, e := range map[string]explain.Explainer{
		"count":    {Count: -1},
		"weights":  {Weights: []float64{1, 1}},
		"weight":   {Weights: []float64{0}},
		"with":     {With: []int{1}},
		"without":  {Without: []int{-1}},
		"both":     {With: []int{0}, Without: []int{0}},
		"timeout":  {Options: attack.Options{Timeout: -1}},
		"features": {Options: attack.Options{Features: make([]attack.Feature, 2)}},
	} {
		e.Classifier = c
		if _, err := e.Reasons(ctx, []float64{0}); !errors.Is(err, classifier.ErrOption) {
			t.Errorf("%s: %v", name, err)
		}
	}
	e := &explain.Explainer{Classifier: c, Tries: 1}
	if _, err := e.LabelBox(ctx, []float64{0}); !errors.Is(err, classifier.ErrOption) {
		t.Errorf("tries: %v", err)
	}
	if _, err := e.Reasons(ctx, []float64{math.NaN()}); !errors.Is(err, polytope.ErrNotFinite) {
		t.Errorf("NaN: %v", err)
	}
}

// TestReasonsAtLimits: a limit leaves a set that forces the label, and says what it left open.
func TestReasonsAtLimits(t *testing.T) {
	t.Parallel()
	open := 0
	for number := range uint64(instance.Count(100, 3000)) {
		rng := rand.New(rand.NewPCG(number, 11))
		in := instance.DrawRuled(t, rng, "integer", polytope.L1)
		f := ruledForces(in)
		a := attack.RegionBased{Classifier: in.C, Options: in.Options()}
		a.MaxNodes = 1
		explainer := &explain.Explainer{
			Classifier: a.Classifier, Options: a.Options, Count: 2, Smallest: rng.IntN(2) == 0,
		}
		reasons, err := explainer.Reasons(t.Context(), in.X)
		if err != nil {
			t.Fatal(err)
		}
		least := math.Inf(1)
		for s, forced := range f.sets {
			if forced {
				least = min(least, f.weight(s, nil))
			}
		}
		if reasons.Status == attack.StatusLimit {
			open++
		}
		if len(reasons.Found) == 0 &&
			(reasons.Bound > least || reasons.Status == attack.StatusNone && least < math.Inf(1)) {
			t.Fatalf("instance %d: %+v, the lightest weighs %v", number, reasons, least)
		}
		for _, r := range reasons.Found[:min(1, len(reasons.Found))] {
			set, ok := f.set(r.Features)
			switch {
			case r.Bound > least:
				t.Fatalf("instance %d: %+v, the lightest weighs %v", number, r, least)
			case !ok || !f.sets[set]:
				t.Fatalf("instance %d: %+v does not force the label", number, r)
			case r.Status == attack.StatusOptimal && !slices.Contains(f.minimal(0, 0), set):
				t.Fatalf("instance %d: %+v is not minimal", number, r)
			}
			if r.Status == attack.StatusLimit {
				open++
			}
		}
	}
	if open == 0 {
		t.Error("no limit was met")
	}
}

// TestReasonsEnd: a context that is cancelled is an error, a deadline is none.
func TestReasonsEnd(t *testing.T) {
	t.Parallel()
	c := instance.DrawPoints(rand.New(rand.NewPCG(1, 1)), 30, 2).KNN(t, 3)
	x := []float64{2.3, 3.1}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	e := &explain.Explainer{Classifier: c}
	if _, err := e.Reasons(ctx, x); !errors.Is(err, context.Canceled) {
		t.Errorf("Reasons: %v", err)
	}
	if _, err := e.LabelBox(ctx, x); !errors.Is(err, context.Canceled) {
		t.Errorf("LabelBox: %v", err)
	}
	e.Timeout, e.Smallest = time.Nanosecond, true
	found, err := e.Reasons(t.Context(), x)
	if err != nil || found.Found[0].Status != attack.StatusLimit {
		t.Errorf("%+v, %v, want a limit", found, err)
	}
	box, err := e.LabelBox(t.Context(), x)
	if err != nil || len(box.Undecided) != 2 || !box.Box.Contains(x) {
		t.Errorf("%+v, %v, want a limit", box, err)
	}
}
