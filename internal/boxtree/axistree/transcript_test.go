package axistree_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/axistree"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/testing/transcript"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestTranscript writes down the search of doc.go.
func TestTranscript(t *testing.T) {
	zero, one := []float64{1, 0}, []float64{0, 1}
	nodes := []trees.Node{
		{Feature: 0, Threshold: 1, Left: 1, Right: 2, Value: zero},
		{Left: -1, Right: -1, Value: zero},
		{Feature: 1, Threshold: 2, Left: 3, Right: 4, Value: zero},
		{Left: -1, Right: -1, Value: zero}, {Left: -1, Right: -1, Value: one},
	}
	tree, err := trees.NewAxis(2, trees.AtMostFloat64, trees.Nodes(nodes))
	if err != nil {
		t.Fatal(err)
	}
	var w strings.Builder
	fmt.Fprintln(&w, "One tree; X = (0, 0) is labelled 0. How far is label 1 in ℓ2?")
	for i, n := range nodes {
		if n.Left < 0 {
			fmt.Fprintf(&w, "  node %d: label %d\n", i, tree.Labels[i])
			continue
		}
		fmt.Fprintf(&w, "  node %d: node %d if x%d ≤ %v, else node %d\n",
			i, n.Left, n.Feature, n.Threshold, n.Right)
	}
	q := search.Query{X: []float64{0, 0}, Target: -1, Cost: geometry.In(polytope.L2)}
	s := axistree.New(tree, q)
	transcript.Run(t, &w, s, func(n search.Node) string { return fmt.Sprintf("node %d", n.Item) })
	transcript.Compare(t, filepath.Join("testdata", "two_tests.txt"), w.String())
}
