package oc1

import (
	"fmt"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/internal/testing/transcript"
)

// TestTranscript compares a climb, step by step, with testdata/transcript.txt.
func TestTranscript(t *testing.T) {
	x, y := mat.NewDense(6, 2, []float64{0, 0, 1, 1, 3, 3, 0, 2, 1, 3, 2, 4}), []int{0, 0, 0, 1, 1,
		1}
	table, err := rows.Copy(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	g := newGrower(table, y, 2, Options{}.complete(), 0)
	var out strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&out, format+"\n", args...) }
	all := make([]int32, table.Len)
	say("Rows, as x₀, x₁ → label:")
	for i := range all {
		all[i] = int32(i)
		say("  %d: %v, %v → %d", i, x.At(i, 0), x.At(i, 1), y[i])
	}
	say("\nThe best thresholds of single features:")
	var p plane
	for f := range 2 {
		q := g.halve(all, g.unit(f))
		say("  %s", q)
		p.improve(q)
	}
	for round := 1; ; round++ {
		say("\nRound %d from %s:", round, p)
		moved := false
		for f := range 2 {
			q := g.along(all, p, g.unit(f), 0)
			better := p.improve(q)
			say("  moving the weight of x%d: %s, better: %v", f, q, better)
			moved = moved || better
		}
		q := g.halve(all, p.weights)
		better := p.improve(q)
		say("  moving the threshold: %s, better: %v", q, better)
		if !moved && !better {
			break
		}
	}
	p = g.halve(all, normalized(p.weights))
	say("\nThe threshold put halfway between the rows, weights scaled: %s", p)
	n := g.partition(all, p)
	say("Rows %v go left, rows %v right.", all[:n], all[n:])
	transcript.Compare(t, "testdata/transcript.txt", out.String())
}

func (p plane) String() string {
	if p.weights == nil {
		return "no hyperplane"
	}
	return fmt.Sprintf("%.4g·x₀ %+.4g·x₁ ≤ %.4g, impurity %.4g",
		p.weights[0], p.weights[1], p.threshold, p.impurity)
}
