package boxtree_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// drawIntegers makes an ensemble over small integers whose votes are added without
// rounding, in comparisons that do not round either.
func drawIntegers(t *testing.T, rng *rand.Rand) instance.Ensemble {
	t.Helper()
	dim, classes := 1+rng.IntN(4), 2+rng.IntN(2)
	draw := func() float64 { return float64(rng.IntN(25) - 12) }
	comparison := classifier.AtMostFloat64 + 2*classifier.Comparison(rng.IntN(2))
	var trees []*classifier.Tree
	for range 1 + rng.IntN(7) {
		trees = append(trees,
			instance.GrowTree(t, rng, comparison, dim, classes, 1+rng.IntN(3), draw,
				func() float64 { return float64(rng.IntN(4)) }))
	}
	in := instance.Ensemble{
		Ensemble: newEnsemble(t, trees, classifier.EnsembleOptions{
			Vote: []classifier.Vote{classifier.HardVote, classifier.SumVote}[rng.IntN(2)],
		}),
	}
	for range dim {
		in.Query = append(in.Query, draw())
	}
	if rng.IntN(3) == 0 {
		in.Box = drawSides(rng, dim, draw)
	}
	return in
}

func newEnsemble(
	t *testing.T, trees []*classifier.Tree, opts classifier.EnsembleOptions,
) *classifier.Ensemble {
	t.Helper()
	e, err := classifier.NewEnsemble(trees, opts)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// changed returns the instance with every tree made anew from changed nodes.
func changed(
	in instance.Ensemble, t *testing.T, change func(n *classifier.TreeNode),
) []*classifier.Tree {
	t.Helper()
	var trees []*classifier.Tree
	for i := range in.Ensemble.Len() {
		nodes := in.Ensemble.Tree(i).Nodes()
		for j := range nodes {
			if nodes[j].Left >= 0 {
				change(&nodes[j])
			}
		}
		tree, err := classifier.NewTree(in.Ensemble.Dim(), in.Ensemble.Tree(i).Comparison(), nodes)
		if err != nil {
			t.Fatal(err)
		}
		trees = append(trees, tree)
	}
	return trees
}

// scaledBy returns the instance with every coordinate v replaced by scale·v + shift.
func scaledBy(in instance.Ensemble, t *testing.T, scale, shift float64) instance.Ensemble {
	trees := changed(in, t,
		func(n *classifier.TreeNode) { n.Threshold = scale*n.Threshold + shift })
	out := instance.Ensemble{
		Ensemble: newEnsemble(t, trees, in.Ensemble.Options()),
		Query:    affine(in.Query, scale, shift),
	}
	for _, i := range in.Box {
		i.Lo, i.Hi = scale*i.Lo+shift, scale*i.Hi+shift
		out.Box = append(out.Box, i)
	}
	return out
}

// turned returns the instance with its features in another order.
func turned(in instance.Ensemble, t *testing.T, order []int) instance.Ensemble {
	trees := changed(in, t, func(n *classifier.TreeNode) { n.Feature = order[n.Feature] })
	out := instance.Ensemble{
		Ensemble: newEnsemble(t, trees, in.Ensemble.Options()),
		Query:    make([]float64, len(order)),
	}
	if in.Box != nil {
		out.Box = make(polytope.Box, len(order))
	}
	for f, to := range order {
		if out.Query[to] = in.Query[f]; in.Box != nil {
			out.Box[to] = in.Box[f]
		}
	}
	return out
}

// ofTrees returns the instance with other trees.
func ofTrees(in instance.Ensemble, t *testing.T, trees []*classifier.Tree) instance.Ensemble {
	in.Ensemble = newEnsemble(t, trees, in.Ensemble.Options())
	return in
}

// TestEnsemblesMovedAndScaled: moving integers and scaling by powers of two, other
// orders of the features and trees, and every tree twice change no bound by a bit,
// and no distance by more than the ulps by which an example lies inside.
func TestEnsemblesMovedAndScaled(t *testing.T) {
	for number := range uint64(racetest.Scale(1500)) {
		rng := rand.New(rand.NewPCG(number, 810))
		in, norm := drawIntegers(t, rng), instance.Norms()[number%3]
		perturb := func(in instance.Ensemble, workers int) attack.Result {
			t.Helper()
			a := &attack.RegionBased{
				Classifier: in.Ensemble,
				Options:    attack.Options{Norm: norm, Domain: in.Box, Workers: workers},
			}
			r, err := a.Perturb(t.Context(), in.Query)
			if err != nil || r.Optimal() != (r.Example == nil || attains(r)) {
				t.Fatalf("instance %d: %v, %+v", number, err, r)
			}
			return r
		}
		want := perturb(in, 1)
		check := func(what string, r attack.Result, scale, ulp float64) {
			t.Helper()
			if r.Bound != scale*want.Bound || (r.Example == nil) != (want.Example == nil) {
				t.Fatalf("instance %d, norm %v, %s: bound %v, want %v times %v",
					number, norm, what, r.Bound, scale, want.Bound)
			}
			if r.Example != nil &&
				math.Abs(r.Distance-scale*want.Distance) > float64(2*len(in.Query))*ulp {
				t.Fatalf("instance %d, norm %v, %s: distance %v, want %v times %v",
					number, norm, what, r.Distance, scale, want.Distance)
			}
		}
		for e := 10; e <= 45; e += 5 {
			shift := math.Ldexp(1, e)
			check("moved", perturb(scaledBy(in, t, 1, shift), 1), 1, shift*0x1p-51)
			check("moved down", perturb(scaledBy(in, t, 1, -shift), 1), 1, shift*0x1p-51)
		}
		for _, e := range []int{-900, -300, -52, 1, 52, 300, 900} {
			scaled := perturb(scaledBy(in, t, math.Ldexp(1, e), 0), 1)
			check("scaled", scaled, math.Ldexp(1, e), math.Ldexp(1, e-48))
			if scaled.Label != want.Label {
				t.Fatalf("instance %d, norm %v, scaled by 2^%d: label %d, want %d",
					number, norm, e, scaled.Label, want.Label)
			}
		}
		trees := make([]*classifier.Tree, in.Ensemble.Len())
		for i, to := range rng.Perm(len(trees)) {
			trees[to] = in.Ensemble.Tree(i)
		}
		const ulp = 0x1p-48 // of coordinates up to 16
		check("features in another order",
			perturb(turned(in, t, rng.Perm(len(in.Query))), 1), 1, ulp)
		check("trees in another order", perturb(ofTrees(in, t, trees), 1), 1, ulp)
		check("every tree twice", perturb(ofTrees(in, t, append(trees, trees...)), 1), 1, ulp)
		for _, workers := range []int{2, 5} {
			r := perturb(in, workers)
			if check("workers", r, 1, 0); r.Label != want.Label ||
				!slices.Equal(r.Example, want.Example) {
				t.Fatalf("instance %d, norm %v, %d workers: %+v, want %+v",
					number, norm, workers, r, want)
			}
		}
	}
}

// TestTreesMovedAndScaled scales trees, whose distances scale to the last bit.
func TestTreesMovedAndScaled(t *testing.T) {
	for number := range uint64(racetest.Scale(1500)) {
		rng := rand.New(rand.NewPCG(number, 800))
		in := instance.DrawTree(t, rng)
		norm := instance.Norms()[number%3]
		want, err := (&attack.RegionBased{
			Classifier: in.Tree,
			Options:    attack.Options{Norm: norm, Workers: 1},
		}).Perturb(t.Context(), in.Query)
		if err != nil {
			t.Fatal(err)
		}
		for _, scale := range []float64{0x1p20, 0x1p-20} {
			nodes, exact := in.Tree.Nodes(), true
			for i, n := range nodes {
				nodes[i].Threshold *= scale
				exact = exact && nodes[i].Threshold/scale == n.Threshold
			}
			for _, v := range in.Query {
				exact = exact && v*scale/scale == v
			}
			if !exact { // denormal numbers
				continue
			}
			tree, err := classifier.NewTree(in.Tree.Dim(), in.Tree.Comparison(), nodes)
			if err != nil {
				t.Fatal(err)
			}
			r, err := (&attack.RegionBased{
				Classifier: tree,
				Options:    attack.Options{Norm: norm, Workers: 1},
			}).Perturb(t.Context(), affine(in.Query, scale, 0))
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(r.Distance-scale*want.Distance) > 1e-15*scale ||
				(r.Example == nil) != (want.Example == nil) {
				t.Fatalf("instance %d, scaled by %v: distance %v, want %v",
					number, scale, r.Distance, scale*want.Distance)
			}
		}
	}
}

// affine returns scale·v + shift for every v.
func affine(x []float64, scale, shift float64) []float64 {
	moved := make([]float64, len(x))
	for j, v := range x {
		moved[j] = scale*v + shift
	}
	return moved
}
