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

// ensembleInstance is an attack on a random small ensemble.
type ensembleInstance struct {
	ensemble *classifier.Ensemble
	query    []float64
	target   *int
	box      polytope.Box
}

// drawEnsemble makes 1 to 6 trees of at most three splits over a few thresholds, with leaf
// values that often tie.
func drawEnsemble(t *testing.T, rng *rand.Rand) ensembleInstance {
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
	opts, scale := drawVote(rng, classes), 1.0
	if opts.Vote == classifier.SumVote && !opts.Single && opts.Base == nil {
		scale = []float64{1, 1e300, 1e-300}[rng.IntN(3)]
	}
	var trees []*classifier.Tree
	for range 1 + rng.IntN(6) {
		tree := growTree(t, rng, comparison, dim, classes, rng.IntN(3), draw, func() float64 { return scale * float64(rng.IntN(4)) / 3 })
		trees = append(trees, tree)
	}
	e, err := classifier.NewEnsemble(trees, opts)
	if err != nil {
		t.Fatal(err)
	}
	in := ensembleInstance{ensemble: e}
	for range dim {
		in.query = append(in.query, draw())
	}
	if rng.IntN(3) == 0 {
		in.target = new(rng.IntN(classes))
	}
	if rng.IntN(3) == 0 {
		in.box = polytope.Cube(dim, -0.25, 0.2)
	}
	return in
}

// drawVote draws how the trees decide; base values make ties likely.
func drawVote(rng *rand.Rand, classes int) classifier.EnsembleOptions {
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
func (in ensembleInstance) slots() [][][2]float64 {
	cuts := make([][]float64, len(in.query))
	for i := range in.ensemble.Len() {
		tree := in.ensemble.Tree(i)
		for _, n := range tree.Nodes() {
			if n.Left < 0 {
				continue
			}
			if x, ok := lastLeft(tree.Comparison(), n.Threshold); ok {
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
			if in.box != nil {
				a, b = max(a, in.box[f].Lo), min(b, in.box[f].Hi)
			}
			if a <= b {
				slots[f] = append(slots[f], [2]float64{a, b})
			}
			lo = math.Nextafter(end, math.Inf(1))
		}
	}
	return slots
}

// radius tries every combination of slots: the prediction is the same all over it,
// so its point nearest to the query decides.
func (in ensembleInstance) radius(norm polytope.Norm) float64 {
	from, least := in.ensemble.Predict(in.query), math.Inf(1)
	z := make([]float64, len(in.query))
	slots := in.slots()
	var try func(f int)
	try = func(f int) {
		if f < len(slots) {
			for _, s := range slots[f] {
				z[f] = min(max(in.query[f], s[0]), s[1])
				try(f + 1)
			}
			return
		}
		label := in.ensemble.Predict(z)
		if (in.target == nil && label != from) || (in.target != nil && label == *in.target) {
			least = min(least, norm.Distance(in.query, z))
		}
	}
	try(0)
	return least
}

func TestExactEnsemblesAgainstEnumeration(t *testing.T) {
	t.Parallel()
	for _, norm := range norms {
		t.Run("norm="+norm.String(), func(t *testing.T) {
			t.Parallel()
			want := instances(1500, 5000)
			compared := 0
			for number := uint64(0); compared < want; number++ {
				rng := rand.New(rand.NewPCG(number, 70+uint64(norm)))
				in := drawEnsemble(t, rng)
				if in.target != nil && *in.target == in.ensemble.Predict(in.query) {
					continue
				}
				compared++
				truth := in.radius(norm)
				o := attack.Options{Norm: norm, Target: in.target, Domain: in.box, Workers: 1}
				a := &attack.RegionBased{Classifier: in.ensemble, Options: o}
				switch number % 5 {
				case 0:
					a.Workers = 3
				case 1:
					a.Classifier = listed{in.ensemble}
				}
				r, err := a.Perturb(t.Context(), in.query)
				if err != nil {
					t.Fatalf("instance %d: %v", number, err)
				}
				if err := checkExact(t, in.ensemble, norm, in.query, r, truth); err != nil {
					t.Fatalf("instance %d: %v", number, err)
				}
				if !math.IsInf(truth, 1) && math.Abs(r.Distance-truth) > 1e-12 {
					t.Fatalf("instance %d: distance %v, want %v", number, r.Distance, truth)
				}
			}
		})
	}
}

// TestEnsembleWorkersAgree repeats attacks on a forest, whose equal distances are
// many, with several workers.
func TestEnsembleWorkersAgree(t *testing.T) {
	for number := range uint64(racetest.Scale(500)) {
		in := drawEnsemble(t, rand.New(rand.NewPCG(number, 80)))
		if in.target != nil && *in.target == in.ensemble.Predict(in.query) {
			continue
		}
		var first attack.Result
		for i, workers := range []int{1, 2, 8} {
			a := &attack.RegionBased{Classifier: in.ensemble, Options: attack.Options{Target: in.target, Domain: in.box, Workers: workers}}
			r, err := a.Perturb(t.Context(), in.query)
			if err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				first = r
			}
			if !slices.Equal(r.Example, first.Example) || r.Bound != first.Bound || r.Label != first.Label {
				t.Fatalf("instance %d, %d workers: %+v, with one %+v", number, workers, r, first)
			}
		}
	}
}
