package oblique_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// drawn is an attack on a random small ensemble of oblique trees, or on its only tree.
type drawn struct {
	Classifier interface {
		classifier.Decomposable
	}
	Trees  [][]classifier.ObliqueNode
	Vote   classifier.EnsembleOptions
	Query  []float64
	Target *int
	Box    polytope.Box
}

// testDrawer draws tests biased to trouble: small integers for weights, thresholds on a
// grid, tests of one feature, of none, and tests equal or parallel to one drawn before.
type testDrawer struct {
	rng  *rand.Rand
	dim  int
	real bool // normally distributed weights
	old  []classifier.ObliqueNode
}

func (d *testDrawer) draw() classifier.ObliqueNode {
	rng := d.rng
	n := classifier.ObliqueNode{
		Weights:   make([]float64, d.dim),
		Threshold: float64(rng.IntN(9)-4) / 2,
	}
	switch kind := rng.IntN(8); {
	case kind < 2 && len(d.old) > 0:
		before := d.old[rng.IntN(len(d.old))]
		factor := []float64{1, -1, 2, -4, 3}[rng.IntN(5)]
		if d.real && factor == 3 {
			factor = 0.5 // without rounding
		}
		for j, w := range before.Weights {
			n.Weights[j] = factor * w
		}
		if n.Threshold *= math.Abs(factor); rng.IntN(2) == 0 {
			n.Threshold = factor * before.Threshold
		}
	case kind < 4:
		n.Weights[rng.IntN(d.dim)] = []float64{1, -1, 2, 0}[rng.IntN(4)]
	default:
		for j := range n.Weights {
			if n.Weights[j] = float64(rng.IntN(5) - 2); d.real {
				n.Weights[j] = rng.NormFloat64()
			}
		}
	}
	d.old = append(d.old, n)
	return n
}

// draw makes an ensemble of 1 to 4 trees, or a single one.
func draw(t testing.TB, rng *rand.Rand) drawn {
	t.Helper()
	dim, classes, most := 1+rng.IntN(4), 2+rng.IntN(3), 1+rng.IntN(4)
	tests := &testDrawer{rng: rng, dim: dim, real: dim > 1 && rng.IntN(4) == 0}
	var in drawn
	var trees []*classifier.ObliqueEnsemble
	for range most {
		nodes := instance.GrowOblique(rng, rng.IntN(4-most/3), instance.Thirds(rng, classes),
			tests.draw)
		trees, in.Trees = append(trees, instance.ObliqueTree(t, dim, nodes...)), append(in.Trees,
			nodes)
	}
	in.Vote = instance.DrawVote(rng, classes)
	in.Classifier = instance.ObliqueVote(t, in.Vote, trees...)
	if most == 1 && rng.IntN(2) == 0 {
		in.Classifier, in.Vote = trees[0], classifier.EnsembleOptions{}
	}
	for range dim {
		in.Query = append(in.Query, float64(rng.IntN(13)-6)/4)
	}
	if rng.IntN(3) == 0 {
		in.Target = new(rng.IntN(classes))
	}
	if rng.IntN(3) == 0 {
		in.Box = polytope.Cube(dim, -1.71, 1.33)
		switch j := rng.IntN(dim); rng.IntN(4) {
		case 0:
			in.Box[j] = polytope.Interval{Lo: 0.27, Hi: 0.27}
		case 1:
			in.Box[j] = polytope.Interval{Lo: math.Inf(-1), Hi: 1.33, HiOpen: true}
		}
	}
	return in
}
