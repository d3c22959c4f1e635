package attack_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/weighted"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestTinyRows: rows that lie closer together than what float64 can divide do not keep the search
// from ending.
func TestTinyRows(t *testing.T) {
	t.Parallel()
	for _, tiny := range []float64{math.SmallestNonzeroFloat64, 1e-316, 0x1p-1022, 1e-300} {
		for _, norm := range instance.Norms() {
			for k, x := range map[int][][]float64{
				1: {{0}, {tiny}, {100}}, 3: {{0}, {tiny}, {-tiny}, {100}, {100 + 1e-12}},
			} {
				c := instance.KNN(t, instance.Dense(x), []int{0, 0, 2, 2, 2}[:len(x)], k)
				r := ends(t, c, attack.Options{Norm: norm, Workers: 1}, []float64{50})
				if r.Bound > 1e-12 || r.Distance > 1e-11 {
					t.Errorf("rows 0 and %v, k = %d, norm %v: %+v", tiny, k, norm, r)
				}
			}
		}
	}
}

// ends attacks, and fails if that takes longer than any search of a handful of rows may, however
// its numbers are.
func ends(t *testing.T, c classifier.Classifier, o attack.Options, x []float64) (r attack.Result) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r, err := (&attack.RegionBased{Classifier: c, Options: o}).Perturb(ctx, x)
	if ctx.Err() != nil || err != nil && !errors.Is(err, weighted.ErrFarAway) {
		t.Fatalf("%+v, %v, %v: %+v at %v", r, err, ctx.Err(), o, x)
	}
	return r
}

// TestMixedSizes draws rows of which some coordinates are denormal, others ordinary, and others
// so large that squares overflow: every search ends, and what it says is so in exact arithmetic.
func TestMixedSizes(t *testing.T) {
	t.Parallel()
	tiny := math.SmallestNonzeroFloat64
	sizes := []float64{tiny, 1e-316, 1e-310, 1e-300, 1e-160, 1e-20, 1, 1, 100, 1e9, 1e150, 1e300}
	for number := range uint64(instance.Count(30, 100000)) {
		rng := rand.New(rand.NewPCG(number, 324))
		some := []float64{sizes[rng.IntN(12)], sizes[rng.IntN(12)], sizes[rng.IntN(8)]}
		draw := func() float64 { return float64(rng.IntN(9)-4) * some[rng.IntN(len(some))] }
		dim, n := 1+rng.IntN(2), 3+rng.IntN(4)
		in := endsCase{k: 1 + 2*rng.IntN(2)}
		for range n {
			p := make([]float64, dim)
			for j := range p {
				p[j] = draw()
			}
			in.X, in.Y = append(in.X, p), append(in.Y, rng.IntN(2))
		}
		for range dim {
			in.Query = append(in.Query, draw())
			i := polytope.Line()
			if rng.IntN(2) == 0 {
				if i.Lo, i.Hi = draw(), draw(); i.Lo > i.Hi {
					i.Lo, i.Hi = i.Hi, i.Lo
				}
			}
			in.Box = append(in.Box, i)
		}
		norm := instance.Norms()[number%3]
		c := in.KNN(t, in.k)
		o := attack.Options{Norm: norm, Domain: in.Box, Workers: 1}
		r := ends(t, c, o, in.Query)
		goal, _ := in.Goal(c)
		truth := in.truth(norm, goal)
		if r.Bound > truth*(1+1e-13) ||
			r.Example != nil && (!goal(c.Predict(r.Example)) || !in.Box.Contains(r.Example)) {
			t.Fatalf("instance %d: %+v, want %v\n%+v", number, r, truth, in)
		}
		in.weighted, o.MaxNodes = true, 300
		ends(t, in.classifier(t), o, in.Query)
	}
}
