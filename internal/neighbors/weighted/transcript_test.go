package weighted

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors/orderk"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/testing/transcript"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/polytope/native"
)

// TestTranscript writes down the search of doc.go, which needs no boxes, and one in which
// two rows that outweigh three need them.
func TestTranscript(t *testing.T) {
	tests := []struct {
		file   string
		k      int
		labels []int
		rows   [][]float64
		x      []float64
	}{
		{"testdata/without_boxes.txt", 3, []int{0, 0, 0, 1, 1},
			[][]float64{{-1, 0}, {0, 2}, {0, -2}, {4, 0}, {9, 0}}, []float64{0, 0}},
		{"testdata/boxes.txt", 5, []int{0, 0, 0, 1, 1}, [][]float64{{-3}, {-2}, {-1}, {4}, {5}},
			[]float64{0}},
	}
	for _, test := range tests {
		table, err := neighbors.New(t.Context(),
			mat.NewDense(len(test.rows), len(test.x), slices.Concat(test.rows...)), test.labels)
		if err != nil {
			t.Fatal(err)
		}
		var w strings.Builder
		for i, label := range test.labels {
			fmt.Fprintf(&w, "row %d: %v, label %d\n", i, table.Row(int32(i)), label)
		}
		q := search.Query{
			X: test.x, Target: -1, Cost: geometry.In(polytope.L2), Solver: native.Solver{},
		}
		fmt.Fprintf(&w,
			"\nHow far is %v, of label 0, from another label in ℓ2, with %d neighbours?\n",
			q.X, test.k)
		s := New(table, test.k).Search(q, orderk.New(table, test.k, q))
		transcript.Run(t, &w, s, nameOf)
		transcript.Compare(t, test.file, w.String())
	}
}

// nameOf names a node.
func nameOf(n search.Node) string {
	switch state := n.State.(type) {
	case *boundsWithoutBoxes:
		return fmt.Sprintf("votes from %.5g and ratios from %.5g, after %d steps",
			state.votes.lowest(), state.ratios.lowest(), state.nodes)
	case *node:
		return state.String()
	case horizon:
		return "what lies beyond the first box"
	}
	return "everything"
}

// String names the box of a node and the sums that its set of neighbours leaves.
func (p *node) String() string {
	var b strings.Builder
	for _, i := range p.box {
		fmt.Fprintf(&b, " [%.4g, %.4g]", i.Lo, i.Hi)
	}
	if p.sums == nil {
		return "box" + b.String()
	}
	fmt.Fprint(&b, ",")
	for _, terms := range p.sums {
		for _, t := range terms {
			fmt.Fprintf(&b, " %+d/d%d", t.net, t.group)
		}
		fmt.Fprint(&b, " ≥ 0")
	}
	return "box" + b.String()
}
