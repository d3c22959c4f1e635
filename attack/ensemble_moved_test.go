package attack_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// drawIntegers makes an ensemble over small integers whose votes are added without
// rounding, in comparisons that do not round either.
func drawIntegers(t *testing.T, rng *rand.Rand) ensembleInstance {
	t.Helper()
	dim, classes := 1+rng.IntN(4), 2+rng.IntN(2)
	draw := func() float64 { return float64(rng.IntN(25) - 12) }
	comparison := classifier.AtMostFloat64 + 2*classifier.Comparison(rng.IntN(2))
	var trees []*classifier.Tree
	for range 1 + rng.IntN(7) {
		trees = append(trees, growTree(t, rng, comparison, dim, classes, 1+rng.IntN(3), draw, func() float64 { return float64(rng.IntN(4)) }))
	}
	in := ensembleInstance{ensemble: newEnsemble(t, trees, classifier.EnsembleOptions{Vote: []classifier.Vote{classifier.HardVote, classifier.SumVote}[rng.IntN(2)]})}
	for range dim {
		in.query = append(in.query, draw())
	}
	if rng.IntN(3) == 0 {
		in.box = drawSides(rng, dim, draw)
	}
	return in
}

func newEnsemble(t *testing.T, trees []*classifier.Tree, opts classifier.EnsembleOptions) *classifier.Ensemble {
	t.Helper()
	e, err := classifier.NewEnsemble(trees, opts)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// changed returns the instance with every tree made anew from changed nodes.
func (in ensembleInstance) changed(t *testing.T, change func(n *classifier.TreeNode)) []*classifier.Tree {
	t.Helper()
	var trees []*classifier.Tree
	for i := range in.ensemble.Len() {
		nodes := in.ensemble.Tree(i).Nodes()
		for j := range nodes {
			if nodes[j].Left >= 0 {
				change(&nodes[j])
			}
		}
		tree, err := classifier.NewTree(in.ensemble.Dim(), in.ensemble.Tree(i).Comparison(), nodes)
		if err != nil {
			t.Fatal(err)
		}
		trees = append(trees, tree)
	}
	return trees
}

// affine returns the instance with every coordinate v replaced by scale·v + shift.
func (in ensembleInstance) affine(t *testing.T, scale, shift float64) ensembleInstance {
	trees := in.changed(t, func(n *classifier.TreeNode) { n.Threshold = scale*n.Threshold + shift })
	out := ensembleInstance{ensemble: newEnsemble(t, trees, in.ensemble.Options()), query: affine(in.query, scale, shift)}
	for _, i := range in.box {
		i.Lo, i.Hi = scale*i.Lo+shift, scale*i.Hi+shift
		out.box = append(out.box, i)
	}
	return out
}

// turned returns the instance with its features in another order.
func (in ensembleInstance) turned(t *testing.T, order []int) ensembleInstance {
	trees := in.changed(t, func(n *classifier.TreeNode) { n.Feature = order[n.Feature] })
	out := ensembleInstance{ensemble: newEnsemble(t, trees, in.ensemble.Options()), query: make([]float64, len(order))}
	if in.box != nil {
		out.box = make(polytope.Box, len(order))
	}
	for f, to := range order {
		if out.query[to] = in.query[f]; in.box != nil {
			out.box[to] = in.box[f]
		}
	}
	return out
}

// ofTrees returns the instance with other trees.
func (in ensembleInstance) ofTrees(t *testing.T, trees []*classifier.Tree) ensembleInstance {
	in.ensemble = newEnsemble(t, trees, in.ensemble.Options())
	return in
}

// TestEnsemblesMovedAndScaled: moving integers and scaling by powers of two, other
// orders of the features and trees, and every tree twice change no bound by a bit,
// and no distance by more than the ulps by which an example lies inside.
func TestEnsemblesMovedAndScaled(t *testing.T) {
	for number := range uint64(racetest.Scale(1500)) {
		rng := rand.New(rand.NewPCG(number, 810))
		in, norm := drawIntegers(t, rng), norms[number%3]
		perturb := func(in ensembleInstance, workers int) attack.Result {
			t.Helper()
			a := &attack.RegionBased{Classifier: in.ensemble, Options: attack.Options{Norm: norm, Domain: in.box, Workers: workers}}
			r, err := a.Perturb(t.Context(), in.query)
			if err != nil || r.Optimal != (r.Example == nil || attains(r)) {
				t.Fatalf("instance %d: %v, %+v", number, err, r)
			}
			return r
		}
		want := perturb(in, 1)
		check := func(what string, r attack.Result, scale, ulp float64) {
			t.Helper()
			if r.Bound != scale*want.Bound || (r.Example == nil) != (want.Example == nil) {
				t.Fatalf("instance %d, norm %v, %s: bound %v, want %v times %v", number, norm, what, r.Bound, scale, want.Bound)
			}
			if r.Example != nil && math.Abs(r.Distance-scale*want.Distance) > float64(2*len(in.query))*ulp {
				t.Fatalf("instance %d, norm %v, %s: distance %v, want %v times %v", number, norm, what, r.Distance, scale, want.Distance)
			}
		}
		for e := 10; e <= 45; e += 5 {
			shift := math.Ldexp(1, e)
			check("moved", perturb(in.affine(t, 1, shift), 1), 1, shift*0x1p-51)
			check("moved down", perturb(in.affine(t, 1, -shift), 1), 1, shift*0x1p-51)
		}
		for _, e := range []int{-900, -300, -52, 1, 52, 300, 900} {
			scaled := perturb(in.affine(t, math.Ldexp(1, e), 0), 1)
			check("scaled", scaled, math.Ldexp(1, e), math.Ldexp(1, e-48))
			if scaled.Label != want.Label {
				t.Fatalf("instance %d, norm %v, scaled by 2^%d: label %d, want %d", number, norm, e, scaled.Label, want.Label)
			}
		}
		trees := make([]*classifier.Tree, in.ensemble.Len())
		for i, to := range rng.Perm(len(trees)) {
			trees[to] = in.ensemble.Tree(i)
		}
		const ulp = 0x1p-48 // of coordinates up to 16
		check("features in another order", perturb(in.turned(t, rng.Perm(len(in.query))), 1), 1, ulp)
		check("trees in another order", perturb(in.ofTrees(t, trees), 1), 1, ulp)
		check("every tree twice", perturb(in.ofTrees(t, append(trees, trees...)), 1), 1, ulp)
		for _, workers := range []int{2, 5} {
			r := perturb(in, workers)
			if check("workers", r, 1, 0); r.Label != want.Label || !slices.Equal(r.Example, want.Example) {
				t.Fatalf("instance %d, norm %v, %d workers: %+v, want %+v", number, norm, workers, r, want)
			}
		}
	}
}
