package boxtree_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestLinearWithPotentials: under linear rules, too, potentials change no answer, and no worker
// does.
func TestLinearWithPotentials(t *testing.T) {
	t.Parallel()
	compared, want := 0, instance.Count(400, 20000)
	for number := uint64(0); compared < want; number++ {
		rng := rand.New(rand.NewPCG(number, 821))
		in := instance.DrawEnsemble(t, rng)
		linear, thin := instance.DrawLinear(rng, len(in.Query))
		if in.Target != nil && *in.Target == in.Ensemble.Predict(in.Query) || thin {
			continue
		}
		compared++
		a := &attack.RegionBased{Classifier: in.Ensemble, Options: attack.Options{
			Norm: instance.Norms()[number%3], Target: in.Target, Domain: in.Box, Linear: linear,
			Features: make([]attack.Feature, len(in.Query)), Workers: 1,
		}}
		a.Features[0].Up = 2
		plain, err := a.Perturb(t.Context(), in.Query)
		if err != nil {
			t.Fatalf("instance %d: %v", number, err)
		}
		a.Classifier = large{in.Ensemble, int(number/3) % 4}
		var first attack.Result
		for i, workers := range []int{1, 2, 4} {
			a.Workers = workers
			r, err := a.Perturb(t.Context(), in.Query)
			if err != nil {
				t.Fatalf("instance %d: %v", number, err)
			}
			if i == 0 {
				first = r
			}
			if !slices.Equal(r.Example, first.Example) || r.Bound != first.Bound {
				t.Fatalf("instance %d, %d workers: %+v, with one %+v", number, workers, r, first)
			}
		}
		if first.Status != plain.Status ||
			first.Example != nil && !alike(first.Distance, plain.Distance) {
			t.Fatalf("instance %d, %v, linear %+v: %+v with potentials, %+v without",
				number, a.Norm, linear, first, plain)
		}
	}
}

// foreseen is an ensemble whose searches know from their root on where their answer lies, as if
// another worker had found one there.
type foreseen struct {
	*classifier.Ensemble
	cutoff float64
}

func (e foreseen) Search(ctx context.Context, q search.Query) (search.Search, error) {
	s, err := instance.SearchOf(ctx, e.Ensemble, q)
	return foreseenSearch{s, e.cutoff}, err
}

func (e foreseen) Follows() search.Rules { return search.AllRules }

type foreseenSearch struct {
	search.Search
	cutoff float64
}

func (s foreseenSearch) NewOpener() search.Opener {
	return foreseenOpener{s.Search.NewOpener(), s.Search.Roots()[0].Order, s.cutoff}
}

type foreseenOpener struct {
	search.Opener
	root   int64
	cutoff float64
}

func (o foreseenOpener) Open(
	ctx context.Context, n search.Node, cutoff float64,
) (search.Opened, error) {
	if n.Order != o.root {
		cutoff = min(cutoff, o.cutoff)
	}
	return o.Opener.Open(ctx, n, cutoff)
}

// TestLinearOfTies: under linear rules, too, the first of several answers at one distance does not
// depend on the answers before it, whose order several workers change.
func TestLinearOfTies(t *testing.T) {
	t.Parallel()
	for number := range uint64(instance.Count(3000, 100000)) {
		rng := rand.New(rand.NewPCG(number, 823))
		in := instance.DrawEnsemble(t, rng)
		linear, thin := instance.DrawLinear(rng, len(in.Query))
		if in.Target != nil && *in.Target == in.Ensemble.Predict(in.Query) || thin {
			continue
		}
		a := &attack.RegionBased{Classifier: in.Ensemble, Options: attack.Options{
			Norm: instance.Norms()[number%3], Target: in.Target, Domain: in.Box, Linear: linear,
			Workers: 1,
		}}
		want, err := a.Perturb(t.Context(), in.Query)
		if err != nil {
			t.Fatalf("instance %d: %v", number, err)
		}
		if !want.Optimal() || want.Example == nil || want.Bound < 0x1p-1000 {
			continue
		}
		a.Classifier = foreseen{in.Ensemble, want.Bound}
		got, err := a.Perturb(t.Context(), in.Query)
		if err != nil || !slices.Equal(got.Example, want.Example) || got.Bound != want.Bound {
			t.Fatalf("instance %d, %v, linear %+v: %+v, %v where the bound was known, else %+v",
				number, a.Norm, linear, got, err, want)
		}
	}
}

// TestLinearOfForests: answers of trained forests keep linear rules, and no input that is drawn
// within the bound answers and does.
func TestLinearOfForests(t *testing.T) {
	t.Parallel()
	for number := range uint64(instance.Count(6, 60)) {
		rng := rand.New(rand.NewPCG(number, 822))
		in := instance.DrawLarge(t, rng)
		linear := []polytope.HalfSpace{{A: make([]float64, len(in.Query))}}
		for j := range 3 {
			linear[0].A[j] = 1 - float64(j)/2
		}
		norm := instance.Norms()[number%3]
		a := &attack.RegionBased{Classifier: in.Ensemble, Options: attack.Options{
			Norm: norm, Target: in.Target, Linear: linear, MaxNodes: 3000,
		}}
		r, err := a.Perturb(t.Context(), in.Query)
		if err != nil {
			t.Fatalf("instance %d: %v", number, err)
		}
		if r.Example == nil || !linear[0].Contains(r.Example) || r.Bound > r.Distance {
			t.Fatalf("instance %d: %+v", number, r)
		}
		from := in.Ensemble.Predict(in.Query)
		for range 3000 {
			z := slices.Clone(in.Query)
			for j := range z {
				z[j] += rng.NormFloat64() * r.Bound / math.Sqrt(float64(len(z)))
			}
			label := in.Ensemble.Predict(z)
			if linear[0].Contains(z) && norm.Distance(in.Query, z) < r.Bound &&
				label != from && (in.Target == nil || label == *in.Target) {
				t.Fatalf("instance %d: %v answers within the bound of %+v", number, z, r)
			}
		}
	}
}
