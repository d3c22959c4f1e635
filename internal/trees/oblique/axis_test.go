package oblique_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestExactAgainstAxisParallel writes axis-parallel ensembles as oblique ones, with weights
// of either sign: their cells are the same to the last bit.
func TestExactAgainstAxisParallel(t *testing.T) {
	compared, found := 0, 0
	for number := uint64(0); compared < instance.Count(1000, 4000); number++ {
		rng := rand.New(rand.NewPCG(number, 1800))
		dim, classes := 1+rng.IntN(4), 2+rng.IntN(3)
		draw := func() float64 {
			v := float64(2*rng.IntN(7)-5) / 20 // not 0, whose neighbours underflow
			if rng.IntN(5) == 0 {
				v = math.Nextafter(v, 1)
			}
			return v
		}
		comparison := []classifier.Comparison{classifier.AtMostFloat64,
			classifier.BelowFloat64}[rng.IntN(2)]
		var trees []*classifier.Tree
		var oblique []*classifier.ObliqueEnsemble
		for range 1 + rng.IntN(5) {
			tree := instance.GrowTree(t, rng, comparison, dim, classes, rng.IntN(4), draw,
				func() float64 { return float64(rng.IntN(4)) / 3 })
			trees, oblique = append(trees, tree), append(oblique, obliqueFrom(t, rng, tree))
		}
		vote := instance.DrawVote(rng, classes)
		parallel, err := classifier.NewEnsemble(trees, vote)
		if err != nil {
			t.Fatal(err)
		}
		e := instance.ObliqueVote(t, vote, oblique...)
		var x []float64
		for range dim {
			x = append(x, draw())
		}
		o := attack.Options{Norm: instance.Norms()[number%3], Workers: 1}
		if rng.IntN(3) == 0 {
			o.Domain = polytope.Cube(dim, -0.25, 0.2)
		}
		if rng.IntN(3) == 0 {
			o.Target = new(rng.IntN(classes))
		}
		if e.Predict(x) != parallel.Predict(x) {
			t.Fatalf("instance %d: %v is predicted %d, want %d",
				number, x, e.Predict(x), parallel.Predict(x))
		}
		if o.Target != nil && *o.Target == e.Predict(x) {
			continue
		}
		want, err := (&attack.RegionBased{Classifier: parallel, Options: o}).Perturb(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		r, err := (&attack.RegionBased{Classifier: e, Options: o}).Perturb(t.Context(), x)
		if err == nil {
			err = instance.CheckExact(t, e, o.Norm, x, r, want.Distance)
		}
		if err != nil || (r.Example != nil && math.Abs(r.Distance-want.Distance) > 1e-12) {
			t.Fatalf("instance %d: %+v, want %+v: %v", number, r, want, err)
		}
		if compared++; r.Example != nil {
			found++
		}
	}
	if found < compared/2 {
		t.Errorf("%d examples in %d instances, want half of them", found, compared)
	}
}

// obliqueFrom writes x ≤ t as a·x ≤ a·t, or x < t as −a·x ≤ −a·t with the children exchanged, for
// weights whose products are exact.
func obliqueFrom(t *testing.T, rng *rand.Rand, tree *classifier.Tree) *classifier.ObliqueEnsemble {
	t.Helper()
	var nodes []classifier.ObliqueNode
	for _, n := range tree.Nodes() {
		node := classifier.ObliqueNode{Left: n.Left, Right: n.Right, Value: n.Value}
		if n.Left >= 0 {
			node.Weights = make([]float64, tree.Dim())
			node.Weights[n.Feature], node.Threshold = 1, n.Threshold
			if tree.Comparison() == classifier.BelowFloat64 {
				node.Weights[n.Feature], node.Threshold = -1, -n.Threshold
				node.Left, node.Right = n.Right, n.Left
			}
			factor := math.Ldexp(1, rng.IntN(5)-2)
			node.Weights[n.Feature] *= factor
			node.Threshold *= factor
		}
		nodes = append(nodes, node)
	}
	return instance.ObliqueTree(t, tree.Dim(), nodes...)
}
