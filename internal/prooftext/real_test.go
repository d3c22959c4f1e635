package prooftext_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/prooftext"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestReal: proofs are given finite prices; the domain says which ways are closed. Rules that are
// no limits or prices of real numbers are refused.
func TestReal(t *testing.T) {
	inf, x := math.Inf(1), []float64{1, 1}
	of := func(features ...rules.Feature) search.Query {
		r := rules.Rules{X: x, Norm: polytope.L1, Features: features}
		return search.Query{X: x, Cost: geometry.In(r.Norm), Moves: r.Moves()}
	}
	got, err := prooftext.Real(of(rules.Feature{Up: inf, Down: 2}, rules.Feature{Up: 3, Down: inf}))
	if err != nil || got.Moves != nil || !slices.Equal(got.Prices.Up, []float64{1, 3}) ||
		!slices.Equal(got.Prices.Down, []float64{2, 1}) || got.Domain[0].Hi != 1 ||
		got.Domain[1].Lo != 1 {
		t.Errorf("Real = %+v, %+v, %v", got.Prices, got.Domain, err)
	}
	if got, err := prooftext.Real(of(rules.Feature{Up: inf}, rules.Feature{Frozen: true})); err !=
		nil || got.Prices != nil {
		t.Errorf("no prices: %+v, %v", got.Prices, err)
	}
	for _, f := range []rules.Feature{{Step: 1}, {Categorical: true}, {Missing: rules.MayMiss}} {
		if _, err := prooftext.Real(of(f, rules.Feature{})); !errors.Is(
			err, errors.ErrUnsupported,
		) {
			t.Errorf("%+v: %v", f, err)
		}
	}
}
