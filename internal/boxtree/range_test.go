package boxtree_test

import (
	"context"
	"math"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// stumpAt is a tree of one test, x[feature] ≤ threshold, that says left or right.
func stumpAt(
	t *testing.T, dim, feature int, threshold float64, left, right []float64,
) *classifier.Tree {
	t.Helper()
	tree, err := classifier.NewTree(dim, classifier.AtMostFloat64, []classifier.TreeNode{
		{Feature: feature, Threshold: threshold, Left: 1, Right: 2, Value: left},
		{Left: -1, Right: -1, Value: left}, {Left: -1, Right: -1, Value: right},
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// TestCellsBeyondFloat64: real numbers beyond the largest float64 have another label,
// and no float64 has it. The bound says where they begin, and "none" is not proven.
func TestCellsBeyondFloat64(t *testing.T) {
	for _, test := range []struct {
		comparison classifier.Comparison
		border     float64
	}{{classifier.AtMostFloat64, math.MaxFloat64}, {classifier.BelowFloat64, -math.MaxFloat64}} {
		leaves := []classifier.TreeNode{
			{Threshold: test.border, Left: 1, Right: 2, Value: []float64{1, 1}},
			{Left: -1, Right: -1, Value: []float64{1, 0}}, {
				Left:  -1,
				Right: -1,
				Value: []float64{0, 1},
			},
		}
		tree, err := classifier.NewTree(1, test.comparison, leaves)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []classifier.Classifier{
			tree, newEnsemble(t, []*classifier.Tree{tree}, classifier.EnsembleOptions{}),
		} {
			for _, norm := range instance.Norms() {
				r, err := (&attack.RegionBased{
					Classifier: c,
					Options:    attack.Options{Norm: norm},
				}).Perturb(t.Context(), []float64{0})
				if err != nil || r.Example != nil || r.Optimal() ||
					r.Bound < 0.99*math.MaxFloat64 || r.Bound > math.MaxFloat64 {
					t.Errorf("%T, border %v, norm %v: %+v, %v", c, test.border, norm, r, err)
				}
			}
		}
	}
}

// TestEnsemblesAtTheEndsOfFloat64 lists cases of false proofs: radii 2⁻⁴⁹ apart, squares that
// overflow or underflow, distances that do, and examples at ∞. An input at a distance beyond
// float64 is no example.
func TestEnsemblesAtTheEndsOfFloat64(t *testing.T) {
	inf, most := math.Inf(1), math.MaxFloat64
	left, right := []float64{1, 0}, []float64{0, 1}
	for _, test := range []struct {
		name        string
		norm        polytope.Norm
		x           []float64
		borders     []float64 // of each feature; any of them flips
		least, most float64   // of the bound
	}{
		{"the farther of two radii that differ by 2⁻⁵⁰ first", polytope.LInf, []float64{0, 0},
			[]float64{1 + 0x1p-50, 1}, 1, 1},
		{"the nearer of them first", polytope.LInf, []float64{0, 0}, []float64{1, 1 + 0x1p-50}, 1,
			1},
		{"the same in ℓ1", polytope.L1, []float64{0, 0}, []float64{1 + 0x1p-44, 1}, 1 - 1e-13, 1},
		{"the same in ℓ2", polytope.L2, []float64{0, 0}, []float64{1 + 0x1p-44, 1}, 1 - 1e-13, 1},
		{"a difference that is rounded up", polytope.LInf, []float64{-0x1p-60},
			[]float64{1 - 0x1p-53}, 1 - 0x1p-53, 1 - 0x1p-53},
		{"ℓ2 beyond the root of float64", polytope.L2, []float64{0, 0}, []float64{3e200, 4e200},
			3e200 * (1 - 1e-13), 3e200},
		{"ℓ2 below the root of float64", polytope.L2, []float64{0, 0}, []float64{4e-200, 3e-200},
			3e-200 * (1 - 1e-13), 3e-200},
		{"ℓ2 of the smallest float64", polytope.L2, []float64{0, 0},
			[]float64{10 * math.SmallestNonzeroFloat64, inf}, 4 * math.SmallestNonzeroFloat64,
			10 * math.SmallestNonzeroFloat64},
		{"ℓ2 beside a threshold that stands for infinity", polytope.L2, []float64{0, 0},
			[]float64{2, 1e300}, 2 - 1e-12, 2},
		{"ℓ∞ beyond float64", polytope.LInf, []float64{-1.5e308, 0}, []float64{1.5e308, inf}, most,
			most},
		{"ℓ1 beyond float64", polytope.L1, []float64{-1.5e308, 0}, []float64{1.5e308, inf},
			0.99 * most, most},
		{"ℓ2 beyond float64", polytope.L2, []float64{-1.5e308, 0}, []float64{1.5e308, inf},
			0.99 * most, most},
		{"infinity for a border", polytope.LInf, []float64{0}, []float64{inf}, inf, inf},
	} {
		t.Run(test.name, func(t *testing.T) {
			var trees []*classifier.Tree
			for f, border := range test.borders {
				trees = append(trees, stumpAt(t, len(test.x), f, border, left, right))
			}
			opts := classifier.EnsembleOptions{
				Vote: classifier.SumVote,
				Base: []float64{0.5 - float64(len(trees)), 0},
			}
			classifiers := []classifier.Classifier{newEnsemble(t, trees, opts)}
			if len(trees) == 1 {
				classifiers = append(classifiers, trees[0])
			}
			for _, c := range classifiers {
				r, err := (&attack.RegionBased{
					Classifier: c,
					Options:    attack.Options{Norm: test.norm},
				}).Perturb(t.Context(), test.x)
				beyond := test.most == most
				if err != nil || r.Optimal() == beyond || r.Bound < test.least ||
					r.Bound > test.most {
					t.Fatalf("%T: %+v, %v, want a bound from %v to %v",
						c, r, err, test.least, test.most)
				}
				if (r.Example == nil) != (beyond || math.IsInf(test.most, 1)) ||
					(r.Example != nil && math.IsInf(geometry.Length(polytope.LInf, r.Example), 1)) {
					t.Fatalf("%T: %+v", c, r)
				}
			}
		})
	}
}

// manyLabels is a tree of few leaves and many labels, most of which no leaf predicts.
func manyLabels(t *testing.T, labels int) *classifier.Ensemble {
	t.Helper()
	left, right := make([]float64, labels), make([]float64, labels)
	left[0], right[7] = 1, 1
	return newEnsemble(t, []*classifier.Tree{stumpAt(t, 1, 0, 0.5, left, right)},
		classifier.EnsembleOptions{})
}

// TestManyLabels: only labels that a leaf can bring are searched for; the square of their
// number would take this test many seconds.
func TestManyLabels(t *testing.T) {
	e := manyLabels(t, racetest.Count(20_000, 20_000))
	r, err := (&attack.RegionBased{Classifier: e, Options: attack.Options{Workers: 1}}).Perturb(
		t.Context(), []float64{0},
	)
	if err != nil || !r.Optimal() || r.Label != 7 || r.Bound != 0.5 {
		t.Fatalf("%+v, %v", r, err)
	}
	if r.Nodes > 2 {
		t.Errorf("%d nodes opened, want no more than the nearest", r.Nodes)
	}
}

// endsSoon is a context that ends when it has been asked so many times.
type endsSoon struct {
	context.Context
	left int
}

func (c *endsSoon) Err() error {
	if c.left--; c.left < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// TestRootKeepsItsAnswer: whenever the context ends, at a label or a leaf, opening the
// root returns soon, with the answer of the climb and the proof still open.
func TestRootKeepsItsAnswer(t *testing.T) {
	e := manyLabels(t, racetest.Count(300, 300))
	q := search.Query{X: []float64{0}, Target: -1}
	kept := 0
	for asked := range 2000 {
		s, err := instance.SearchOf(t.Context(), e, q)
		if err != nil {
			t.Fatal(err)
		}
		root := s.Roots()[0]
		ctx := &endsSoon{t.Context(), asked}
		opened, err := s.NewOpener().Open(ctx, root, math.Inf(1))
		if ctx.left < -20 {
			t.Fatalf("asked %d times after the end", -ctx.left)
		}
		switch ended := ctx.left < 0; {
		case !ended && err == nil:
			return
		case ended && err == nil && opened.Answer != nil &&
			(len(opened.Children) == 0 || opened.Children[0].Bound > 0):
			t.Fatalf("asked %d times: %+v is all that is left of the proof", asked, opened)
		case err == nil:
			kept++
		}
		if err != nil && asked > 1000 {
			t.Fatalf("asked %d times: %v, without an answer", asked, err)
		}
	}
	t.Errorf("the root was never opened to the end; %d answers", kept)
}
