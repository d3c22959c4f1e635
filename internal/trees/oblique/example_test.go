package oblique_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

func rat(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

// normals draws the coordinates of a point.
func normals(rng *rand.Rand, dim int) []float64 {
	p := make([]float64, dim)
	for j := range p {
		p[j] = rng.NormFloat64()
	}
	return p
}

// TestExamplesFlipInExactArithmetic: an example must not owe its label to the way in
// which Predict rounds sums.
func TestExamplesFlipInExactArithmetic(t *testing.T) {
	e, points := bagged(t, 8, 5)
	for i, x := range points {
		for _, norm := range instance.Norms() {
			r, err := (&attack.RegionBased{
				Classifier: e,
				Options:    attack.Options{Norm: norm, Workers: 1},
			}).Perturb(t.Context(), x)
			if err != nil {
				t.Fatal(err)
			}
			sum := make([]float64, 2)
			for k := range e.Len() {
				nodes := e.Tree(k)
				n := nodes[0]
				for n.Left >= 0 {
					exact := new(big.Rat)
					for j, w := range n.Weights {
						exact.Add(exact, new(big.Rat).Mul(rat(w), rat(r.Example[j])))
					}
					if exact.Cmp(rat(n.Threshold)) <= 0 {
						n = nodes[n.Left]
					} else {
						n = nodes[n.Right]
					}
				}
				sum[0] += n.Value[0]
				sum[1] += n.Value[1]
			}
			if label := r.Label; sum[label] < sum[1-label] {
				t.Errorf("point %d, norm %v: exact sums %v, Predict says %d", i, norm, sum, label)
			}
		}
	}
}

// TestExamplesFlipInAnyOrder sums many products backwards and in pairs: an example lies so
// far inside its cell that its label is the same.
func TestExamplesFlipInAnyOrder(t *testing.T) {
	const dim = 64
	for number := range uint64(racetest.Scale(300)) {
		rng := rand.New(rand.NewPCG(number, 2100))
		w, x := normals(rng, dim), normals(rng, dim)
		tree := instance.ObliqueTree(t, dim, instance.ObliqueInner(rng.NormFloat64(), 1, 2, w...),
			instance.ObliqueLeaf(1, 0), instance.ObliqueLeaf(0, 1))
		r, err := (&attack.RegionBased{
			Classifier: tree,
			Options:    attack.Options{Norm: instance.Norms()[number%3]},
		}).Perturb(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		var backward, even, odd, fused float64
		for j := range w {
			backward += w[dim-1-j] * r.Example[dim-1-j]
			fused = math.FMA(w[j], r.Example[j], fused)
			if j%2 == 0 {
				even += w[j] * r.Example[j]
			} else {
				odd += w[j] * r.Example[j]
			}
		}
		for _, sum := range []float64{backward, even + odd, fused} {
			label := 0
			if sum > tree.Tree(0)[0].Threshold {
				label = 1
			}
			if label != r.Label {
				t.Errorf("instance %d: sum %v, threshold %v: label %d, Predict says %d",
					number, sum, tree.Tree(0)[0].Threshold, label, r.Label)
			}
		}
	}
}

// TestExtremes attacks trees made of numbers of any size, which may fail but not claim
// anything wrong.
func TestExtremes(t *testing.T) {
	t.Parallel()
	answered := 0
	for number := range uint64(instance.Count(500, 2000)) {
		rng := rand.New(rand.NewPCG(number, 2000))
		size := func() float64 { return math.Ldexp(float64(rng.IntN(5)-2), rng.IntN(2000)-1000) }
		d := &testDrawer{rng: rng, dim: 1 + rng.IntN(3), real: true}
		var trees []*classifier.ObliqueEnsemble
		for range 1 + rng.IntN(3) {
			nodes := instance.GrowOblique(rng, 2,
				func() []float64 { return []float64{rng.Float64(), rng.Float64()} }, d.draw)
			for i := range nodes {
				factor := size()
				for j := range nodes[i].Weights {
					if nodes[i].Weights[j] *= factor; rng.IntN(4) == 0 ||
						math.IsInf(nodes[i].Weights[j], 0) {
						nodes[i].Weights[j] = size()
					}
				}
				if nodes[i].Threshold *= factor; rng.IntN(4) == 0 {
					nodes[i].Threshold = math.Inf(rng.IntN(3) - 1)
				}
			}
			tree := instance.ObliqueTree(t, d.dim, nodes...)
			trees = append(trees, tree)
		}
		e := instance.ObliqueVote(t, classifier.EnsembleOptions{}, trees...)
		x := make([]float64, d.dim)
		for j := range x {
			x[j] = size()
		}
		for _, c := range []classifier.Classifier{e, trees[0], instance.Listed{Decomposable: e}} {
			o := attack.Options{Norm: instance.Norms()[number%3], Workers: 1, MaxNodes: 1000}
			r, err := (&attack.RegionBased{Classifier: c, Options: o}).Perturb(t.Context(), x)
			if err != nil {
				if !instance.IsNothing(r) {
					t.Fatalf("instance %d, %T: %+v with the error %v", number, c, r, err)
				}
				continue
			}
			if answered++; r.Bound > r.Distance ||
				(r.Example != nil && c.Predict(r.Example) != r.Label) {
				t.Fatalf("instance %d, %T: %+v", number, c, r)
			}
		}
	}
	if answered < instance.Count(500, 2000) {
		t.Errorf("%d attacks answered, want more", answered)
	}
}
