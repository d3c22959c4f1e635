package oblique_test

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestSlivers: cells that hold real numbers and no float64 hold the bound down, of one tree and of
// votes, as they do those of axis-parallel trees.
func TestSlivers(t *testing.T) {
	below := polytope.Box{{Hi: math.Nextafter(3, 4), HiOpen: true}}
	most := math.MaxFloat64
	for _, test := range []struct {
		name string
		// a chain: label 0, 1, 0 … to the left of each, and at its end
		tests  []classifier.ObliqueNode
		x      float64
		domain polytope.Box
		bound  float64
	}{
		{"between two quotients", []classifier.ObliqueNode{weighing(-2, -.2), weighing(-20, -2)}, 2,
			nil, 1.9},
		{"two ways to write 1/10", []classifier.ObliqueNode{weighing(-20, -2), weighing(-10, -1)},
			2, nil, math.Inf(1)},
		{"between a test and an open end", []classifier.ObliqueNode{weighing(1, 3)}, 2, below, 1},
		{"beyond the largest float64", []classifier.ObliqueNode{weighing(1, most)}, 2, nil,
			math.Nextafter(most, 0)},
		{"twice the largest", []classifier.ObliqueNode{weighing(.5, most)}, -most, nil, most},
		{"less than the smallest", []classifier.ObliqueNode{weighing(-.5, most)}, 2, nil, most},
	} {
		tree := chain(t, test.tests)
		for _, c := range []classifier.Classifier{tree, voteOf(t, tree)} {
			a := &attack.RegionBased{Classifier: c, Options: attack.Options{Domain: test.domain}}
			r, err := a.Perturb(t.Context(), []float64{test.x})
			if none := math.IsInf(test.bound, 1); err != nil || r.Bound != test.bound ||
				r.Optimal() != none || r.Example != nil {
				t.Errorf("%s: %T: %+v, %v, want the bound %v", test.name, c, r, err, test.bound)
			}
			if test.bound < 2 {
				r, err := a.RobustAt(t.Context(), []float64{test.x}, 2)
				if v := r.Verdict(2); v != attack.Undecided || err != nil {
					t.Errorf("%s: %T: robust at 2: %v, %v", test.name, c, v, err)
				}
			}
		}
	}
}

// weighing returns the test w·x ≤ t.
func weighing(w, t float64) classifier.ObliqueNode {
	return classifier.ObliqueNode{Weights: []float64{w}, Threshold: t}
}

// chain returns a tree of tests that send left to a leaf each, with labels 0, 1, 0 and so on, one
// of which is on the right of the last.
func chain(t testing.TB, tests []classifier.ObliqueNode) *classifier.ObliqueEnsemble {
	t.Helper()
	leaf := func(label int) classifier.ObliqueNode {
		value := []float64{1, 0}
		if label%2 == 1 {
			slices.Reverse(value)
		}
		return classifier.ObliqueNode{Left: -1, Right: -1, Value: value}
	}
	var nodes []classifier.ObliqueNode
	for i, n := range tests {
		n.Left, n.Right, n.Value = 2*i+1, 2*i+2, []float64{0, 0}
		nodes = append(nodes, n, leaf(i))
	}
	return instance.ObliqueTree(t, len(tests[0].Weights), append(nodes, leaf(len(tests)))...)
}

func voteOf(t testing.TB, trees ...*classifier.ObliqueEnsemble) *classifier.ObliqueEnsemble {
	t.Helper()
	return instance.ObliqueVote(t, classifier.EnsembleOptions{Vote: classifier.HardVote}, trees...)
}

// end is where the inputs on the left of w·x ≤ t end, times the sign of w: exact, and rounded where
// the rounded product sends more float64 left.
func end(w, t float64) *big.Rat {
	size := math.Abs(w)
	last := t / size
	for size*last > t {
		last = math.Nextafter(last, math.Inf(-1))
	}
	for next := math.Nextafter(
		last, math.Inf(1),
	); size*next <= t; next = math.Nextafter(last, math.Inf(1)) {
		last = next
	}
	exact := new(big.Rat).Quo(new(big.Rat).SetFloat64(t), new(big.Rat).SetFloat64(size))
	if rounded := new(big.Rat).SetFloat64(last); rounded.Cmp(exact) > 0 {
		return rounded
	}
	return exact
}

// TestSliversExactly compares with the infimum over the real numbers: chains of tests of one
// feature, and votes of them, between borders a few units in the last place apart.
func TestSliversExactly(t *testing.T) {
	slivers, none := 0, 0
	drawn := instance.Count(3000, 100000)
	for number := range uint64(drawn) {
		rng := rand.New(rand.NewPCG(number, 1900))
		near := rng.NormFloat64() * math.Ldexp(1, rng.IntN(40)-10)
		var trees []*classifier.ObliqueEnsemble
		var chains [][]classifier.ObliqueNode
		for range 1 + rng.IntN(3) {
			var tests []classifier.ObliqueNode
			for range 1 + rng.IntN(3) {
				w := []float64{1, -1, 3, -3, 10, -10, 20, 0.1, -0.7}[rng.IntN(9)]
				tests = append(tests, weighing(w, w*near))
			}
			trees, chains = append(trees, chain(t, tests)), append(chains, tests)
		}
		x := near + rng.NormFloat64()
		domain := polytope.Interval{Lo: near - 8, Hi: near, HiOpen: rng.IntN(2) == 0}
		if rng.IntN(2) == 0 {
			domain = polytope.Line()
		}
		if x = geometry.Nearest(domain, x); !domain.Contains(x) {
			continue
		}
		classifiers := []classifier.Classifier{voteOf(t, trees...)}
		if len(trees) == 1 {
			classifiers = append(classifiers, trees[0])
		}
		want := sliverInfimum(chains, x, domain, classifiers[0].Predict([]float64{x}))
		for _, c := range classifiers {
			a := &attack.RegionBased{
				Classifier: c,
				Options:    attack.Options{Domain: polytope.Box{domain}, Workers: 1},
			}
			r, err := a.Perturb(context.Background(), []float64{x})
			switch {
			case err != nil:
				t.Fatalf("instance %d: %v", number, err)
			case (want == nil) != math.IsInf(r.Bound, 1):
				t.Fatalf("instance %d: %T: %+v, want %v", number, c, r, want)
			case want == nil:
				none++
				continue
			}
			bound, distance := new(big.Rat).SetFloat64(r.Bound), new(big.Float).SetRat(want)
			nearest, _ := distance.Float64()
			if bound.Cmp(want) > 0 || (r.Optimal() && r.Distance-nearest > 1e-9*max(1, nearest)) {
				t.Fatalf("instance %d: %T: %+v, want %v", number, c, r, nearest)
			}
			if r.Example == nil {
				slivers++
			}
		}
	}
	if slivers < drawn/60 || none < drawn/6 {
		t.Errorf("%d slivers, %d without an answer: want more", slivers, none)
	}
}

// sliverInfimum returns the distance of the nearest real number in the domain that a hard vote of
// chains labels otherwise, nil if there is none. Between two neighbours of the ends of tests, their
// own and those of the domain, the label is one.
func sliverInfimum(
	chains [][]classifier.ObliqueNode, x float64, domain polytope.Interval, from int,
) *big.Rat {
	var ends []*big.Rat
	for _, c := range chains {
		for _, n := range c {
			e := end(n.Weights[0], n.Threshold)
			if n.Weights[0] < 0 {
				e.Neg(e)
			}
			ends = append(ends, e)
		}
	}
	for _, v := range []float64{domain.Lo, domain.Hi, x} {
		if !math.IsInf(v, 0) {
			ends = append(ends, new(big.Rat).SetFloat64(v))
		}
	}
	slices.SortFunc(ends, func(a, b *big.Rat) int { return a.Cmp(b) })
	first, last := new(big.Rat).Sub(ends[0], big.NewRat(1, 1)), new(big.Rat).Add(ends[len(ends)-1],
		big.NewRat(1, 1))
	ends = append([]*big.Rat{first}, append(ends, last)...)
	var nearest *big.Rat
	offer := func(z *big.Rat, closure ...*big.Rat) {
		if !holds(domain, z) || hardLabel(chains, z) == from {
			return
		}
		for _, v := range closure {
			d := new(big.Rat).Sub(v, new(big.Rat).SetFloat64(x))
			if d.Abs(d); nearest == nil || d.Cmp(nearest) < 0 {
				nearest = d
			}
		}
	}
	for i, v := range ends {
		offer(v, v)
		if i > 0 && ends[i-1].Cmp(v) < 0 {
			middle := new(big.Rat).Add(ends[i-1], v)
			offer(middle.Mul(middle, big.NewRat(1, 2)), ends[i-1], v)
		}
	}
	return nearest
}

// holds reports whether a real number lies in an interval.
func holds(i polytope.Interval, z *big.Rat) bool {
	above := func(v float64, open bool, sign int) bool {
		if math.IsInf(v, 0) {
			return true
		}
		c := sign * z.Cmp(new(big.Rat).SetFloat64(v))
		return c > 0 || c == 0 && !open
	}
	return above(i.Lo, i.LoOpen, 1) && above(i.Hi, i.HiOpen, -1)
}

// hardLabel returns the label that most chains give a real number, the smaller of two.
func hardLabel(chains [][]classifier.ObliqueNode, z *big.Rat) int {
	ones := 0
	for _, c := range chains {
		label := len(c)
		for i := len(c) - 1; i >= 0; i-- {
			signed := new(big.Rat).Set(z)
			if c[i].Weights[0] < 0 {
				signed.Neg(z)
			}
			if signed.Cmp(end(c[i].Weights[0], c[i].Threshold)) <= 0 {
				label = i
			}
		}
		ones += label % 2
	}
	if 2*ones > len(chains) {
		return 1
	}
	return 0
}
