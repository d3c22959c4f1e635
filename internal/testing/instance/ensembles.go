package instance

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Ensemble is an attack on a random small ensemble.
type Ensemble struct {
	Ensemble *classifier.Ensemble
	Query    []float64
	Target   *int
	Box      polytope.Box
}

// DrawEnsemble makes 1 to 6 trees of at most three splits over a few thresholds, with leaf
// values that often tie.
func DrawEnsemble(t testing.TB, rng *rand.Rand) Ensemble {
	t.Helper()
	dim, classes := 1+rng.IntN(4), 2+rng.IntN(3)
	comparison := classifier.Comparison(rng.IntN(4))
	draw := func() float64 {
		v := float64(rng.IntN(7)-3) / 10
		if rng.IntN(5) == 0 {
			v = math.Nextafter(v, 1)
		}
		return v
	}
	opts, scale := DrawVote(rng, classes), 1.0
	if opts.Vote == classifier.SumVote && !opts.Single && opts.Base == nil {
		scale = []float64{1, 1e300, 1e-300}[rng.IntN(3)]
	}
	var trees []*classifier.Tree
	for range 1 + rng.IntN(6) {
		tree := GrowTree(t, rng, comparison, dim, classes, rng.IntN(3), draw, func() float64 { return scale * float64(rng.IntN(4)) / 3 })
		trees = append(trees, tree)
	}
	e, err := classifier.NewEnsemble(trees, opts)
	if err != nil {
		t.Fatal(err)
	}
	in := Ensemble{Ensemble: e}
	for range dim {
		in.Query = append(in.Query, draw())
	}
	if rng.IntN(3) == 0 {
		in.Target = new(rng.IntN(classes))
	}
	if rng.IntN(3) == 0 {
		in.Box = polytope.Cube(dim, -0.25, 0.2)
	}
	return in
}

// DrawVote draws how the trees decide; base values make ties likely.
func DrawVote(rng *rand.Rand, classes int) classifier.EnsembleOptions {
	o := classifier.EnsembleOptions{Vote: classifier.Vote(rng.IntN(5)), Single: rng.IntN(2) == 0}
	if o.Vote == classifier.LogisticVote && classes != 2 {
		o.Vote = classifier.SumVote
	}
	if o.Vote >= classifier.SumVote && rng.IntN(2) == 0 {
		for range classes {
			o.Base = append(o.Base, float64(rng.IntN(7)-3)/3)
		}
	}
	return o
}

// slots returns the ranges of float64 between the borders of each feature, ends included.
func (in Ensemble) slots() [][][2]float64 {
	cuts := make([][]float64, len(in.Query))
	for i := range in.Ensemble.Len() {
		tree := in.Ensemble.Tree(i)
		for _, n := range tree.Nodes() {
			if n.Left < 0 {
				continue
			}
			if x, ok := LastLeft(tree.Comparison(), n.Threshold); ok {
				cuts[n.Feature] = append(cuts[n.Feature], x)
			}
		}
	}
	slots := make([][][2]float64, len(cuts))
	for f, c := range cuts {
		slices.Sort(c)
		lo := -math.MaxFloat64
		for _, end := range append(slices.Compact(c), math.MaxFloat64) {
			a, b := lo, end
			if in.Box != nil {
				a, b = max(a, in.Box[f].Lo), min(b, in.Box[f].Hi)
			}
			if a <= b {
				slots[f] = append(slots[f], [2]float64{a, b})
			}
			lo = math.Nextafter(end, math.Inf(1))
		}
	}
	return slots
}

// Radius tries every combination of slots: the prediction is the same all over it,
// so its point nearest to the query decides.
func (in Ensemble) Radius(norm polytope.Norm) float64 {
	from, least := in.Ensemble.Predict(in.Query), math.Inf(1)
	z := make([]float64, len(in.Query))
	slots := in.slots()
	var try func(f int)
	try = func(f int) {
		if f < len(slots) {
			for _, s := range slots[f] {
				z[f] = min(max(in.Query[f], s[0]), s[1])
				try(f + 1)
			}
			return
		}
		label := in.Ensemble.Predict(z)
		if (in.Target == nil && label != from) || (in.Target != nil && label == *in.Target) {
			least = min(least, norm.Distance(in.Query, z))
		}
	}
	try(0)
	return least
}
