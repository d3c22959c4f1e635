package attack_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors/weighted"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestTinyRows: rows that lie closer together than float64 can divide do not keep the search from
// ending.
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
// so large that squares overflow: every search ends, and its claims hold in exact arithmetic.
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

// TestLongLeads: classes that lead by so much that no float64 holds their odds win as others do.
func TestLongLeads(t *testing.T) {
	found := 0
	for number := range uint64(instance.Count(1000, 100000)) {
		rng := rand.New(rand.NewPCG(number, 326))
		var members []*classifier.Tree
		for range 1 + rng.IntN(3) {
			nodes := []classifier.TreeNode{{Left: 1, Right: 2}, {}, {Left: 3, Right: 4}, {}, {}}
			for i := range nodes {
				n := &nodes[i]
				n.Feature, n.Threshold = rng.IntN(2), float64(rng.IntN(9)-4)
				for range 3 {
					n.Value = append(n.Value, 1000*float64(rng.IntN(3)))
				}
				if n.Left == 0 {
					n.Feature, n.Left, n.Right = -1, -1, -1
				}
			}
			tree, err := classifier.NewTree(2, classifier.AtMostFloat64, nodes)
			if err != nil {
				t.Fatal(err)
			}
			members = append(members, tree)
		}
		e, err := classifier.NewEnsemble(members,
			classifier.EnsembleOptions{Vote: classifier.SoftmaxVote})
		if err != nil {
			t.Fatal(err)
		}
		p, err := e.Probability(rng.IntN(3))
		if err != nil {
			t.Fatal(err)
		}
		above, err := p.Above(0.9)
		if err != nil {
			t.Fatal(err)
		}
		x := []float64{float64(rng.IntN(9)) - 3.5, float64(rng.IntN(9)) - 3.5}
		from, nearest := above.Predict(x), math.Inf(1)
		for at := range 20 * 20 {
			z := []float64{float64(at%20)/2 - 4.75, float64(at/20)/2 - 4.75}
			if d := polytope.LInf.Distance(x, z); above.Predict(z) != from {
				nearest = min(nearest, d-0.25) // the threshold lies between this and the last
			}
		}
		r := ends(t, above, attack.Options{Workers: 1}, x)
		if !r.Optimal() || r.Distance != nearest && math.Abs(r.Distance-nearest) > 1e-9 {
			t.Fatalf("instance %d, %v: %+v, want %v", number, x, r, nearest)
		}
		if r.Example != nil {
			found++
		}
	}
	if found == 0 {
		t.Error("no answers")
	}
}

// TestLinearOfHugeNumbers: linear rules that no float64 can be moved to keep, since it would be too
// large, end no search.
func TestLinearOfHugeNumbers(t *testing.T) {
	for number := range uint64(instance.Count(2000, 100000)) {
		rng := rand.New(rand.NewPCG(number, 325))
		draw := func() float64 {
			return []float64{0, 1, -1, 1e300, -1e300, 9e307, -9e307, math.MaxFloat64}[rng.IntN(8)]
		}
		nodes := []classifier.TreeNode{{Left: 1, Right: 2}, {Left: 3, Right: 4}, {}, {}, {}}
		for i := range nodes {
			n := &nodes[i]
			n.Feature, n.Threshold, n.Value = rng.IntN(3), draw(), []float64{0, 0}
			if n.Left == 0 {
				n.Feature, n.Left, n.Right = -1, -1, -1
				n.Value[rng.IntN(2)] = 1
			}
		}
		tree, err := classifier.NewTree(3, classifier.BelowFloat64, nodes)
		if err != nil {
			t.Fatal(err)
		}
		rule := polytope.HalfSpace{A: []float64{-12, 0.5, 1}, B: draw(), Open: rng.IntN(2) == 0}
		rng.Shuffle(3, func(i, j int) { rule.A[i], rule.A[j] = rule.A[j], rule.A[i] })
		o := attack.Options{
			Norm: instance.Norms()[number%3], Linear: []polytope.HalfSpace{rule}, Workers: 1,
		}
		x := []float64{draw(), draw(), draw()}
		if r := ends(t, tree, o, x); r.Bound > r.Distance {
			t.Fatalf("instance %d: %+v", number, r)
		}
	}
}

// TestRowsNextToZero: coordinates whose squares and products underflow make no bound too high, and
// keep no search from ending.
func TestRowsNextToZero(t *testing.T) {
	one := 1
	for _, test := range []struct {
		name    string
		rows    [][]float64
		labels  []int
		k       int
		x       []float64
		options attack.Options
		most    float64 // of the bound
	}{
		{
			"a bisector all but parallel to a side of the domain",
			[][]float64{{0, 0}, {0, -50}, {3e-300, 0.1}}, []int{1, 0, 1}, 2, []float64{100, 0},
			attack.Options{
				Norm:   polytope.L2,
				Domain: polytope.Box{polytope.Line(), {Lo: -1e-300, Hi: math.Inf(1)}},
			},
			4.16665e302,
		},
		{
			"the same in ℓ∞, beyond float64",
			[][]float64{{0, 0}, {1e-316, 1}}, []int{1, 2}, 1, []float64{100, 0},
			attack.Options{Domain: polytope.Box{polytope.Line(), {Lo: math.Inf(-1)}}},
			math.MaxFloat64,
		},
		{
			"half the least number there is",
			[][]float64{{1}, {0}, {1}, {-5e-324}}, []int{1, 0, 1, 0}, 3, []float64{0.5},
			attack.Options{}, 0,
		},
		{
			"rows that a point violates and that leave it there",
			[][]float64{
				{1e-300, 1e-300}, {1e-300, -1e-300}, {0, -1e-300}, {-1e-300, -0.7150723972409521},
				{0.8017629827223711, 100}, {3e-300, 1e-300}, {1e-300, 1}, {1, 100},
			},
			[]int{1, 2, 2, 2, 1, 3, 2, 0}, 3, []float64{-1e-300, 1e-300},
			attack.Options{Norm: polytope.L1, Target: &one}, 51,
		},
		{
			"a way to a row that overflows",
			[][]float64{{-1.797690000000001e308, 0}, {0, -0.5}, {-3.393938654495288e-201, 0}},
			[]int{1, 1, 0}, 2, []float64{-1.797690000000001e308, -6e99}, attack.Options{},
			math.MaxFloat64,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			rows := mat.NewDense(len(test.rows), len(test.x), nil)
			for i, p := range test.rows {
				rows.SetRow(i, p)
			}
			c, err := classifier.TrainKNN(t.Context(), rows, test.labels,
				classifier.KNNOptions{K: test.k})
			if err != nil {
				t.Fatal(err)
			}
			a := &attack.RegionBased{Classifier: c, Options: test.options}
			r, err := a.Perturb(t.Context(), test.x)
			if err != nil || r.Bound > test.most {
				t.Errorf("%+v, %v, want a bound of at most %v", r, err, test.most)
			}
			if beyond := 2 * test.most; !math.IsInf(beyond, 1) && beyond > 0 {
				if v, err := verdictAt(t.Context(), a, test.x, beyond); err != nil ||
					v == attack.Holds {
					t.Errorf("RobustAt(%v) = %v, %v", beyond, v, err)
				}
			}
		})
	}
}

// stumps returns the sum of trees that vote for class 1 where feature 0 exceeds a threshold,
// against a base for class 0.
func stumps(t *testing.T, dim int, base float64, thresholds ...float64) *classifier.Ensemble {
	t.Helper()
	var members []*classifier.Tree
	for _, threshold := range thresholds {
		members = append(members, axisTree(t, dim,
			classifier.TreeNode{
				Threshold:   threshold,
				Left:        1,
				Right:       2,
				MissingLeft: true,
				Value:       []float64{0, 0},
			},
			classifier.TreeNode{Left: -1, Right: -1, Value: []float64{0, 0}},
			classifier.TreeNode{Left: -1, Right: -1, Value: []float64{0, 1}}))
	}
	e, err := classifier.NewEnsemble(members, classifier.EnsembleOptions{
		Vote: classifier.SumVote,
		Base: []float64{base, 0},
	})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestBeyondFloat64: an input whose distance, or cost, no float64 holds is no example, and no proof
// that there is none.
func TestBeyondFloat64(t *testing.T) {
	most := math.MaxFloat64
	far, near := stumps(t, 2, .5, 1e308), stumps(t, 1, .5, 1e9)
	tree := axisTree(t, 1,
		classifier.TreeNode{Threshold: 1e9, Left: 1, Right: 2, Value: []float64{0, 0}},
		classifier.TreeNode{Left: -1, Right: -1, Value: []float64{1, 0}},
		classifier.TreeNode{Left: -1, Right: -1, Value: []float64{0, 1}})
	costly := []attack.Feature{{Up: 1e300}}
	priced := []attack.Feature{{Up: .74, Down: .5, Missing: attack.MayMiss}, {Up: .001, Down: 1}}
	for _, norm := range instance.Norms() {
		for name, test := range map[string]struct {
			c     classifier.Classifier
			x     []float64
			rules []attack.Feature
		}{
			"across all float64":   {far, []float64{-most, -.5}, nil},
			"dear, in a vote":      {near, []float64{0}, costly},
			"dear, in a tree":      {tree, []float64{0}, costly},
			"with a missing value": {stumps(t, 2, .5, most/2), []float64{-most, -.5}, priced},
		} {
			a := &attack.RegionBased{
				Classifier: test.c,
				Options:    attack.Options{Norm: norm, Features: test.rules},
			}
			r, err := a.Perturb(t.Context(), test.x)
			if err != nil || r.Example != nil || r.Optimal() || !(r.Bound > 1e200) ||
				math.IsInf(r.Bound, 1) {
				t.Errorf("%s, %v: %+v, %v, want a bound", name, norm, r, err)
			}
			if robust, err := verdictAt(t.Context(), a, test.x, 1e200); robust != attack.Holds ||
				err != nil {
				t.Errorf("%s, %v: at 1e200: %v, %v", name, norm, robust, err)
			}
			if robust, err := verdictAt(t.Context(), a, test.x, most); robust == attack.Refuted ||
				err != nil {
				t.Errorf("%s, %v: at %v: %v, %v", name, norm, most, robust, err)
			}
		}
	}
}

// TestOverflowingPrices: a part whose best leaves disagree is split between them even where the
// cost of a move overflows, so that the search ends.
func TestOverflowingPrices(t *testing.T) {
	leaf := func(a, b float64) classifier.TreeNode {
		return classifier.TreeNode{Left: -1, Right: -1, Value: []float64{a, b}}
	}
	test := func(feature int, threshold float64, left, right int) classifier.TreeNode {
		return classifier.TreeNode{
			Feature:   feature,
			Threshold: threshold,
			Left:      left,
			Right:     right,
			Value:     []float64{0, 0},
		}
	}
	most := math.MaxFloat64
	e, err := classifier.NewEnsemble([]*classifier.Tree{
		axisTree(t, 2, test(1, -most, 1, 4), test(1, most, 2, 3), leaf(1, 2), leaf(0, 1),
			test(1, 0, 5, 6), leaf(1, 2), leaf(2, 2)),
		axisTree(t, 2, test(1, most, 1, 4), test(0, -1e308, 2, 3), leaf(2, 0), leaf(2, 0),
			test(0, 0, 5, 6), leaf(2, 1), leaf(1, 2)),
	}, classifier.EnsembleOptions{Vote: classifier.SumVote})
	if err != nil {
		t.Fatal(err)
	}
	a := &attack.RegionBased{
		Classifier: e,
		Options:    attack.Options{Norm: polytope.L1, Workers: 1, MaxNodes: 1000},
	}
	if r, err := a.Perturb(t.Context(), []float64{.5, -1e308}); err != nil || r.Nodes > 50 ||
		r.Example != nil || r.Optimal() {
		t.Errorf("%+v, %v, want a bound after some nodes", r, err)
	}
}

// axisTree returns a tree whose tests are x ≤ t.
func axisTree(t *testing.T, dim int, nodes ...classifier.TreeNode) *classifier.Tree {
	t.Helper()
	tree, err := classifier.NewTree(dim, classifier.AtMostFloat64, nodes)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}
