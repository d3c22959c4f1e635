package attack_test

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/explain"
	"github.com/seed-1a7dc1f9/facet/classifier"
)

// wide is a vote of 50 trees of depth 6 over 784 features, as pictures have, and an input.
func wide(tb testing.TB) (*classifier.Ensemble, []float64) {
	rng := rand.New(rand.NewPCG(40, 8))
	const dim = 784
	var trees []*classifier.Tree
	for range 50 {
		var nodes []classifier.TreeNode
		var branch func(depth int) int
		branch = func(depth int) int {
			at := len(nodes)
			nodes = append(nodes, classifier.TreeNode{
				Feature: -1, Left: -1, Right: -1, Value: []float64{rng.NormFloat64(), 0},
			})
			if depth > 0 {
				n := classifier.TreeNode{
					Feature: rng.IntN(dim), Threshold: rng.Float64(), Value: nodes[at].Value,
				}
				n.Left = branch(depth - 1)
				n.Right = branch(depth - 1)
				nodes[at] = n
			}
			return at
		}
		branch(6)
		t, err := classifier.NewTree(dim, classifier.AtMostFloat64, nodes)
		if err != nil {
			tb.Fatal(err)
		}
		trees = append(trees, t)
	}
	e, err := classifier.NewEnsemble(trees, classifier.EnsembleOptions{Vote: classifier.SumVote})
	if err != nil {
		tb.Fatal(err)
	}
	x := make([]float64, dim)
	for j := range x {
		x[j] = rng.Float64()
	}
	return e, x
}

// TestLabelBoxCompilesOnce: a box of many features takes the memory of its questions, not that of
// compiling the rules of all features for each of them, which was 58 GB.
func TestLabelBoxCompilesOnce(t *testing.T) {
	e, x := wide(t)
	a := attack.RegionBased{Classifier: e, Options: attack.Options{Workers: 1}}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	explainer := &explain.Explainer{Classifier: a.Classifier, Options: a.Options}
	if _, err := explainer.LabelBox(t.Context(), x); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 200<<20 {
		t.Errorf("%d MB", took>>20)
	}
}
