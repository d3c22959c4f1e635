package neighborproof

import (
	"bufio"
	"errors"
	"fmt"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/prooftext"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/testing/transcript"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestTranscript writes down the bodies of small proofs.
func TestTranscript(t *testing.T) {
	tests := []struct {
		file   string
		points []float64
		labels []int
		x      []float64
		bound  float64
	}{
		{"two_labels", []float64{-1, 0, 1, 2, 1, -2, 4, 1, 5, -1, 6, 2, 9, 9},
			[]int{0, 0, 0, 1, 1, 1, 1}, []float64{0, 0}, 2.14},
		{"three_labels", []float64{0, 4, 5, 9}, []int{0, 1, 2, 2}, []float64{3}, 1.5},
	}
	for _, test := range tests {
		table, err := neighbors.New(t.Context(),
			mat.NewDense(len(test.labels), len(test.x), test.points), test.labels)
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		for i, label := range test.labels {
			fmt.Fprintf(&text, "row %d: %v, label %d\n", i, table.Row(int32(i)), label)
		}
		q := search.Query{X: test.x, Target: -1, Cost: geometry.In(polytope.L2)}
		fmt.Fprintf(&text, "\nNo input nearer to %v than %v in the norm %v has another label "+
			"than 0 by 3 neighbours:\n\n", q.X, test.bound, q.Norm)
		w := bufio.NewWriter(&text)
		if err := Write(t.Context(), w, table, 3, q, test.bound); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		transcript.Compare(t, "testdata/"+test.file+".txt", text.String())
	}
}

// TestFalseBound: a bound that is false has no proof.
func TestFalseBound(t *testing.T) {
	table, err := neighbors.New(t.Context(), mat.NewDense(4, 1, []float64{0, 1, 3, 4}),
		[]int{0, 0, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	// One neighbour is of label 1 from 2 on; three have two of label 1 from 2 on.
	for _, k := range []int{1, 3} {
		for _, test := range []struct {
			bound float64
			holds bool
		}{{1.5, true}, {2, true}, {2 + 1e-9, false}, {3, false}} {
			q := search.Query{X: []float64{0}, Target: -1, Cost: geometry.In(polytope.L2)}
			err := Write(t.Context(), bufio.NewWriter(new(strings.Builder)), table, k, q,
				test.bound)
			if test.holds != (err == nil) || (err != nil && !errors.Is(err, prooftext.ErrBound)) {
				t.Errorf("k = %d, bound %v: %v", k, test.bound, err)
			}
		}
	}
}

// TestConfirms: where floating point takes two distances for the same, or for others than they are.
func TestConfirms(t *testing.T) {
	table, err := neighbors.New(t.Context(), mat.NewDense(3, 2, []float64{1, 1e-9, 1, 0, -3, 0}),
		[]int{0, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		k    int
		z    []float64
		want bool
	}{
		{1, []float64{0, 0}, false}, // 1+1e-18 is 1, and row 0 comes first
		{2, []float64{0, 0}, true},
		{3, []float64{0, 0}, true},
		{1, []float64{1, 1}, true},
		{1, []float64{0, 0.5e-9}, true}, // as far, and row 0 comes first
	}
	for _, test := range tests {
		if got := Confirms(table, test.k, test.z); got != test.want {
			t.Errorf("k = %d at %v: %t, want %t", test.k, test.z, got, test.want)
		}
	}
}
