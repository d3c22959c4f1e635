package nearest

import (
	"fmt"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/testing/transcript"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/polytope/native"
)

// TestTranscript writes down the search of doc.go.
func TestTranscript(t *testing.T) {
	labels := []int{0, 0, 0, 1, 1, 1}
	rows := mat.NewDense(len(labels), 2, []float64{1, 0, 3, 3, -1, -2, 4, 0, 3, -2, 8, 1})
	table, err := neighbors.New(t.Context(), rows, labels)
	if err != nil {
		t.Fatal(err)
	}
	var w strings.Builder
	for i, label := range labels {
		fmt.Fprintf(&w, "row %d: %v, label %d\n", i, table.Row(int32(i)), label)
	}
	q := search.Query{
		X:      []float64{0, 0},
		Target: -1,
		Cost:   geometry.In(polytope.LInf),
		Solver: native.Solver{},
	}
	fmt.Fprintf(&w, "\nHow far is %v, of label 0, from label 1 in ℓ∞?\n", q.X)
	transcript.Run(t, &w, New(table, q), func(n search.Node) string {
		labelOf := func(t *nnindex.Tree) int32 { return table.Labels[t.IDs[0]] }
		switch state := n.State.(type) {
		case below:
			return fmt.Sprintf("node %d of the tree of label %d", n.Item, labelOf(state.Tree))
		case beyond:
			return fmt.Sprintf(
				"rows of node %d of the tree of label %d whose turn may come later",
				n.Item, labelOf(state.Tree),
			)
		case bounded:
			return fmt.Sprintf("row %d, bounded by all near rivals", n.Item)
		}
		return fmt.Sprintf("row %d, bounded by the nearest rival", n.Item)
	})
	transcript.Compare(t, "testdata/six_rows.txt", w.String())
}
