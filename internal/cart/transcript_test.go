package cart

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/testing/transcript"
)

// TestTranscript compares the growing of a plain and of a robust tree, node by node,
// with testdata/transcript.txt.
func TestTranscript(t *testing.T) {
	var out strings.Builder
	x := mat.NewDense(8, 2, []float64{0, 5, 1, 4, 2, 1, 3, 3, 4, 0, 5, 4, 6, 2, 7, 3})
	y := []int{0, 0, 0, 1, 0, 1, 1, 1}
	fmt.Fprintln(&out, "Rows, as feature 0, feature 1 → label:")
	for i, label := range y {
		fmt.Fprintf(&out, "  %d: %v, %v → %d\n", i, x.At(i, 0), x.At(i, 1), label)
	}
	for _, robust := range []float64{0, 0.6} {
		fmt.Fprintf(&out, "\nA tree by entropy, features moved by up to %v.\n", robust)
		newGrower, err := growers(t.Context(), x, y, Options{Chen: robust}, 1)
		if err != nil {
			t.Fatal(err)
		}
		tell(t, &out, newGrower())
	}
	transcript.Compare(t, "testdata/transcript.txt", out.String())
}

// tell grows a tree as grow does and prints each step.
func tell(t *testing.T, out *strings.Builder, g *grower) {
	all := g.start(0)
	for len(g.stack) > 0 {
		n := g.count(g.stack[len(g.stack)-1])
		g.stack = g.stack[:len(g.stack)-1]
		id := g.add(&n)
		fmt.Fprintf(out, "Node %d: rows %v, of the classes %v, impurity %.4f",
			id, g.samples[n.first:n.end], n.total, n.impurity)
		if !g.divisible(&n) {
			fmt.Fprintln(out, ": a leaf.")
			continue
		}
		fmt.Fprintln(out, ".")
		for f := range g.data.columns {
			alone := best{split: split{score: math.Inf(-1)}, left: make([]int, len(n.total))}
			if _, err := g.try(t.Context(), &n, uint32(f), &alone); err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(out, "  feature %d: %s\n", f, g.describe(&n, &alone))
		}
		b, err := g.bestSplit(t.Context(), &n)
		if err != nil {
			t.Fatal(err)
		}
		if b.samples == 0 {
			fmt.Fprintln(out, "  no split is left: a leaf.")
			continue
		}
		fmt.Fprintf(out, "  the best: feature %d\n", b.feature)
		g.split(&n, id, &b, all)
	}
}

func (g *grower) describe(n *node, b *best) string {
	if b.samples == 0 {
		return "no threshold removes any impurity"
	}
	values := g.data.columns[b.feature].values
	left, right := g.impurities(n, b.left, b.weight)
	return fmt.Sprintf("x ≤ %v sends %d rows of the classes %v left; impurities %.4f and %.4f "+
		"are left",
		halfway(values[b.below], values[b.above]), b.weight, b.left, left, right)
}
