package neighbors_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestAnswerAnywhere: what is found lies in the domain and has another label; a row in the domain
// is found, and one that ties with rivals all over it is not.
func TestAnswerAnywhere(t *testing.T) {
	anywhere := func(x [][]float64, y []int, k int, domain polytope.Box) []float64 {
		table, err := neighbors.New(t.Context(), instance.Dense(x), y)
		if err != nil {
			t.Fatal(err)
		}
		q := search.Query{X: x[0], From: y[0], Target: -1, Norm: polytope.LInf, Domain: domain}
		own, rivals := table.Sides(q)
		z := table.AnswerAnywhere(&q, k, own, rivals)
		if z != nil && (table.Vote(z, k) == y[0] || !domain.Contains(z)) {
			t.Errorf("%v answers within %v, rows %v of %v", z, domain, x, y)
		}
		return z
	}
	line := polytope.Box{polytope.Line(), {Lo: 0, Hi: 0}}
	if z := anywhere([][]float64{{0, 0}, {5, 9}}, []int{0, 1}, 1, line); z == nil {
		t.Error("no answer on the way to a row beside the domain")
	}
	rows := [][]float64{{0, 0}, {5, 1}, {5, -1}}
	if z := anywhere(rows, []int{0, 0, 1}, 1, line); z != nil {
		t.Errorf("%v answers where rows tie", z)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	found := 0
	for range 300 {
		var x [][]float64
		var y []int
		for range 12 {
			x, y = append(x, []float64{float64(rng.IntN(9)), rng.NormFloat64()}),
				append(y, rng.IntN(2))
		}
		domain := polytope.Box{{Lo: -5, Hi: 20}, {Lo: x[0][1], Hi: x[0][1]}}
		if slices.Max(y) > 0 && anywhere(x, y, 3, domain) != nil {
			found++
		}
	}
	if found < 100 {
		t.Errorf("%d answers", found)
	}
}
