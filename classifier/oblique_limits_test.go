package classifier_test

import (
	"errors"
	"testing"

	"github.com/seed-1a7dc1f9/facet/classifier"
)

// TestObliqueLimits: an ensemble refuses sums that overflow, and a chain of tests
// whose leaves have more sides than a search can hold; reading those takes no
// longer than counting them.
func TestObliqueLimits(t *testing.T) {
	chain := func(tests int, value float64) *classifier.ObliqueTree {
		var nodes []classifier.ObliqueNode
		for i := range tests {
			nodes = append(nodes,
				classifier.ObliqueNode{Weights: []float64{1, float64(i + 2)}, Threshold: float64(i), Left: 2*i + 1, Right: 2*i + 2, Value: []float64{0, 0}},
				classifier.ObliqueNode{Left: -1, Right: -1, Value: []float64{value, 1}})
		}
		nodes = append(nodes, classifier.ObliqueNode{Left: -1, Right: -1, Value: []float64{1, 0}})
		tree, err := classifier.NewObliqueTree(2, nodes)
		if err != nil {
			t.Fatal(err)
		}
		return tree
	}
	for _, test := range []struct {
		name  string
		tree  *classifier.ObliqueTree
		opts  classifier.EnsembleOptions
		fault string // empty if it is to be taken
	}{
		{"large values", chain(1, 1e300), classifier.EnsembleOptions{Vote: classifier.SumVote}, ""},
		{"values that overflow float64", chain(1, 1e308), classifier.EnsembleOptions{Vote: classifier.SumVote}, "class 0 can overflow"},
		{"values that overflow float32", chain(1, 1e300), classifier.EnsembleOptions{Vote: classifier.SumVote, Single: true}, "class 0 can overflow"},
		{"a deep tree", chain(500, 1), classifier.EnsembleOptions{}, ""},
		{"too deep a tree", chain(5000, 1), classifier.EnsembleOptions{}, "sides"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := classifier.NewObliqueEnsemble([]*classifier.ObliqueTree{test.tree}, test.opts)
			if test.fault == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if !errors.Is(err, classifier.ErrModel) {
				t.Fatalf("error %v, want ErrModel", err)
			}
			mentions(t, err, test.fault)
		})
	}
}
