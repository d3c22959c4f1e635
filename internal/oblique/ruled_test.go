package oblique_test

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/oracle"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestRules compares oblique trees and votes under each kind of rules about real features, by
// their own search and as lists of cells, with exact arithmetic over all tuples of leaves.
func TestRules(t *testing.T) {
	t.Parallel()
	for _, norm := range instance.Norms() {
		for number, kind := range append(slices.Clone(instance.RealRules), "linear") {
			t.Run("norm="+norm.String()+"/"+kind, func(t *testing.T) {
				t.Parallel()
				found := 0
				for i := range uint64(instance.Count(20, 5000)) {
					rng := rand.New(rand.NewPCG(i, uint64(2000+100*number+10*int(norm))))
					in := draw(t, rng)
					if kind == "one way" || kind == "all" {
						// a way that ends where a test does leaves a single value, which counts
						for j := range in.Query {
							in.Query[j] += 0.013
						}
					}
					if in.Target != nil && *in.Target == in.Classifier.Predict(in.Query) {
						continue
					}
					features := instance.DrawRealRules(rng, kind, norm, len(in.Query))
					q := instance.Priced(norm, in.Query, features, in.Box)
					a := &attack.RegionBased{Classifier: in.Classifier, Options: attack.Options{
						Norm: norm, Target: in.Target, Domain: in.Box, Features: features,
						Workers: 1 + rng.IntN(2),
					}}
					thin := false
					if kind == "linear" {
						a.Linear, thin = instance.DrawLinear(rng, len(in.Query))
						q.Linear = instance.Halves(a.Linear)
					}
					if i%5 == 0 {
						a.Classifier = instance.Listed{Decomposable: in.Classifier}
					}
					r, err := a.Perturb(t.Context(), in.Query)
					if err == nil {
						_, err = instance.CheckLinear(
							t, in.Classifier, q, a.Linear, thin, r, in.ruled(norm, q),
						)
					}
					if err != nil {
						t.Fatalf("instance %d, %T: %v\nquery %v, target %v, box %v, trees %+v, "+
							"rules %+v, linear %+v, %+v", i, a.Classifier, err, in.Query, in.Target,
							in.Box, in.Trees, features, a.Linear, r)
					}
					if r.Example != nil {
						found++
					}
				}
				if found == 0 && !racetest.Enabled {
					t.Error("no example")
				}
			})
		}
	}
}

// ruled goes through all tuples of leaves, one of each tree.
func (in drawn) ruled(norm polytope.Norm, q oracle.Ruled) float64 {
	from := in.Classifier.Predict(in.Query)
	var best *big.Rat
	var halves []oracle.Half
	var visit func(tree, node int)
	visit = func(tree, node int) {
		if tree == len(in.Trees) {
			inside := q.Inside(halves)
			if inside == nil {
				return
			}
			if label := in.Classifier.Predict(inside); label == from ||
				in.Target != nil && label != *in.Target {
				return
			}
			if cost := q.Nearest(halves); best == nil || cost.Cmp(best) < 0 {
				best = cost
			}
			return
		}
		n := in.Trees[tree][node]
		if n.Left < 0 {
			visit(tree+1, 0)
			return
		}
		opposite := slices.Clone(n.Weights)
		for j := range opposite {
			opposite[j] = -opposite[j]
		}
		for _, side := range []struct {
			child int
			half  oracle.Half
		}{
			{n.Left, oracle.HalfOf(n.Weights, n.Threshold, true)},
			{n.Right, oracle.HalfOf(opposite, -n.Threshold, false)},
		} {
			halves = append(halves, side.half)
			if q.Inside(halves) != nil {
				visit(tree, side.child)
			}
			halves = halves[:len(halves)-1]
		}
	}
	visit(0, 0)
	return instance.Cost(norm, best)
}
