package instance

import (
	"math"
	"math/rand/v2"
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
		tree := GrowTree(t, rng, comparison, dim, classes, rng.IntN(3), draw,
			func() float64 { return scale * float64(rng.IntN(4)) / 3 })
		trees = append(trees, tree)
	}
	if opts.Vote == classifier.SoftVote && rng.IntN(2) == 0 {
		opts.Divisor = float64(len(trees)) * (1 - rng.Float64()/2) // more than half
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
