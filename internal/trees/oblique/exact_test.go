package oblique_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

func TestExactAgainstEnumeration(t *testing.T) {
	t.Parallel()
	for _, norm := range instance.Norms() {
		t.Run("norm="+norm.String(), func(t *testing.T) {
			t.Parallel()
			want := instance.Count(80, 3000)
			compared, found := 0, 0
			for number := uint64(0); compared < want; number++ {
				rng := rand.New(rand.NewPCG(number, 1700+uint64(norm)))
				in := draw(t, rng)
				if in.Target != nil && *in.Target == in.Classifier.Predict(in.Query) {
					continue
				}
				compared++
				a := &attack.RegionBased{
					Classifier: in.Classifier,
					Options: attack.Options{
						Norm:    norm,
						Target:  in.Target,
						Domain:  in.Box,
						Workers: 1,
					},
				}
				switch number % 5 {
				case 0:
					a.Workers = 3
				case 1:
					a.Classifier = instance.Listed{Decomposable: in.Classifier}
				}
				q := in.unpriced(norm)
				truth, thin := in.ruled(t, norm, q)
				r, err := a.Perturb(t.Context(), in.Query)
				if err == nil {
					_, err = instance.CheckLinear(t, in.Classifier, q, nil, thin, r, truth)
				}
				if err == nil && r.Example != nil && !in.Box.Contains(r.Example) {
					err = fmt.Errorf("example %v lies outside the domain", r.Example)
				}
				if err != nil {
					t.Fatalf("instance %d, %T: %v\nquery %v, target %v, box %v, trees %+v",
						number, a.Classifier, err, in.Query, in.Target, in.Box, in.Trees)
				}
				if r.Example != nil {
					found++
				}
			}
			if found < compared/4 {
				t.Errorf("%d examples in %d instances, want half of them", found, compared)
			}
		})
	}
}

// TestExactByHand attacks the origin.
func TestExactByHand(t *testing.T) {
	leaf := func(v ...float64) classifier.ObliqueNode {
		return classifier.ObliqueNode{Left: -1, Right: -1, Value: v}
	}
	stump := func(threshold float64, w ...float64) []classifier.ObliqueNode {
		return []classifier.ObliqueNode{
			{Weights: w, Threshold: threshold, Left: 1, Right: 2, Value: []float64{1, 1}},
			leaf(1, 0), leaf(0, 1),
		}
	}
	inf := math.Inf(1)
	tests := []struct {
		name  string
		trees [][]classifier.ObliqueNode
		vote  classifier.Vote
		box   polytope.Box
		want  [3]float64 // in ℓ∞, ℓ1, ℓ2
	}{
		{"one test", [][]classifier.ObliqueNode{stump(1, 1, 1)}, 0, nil,
			[3]float64{0.5, 1, math.Sqrt(0.5)}},
		{"on the border", [][]classifier.ObliqueNode{stump(0, 1, 1)}, 0, nil, [3]float64{0, 0, 0}},
		{"one feature", [][]classifier.ObliqueNode{stump(1, 2, 0)}, 0, nil,
			[3]float64{0.5, 0.5, 0.5}},
		{"no weight", [][]classifier.ObliqueNode{stump(1, 0, 0)}, 0, nil,
			[3]float64{inf, inf, inf}},
		{"a domain in the way", [][]classifier.ObliqueNode{stump(2, 1, 1)}, 0,
			polytope.Cube(2, -1, 1.5), [3]float64{1, 2, math.Sqrt2}},
		{"a domain that cuts the cell off", [][]classifier.ObliqueNode{stump(2, 1, 1)}, 0,
			polytope.Cube(2, -1, 1), [3]float64{inf, inf, inf}},
		{"a domain that leaves no choice", [][]classifier.ObliqueNode{stump(2, 1, 1)}, 0,
			polytope.Box{{Lo: -1, Hi: 0.5}, polytope.Line()}, [3]float64{1.5, 2, math.Sqrt(2.5)}},
		{"both are needed", [][]classifier.ObliqueNode{stump(1, 1, 1), stump(1, 1, -1)},
			classifier.HardVote, nil, [3]float64{1, 1, 1}},
		{"a majority", [][]classifier.ObliqueNode{stump(1, 1, 1), stump(1, 1, -1), stump(3, 0, 1)},
			classifier.HardVote, nil, [3]float64{1, 1, 1}},
		{"opposite ones", [][]classifier.ObliqueNode{stump(1, 1, 1), stump(1, -1, -1)},
			classifier.HardVote, nil, [3]float64{inf, inf, inf}},
		{"a negated test", [][]classifier.ObliqueNode{stump(1, 1, 2), stump(-1, -1, -2)},
			classifier.HardVote, nil, [3]float64{inf, inf, inf}},
		{"either of two",
			[][]classifier.ObliqueNode{stump(1, -1, 4), stump(1, 1, 4), stump(-1, 0, -1)}, 0, nil,
			[3]float64{0.2, 0.25, 1 / math.Sqrt(17)}},
	}
	for _, test := range tests {
		var trees []*classifier.ObliqueEnsemble
		for _, nodes := range test.trees {
			tree := instance.ObliqueTree(t, 2, nodes...)
			trees = append(trees, tree)
		}
		e := instance.ObliqueVote(t, classifier.EnsembleOptions{Vote: test.vote}, trees...)
		subjects := []classifier.Classifier{e, instance.Listed{Decomposable: e}}
		if len(trees) == 1 {
			subjects = append(subjects, trees[0], instance.Listed{Decomposable: trees[0]})
		}
		for _, c := range subjects {
			for _, norm := range instance.Norms() {
				x := []float64{0, 0}
				r, err := (&attack.RegionBased{
					Classifier: c,
					Options:    attack.Options{Norm: norm, Domain: test.box},
				}).Perturb(t.Context(), x)
				if err == nil {
					err = instance.CheckExact(t, c, norm, x, r, test.want[norm])
				}
				if err != nil {
					t.Errorf("%s, %T, norm %v: %v", test.name, c, norm, err)
				}
			}
		}
	}
}

// TestFlatDomain: where two opposite tests tie is a cell, be it all of the domain or one hyperplane
// in it.
func TestFlatDomain(t *testing.T) {
	inner, leaf := instance.ObliqueInner, instance.ObliqueLeaf
	one := instance.ObliqueTree(t, 3, inner(4, 1, 4, 1, -1, 0), inner(-4, 2, 3, -1, 1, 0),
		leaf(1, 0), leaf(0, 1), leaf(0, 1))
	stump := func(threshold float64, w ...float64) *classifier.ObliqueEnsemble {
		return instance.ObliqueTree(t, 3, inner(threshold, 1, 2, w...), leaf(6, 5), leaf(0, 11))
	}
	at := func(v float64) polytope.Interval { return polytope.Interval{Lo: v, Hi: v} }
	for _, c := range []classifier.Classifier{
		one, instance.ObliqueVote(t, classifier.EnsembleOptions{}, one),
		instance.ObliqueVote(t, classifier.EnsembleOptions{}, stump(4, 1, -1, 0),
			stump(-4, -1, 1, 0)),
	} {
		for _, test := range []struct {
			domain polytope.Box
			want   float64
		}{
			{polytope.Box{at(1), at(-3), polytope.Line()}, 0.5},
			{polytope.Box{at(1), at(-3), at(0)}, 0.5},
			{polytope.Box{at(1), at(-2), polytope.Line()}, math.Inf(1)},
			{polytope.Box{at(1), polytope.Line(), polytope.Line()}, 0.5},
			{polytope.Box{at(1), polytope.Line(), at(0)}, 0.5},
		} {
			for _, norm := range instance.Norms() {
				x := []float64{1, -3.5, 0}
				r, err := (&attack.RegionBased{
					Classifier: c,
					Options:    attack.Options{Norm: norm, Domain: test.domain},
				}).Perturb(t.Context(), x)
				instance.CheckInterval(t, c, x, r, test.want)
				if err != nil || !r.Optimal() {
					t.Errorf("%T, domain %v, norm %v: %+v, %v", c, test.domain, norm, r, err)
				}
			}
		}
	}
}

// TestNothingAdversarial proves that no example exists.
func TestNothingAdversarial(t *testing.T) {
	tests := []struct {
		name  string
		nodes []classifier.ObliqueNode
	}{
		{"one class", []classifier.ObliqueNode{
			{Weights: []float64{1, 1}, Threshold: 1, Left: 1, Right: 2, Value: []float64{1}},
			{Left: -1, Right: -1, Value: []float64{1}}, {Left: -1, Right: -1, Value: []float64{1}},
		}},
		{"a tree without tests",
			[]classifier.ObliqueNode{{Left: -1, Right: -1, Value: []float64{0, 1}}}},
		{"leaves of one label", []classifier.ObliqueNode{
			{Weights: []float64{1, 1}, Threshold: 1, Left: 1, Right: 2, Value: []float64{0, 1}},
			{Left: -1, Right: -1, Value: []float64{0, 1}}, {
				Left:  -1,
				Right: -1,
				Value: []float64{1, 2},
			},
		}},
	}
	for _, test := range tests {
		tree := instance.ObliqueTree(t, 2, test.nodes...)
		e := instance.ObliqueVote(t, classifier.EnsembleOptions{}, tree, tree)
		for _, c := range []classifier.Classifier{
			tree, e, instance.Listed{Decomposable: tree}, instance.Listed{Decomposable: e},
		} {
			r, err := (&attack.RegionBased{Classifier: c}).Perturb(t.Context(), []float64{0, 0})
			if err == nil {
				err = instance.CheckExact(t, c, polytope.LInf, []float64{0, 0}, r, math.Inf(1))
			}
			if err != nil {
				t.Errorf("%s, %T: %v", test.name, c, err)
			}
		}
	}
}

// TestWorkersAgree repeats attacks with several workers and compares everything but
// the counters.
func TestWorkersAgree(t *testing.T) {
	for number := range uint64(racetest.Scale(600)) {
		in := draw(t, rand.New(rand.NewPCG(number, 1900)))
		if in.Target != nil && *in.Target == in.Classifier.Predict(in.Query) {
			continue
		}
		var first attack.Result
		for run, workers := range []int{1, 1, 2, 8} {
			o := attack.Options{
				Norm:    instance.Norms()[number%3],
				Target:  in.Target,
				Domain:  in.Box,
				Workers: workers,
			}
			r, err := (&attack.RegionBased{Classifier: in.Classifier, Options: o}).Perturb(
				t.Context(), in.Query,
			)
			if err != nil {
				t.Fatalf("instance %d, %d workers: %v", number, workers, err)
			}
			r.Nodes, r.Solves = 0, 0
			if run == 0 {
				first = r
			}
			if !reflect.DeepEqual(r, first) {
				t.Fatalf("instance %d, %d workers: %+v, with one %+v", number, workers, r, first)
			}
		}
	}
}
