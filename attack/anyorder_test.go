package attack_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
)

// labelsOfOrders returns the labels that float32 sums give a row in all orders of the trees, and in
// those that add the sums of two halves.
func labelsOfOrders(e *classifier.Ensemble, x []float64) map[int]bool {
	labels, leaves := make(map[int]bool), make([][]float64, e.Len())
	for i := range leaves {
		nodes := e.Tree(i).Nodes()
		at := 0
		for nodes[at].Left >= 0 {
			if n := nodes[at]; float32(x[n.Feature]) <= float32(n.Threshold) {
				at = n.Left
			} else {
				at = n.Right
			}
		}
		leaves[i] = nodes[at].Value
	}
	sums := func(child [][]float64) []float32 {
		sum := make([]float32, e.Classes())
		for _, leaf := range child {
			for c, v := range leaf {
				sum[c] += float32(v)
			}
		}
		return sum
	}
	var permute func(k int)
	permute = func(k int) {
		if k < len(leaves) {
			for i := k; i < len(leaves); i++ {
				leaves[k], leaves[i] = leaves[i], leaves[k]
				permute(k + 1)
				leaves[k], leaves[i] = leaves[i], leaves[k]
			}
			return
		}
		for half := range len(leaves) {
			a, b, best := sums(leaves[:half]), sums(leaves[half:]), 0
			for c := range a {
				if a[c] += b[c]; a[c] > a[best] {
					best = c
				}
			}
			labels[best] = true
		}
	}
	permute(0)
	return labels
}

// TestAnyOrder: where sums are added in an order that nobody knows, an example has its label in
// every order, and no input within the bound gets another label in any.
func TestAnyOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	proven, held := 0, 0
	for range instance.Count(400, 10_000) {
		dim, classes := 1+rng.IntN(2), 2+rng.IntN(2)
		draw := func() float64 { return float64(rng.IntN(5)-2) / 4 }
		leaf := func() float64 { return float64(rng.IntN(7)-3)/10 + float64(rng.IntN(3))*0x1p-26 }
		var trees []*classifier.Tree
		for range 2 + rng.IntN(3) {
			trees = append(trees,
				instance.GrowTree(t, rng, classifier.AtMostFloat32, dim, classes, 1+rng.IntN(2),
					draw, leaf))
		}
		e, err := classifier.NewEnsemble(trees, classifier.EnsembleOptions{
			Vote:     classifier.SumVote,
			Single:   true,
			AnyOrder: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		x := make([]float64, dim)
		for f := range x {
			x[f] = draw() + 1.0/16
		}
		norm := instance.Norms()[rng.IntN(3)]
		r, err := (&attack.RegionBased{Classifier: e, Options: attack.Options{Norm: norm}}).Perturb(
			t.Context(), x,
		)
		if err != nil {
			t.Fatal(err)
		}
		nearest, from := math.Inf(1), e.Predict(x) // that any order labels otherwise
		for cell := range e.Cells() {
			z, inside := make([]float64, dim), make([]float64, dim)
			for f, side := range cell.Region.Box {
				z[f] = geometry.Nearest(side, x[f])
				inside[f] = middle(side.Lo, side.Hi)
			}
			labels := labelsOfOrders(e, inside)
			if delete(labels, from); len(labels) > 0 {
				nearest = min(nearest, norm.Distance(x, z))
			}
		}
		if r.Bound > nearest {
			t.Fatalf("the bound is %v in %v, and some order gives another label at %v",
				r.Bound, norm, nearest)
		}
		if r.Example != nil &&
			(len(labelsOfOrders(e, r.Example)) != 1 || !labelsOfOrders(e, r.Example)[r.Label]) {
			t.Fatalf("example %v has the label %d, and %v in all orders",
				r.Example, r.Label, labelsOfOrders(e, r.Example))
		}
		if r.Optimal() {
			proven++
		} else if r.Bound < r.Distance {
			held++
		}
		if !math.IsInf(r.Bound, 1) && r.Bound > 0 {
			saved(t, e).prove(t, attack.Options{Norm: norm}, x)
		}
	}
	if proven == 0 || held == 0 {
		t.Errorf("%d answers are proven nearest, %d not, for the sake of other orders: want some "+
			"of each", proven, held)
	}
}

// middle returns a number between two, which may be infinite.
func middle(lo, hi float64) float64 { return max(lo, -2)/2 + min(hi, 2)/2 }
