package oblique_test

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
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
				for i := range uint64(instance.Count(10, 5000)) {
					rng := rand.New(rand.NewPCG(i, uint64(2000+100*number+10*int(norm))))
					in := draw(t, rng)
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
						truth, flat := in.ruled(t, norm, q)
						_, err = instance.CheckLinear(
							t, in.Classifier, q, a.Linear, thin || flat, r, truth,
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

// unpriced asks without rules of moves.
func (in drawn) unpriced(norm polytope.Norm) oracle.Ruled {
	return instance.Priced(norm, in.Query, make([]attack.Feature, len(in.Query)), in.Box)
}

// ruled goes through all tuples of leaves, one of each tree. It returns how far the nearest answer
// is, and whether no ball fits into its cell, so that it may hold no float64.
func (in drawn) ruled(
	t testing.TB, norm polytope.Norm, q oracle.Ruled,
) (distance float64, thin bool) {
	t.Helper()
	from := in.Classifier.Predict(in.Query)
	var best *big.Rat
	var halves []oracle.Half
	var leaves [][]float64
	var visit func(tree, node int)
	// side goes on to a child, if inputs on its side may be nearer than the best.
	side := func(tree, child int, w []float64, threshold float64, closed bool) {
		halves = append(halves, oracle.HalfOf(w, threshold, closed))
		if cost := q.Nearest(halves); cost != nil && (best == nil || cost.Cmp(best) < 0) {
			visit(tree, child)
		}
		halves = halves[:len(halves)-1]
	}
	visit = func(tree, node int) {
		if tree == len(in.Trees) {
			if label := in.label(t, leaves); label != from &&
				(in.Target == nil || label == *in.Target) {
				best, thin = q.Nearest(halves), q.Inside(halves) == nil
			}
			return
		}
		n := in.Trees[tree][node]
		if n.Left < 0 {
			leaves = append(leaves, n.Value)
			visit(tree+1, 0)
			leaves = leaves[:len(leaves)-1]
			return
		}
		opposite := slices.Clone(n.Weights)
		for j := range opposite {
			opposite[j] = -opposite[j]
		}
		side(tree, n.Left, n.Weights, n.Threshold, true)
		side(tree, n.Right, opposite, -n.Threshold, false)
	}
	visit(0, 0)
	return instance.Cost(norm, best), thin
}

// label returns the label that some leaves, one of each tree, make.
func (in drawn) label(t testing.TB, leaves [][]float64) int {
	t.Helper()
	var constant []*classifier.ObliqueEnsemble
	for _, value := range leaves {
		constant = append(constant,
			instance.ObliqueTree(t, len(in.Query), instance.ObliqueLeaf(value...)))
	}
	return instance.ObliqueVote(t, in.Vote, constant...).Predict(in.Query)
}
