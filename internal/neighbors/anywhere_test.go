package neighbors_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// dense holds rows.
func dense(rows [][]float64) *mat.Dense {
	return mat.NewDense(len(rows), len(rows[0]), slices.Concat(rows...))
}

// TestAnswerAnywhere: the answer lies in the domain and has another label; a row in the domain is
// found, one that ties with rivals all over it is not, and one far out is.
func TestAnswerAnywhere(t *testing.T) {
	anywhere := func(x [][]float64, y []int, k int, domain polytope.Box) []float64 {
		table, err := neighbors.New(t.Context(), dense(x), y)
		if err != nil {
			t.Fatal(err)
		}
		q := search.Query{
			X: x[0], From: y[0], Target: -1, Cost: geometry.In(polytope.LInf), Domain: domain,
		}
		own, rivals := table.SupportAndRivals(q)
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
	far := [][]float64{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 300}}
	plane := polytope.Box{polytope.Line(), polytope.Line(), {Lo: 0, Hi: 0}}
	if z := anywhere(far, []int{0, 0, 0, 1}, 1, plane); z == nil {
		t.Error("no answer far out where both coordinates rise alike")
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

// TestAnswerAnywhereOnALine compares, where the domain is a line, with the votes between all places
// at which two rows are equally far.
func TestAnswerAnywhereOnALine(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	found, none := 0, 0
	for number := range 400 {
		k := 1 + 2*(number%2)
		rows, labels := make([][]float64, 12), make([]int, 12)
		for i := range rows {
			rows[i] = []float64{float64(rng.IntN(6)), rng.NormFloat64(), rng.NormFloat64()}
			labels[i] = rng.IntN(3) / 2 // of 0 there are more
		}
		table, err := neighbors.New(t.Context(), dense(rows), labels)
		if err != nil {
			t.Fatal(err)
		}
		x := rows[0]
		free := polytope.Line()
		if number%3 == 0 {
			free = polytope.Interval{Lo: x[0] - 1, Hi: x[0] + 2}
		}
		domain := polytope.Box{free, {Lo: x[1], Hi: x[1]}, {Lo: x[2], Hi: x[2]}}
		q := search.Query{
			X: x, From: table.Vote(x, k), Target: -1,
			Cost: geometry.In(polytope.LInf), Domain: domain,
		}
		own, rivals := table.SupportAndRivals(q)
		if table.Quota(k, q).Required == 0 {
			continue
		}
		z := table.AnswerAnywhere(&q, k, own, rivals)
		want := changesOnLine(table, &q, k)
		if want != nil && z == nil || want == nil && z != nil {
			t.Fatalf("instance %d, k = %d: got %v, want one like %v\n%v %v",
				number, k, z, want, rows, labels)
		}
		if z == nil {
			none++
			continue
		}
		found++
		if !domain.Contains(z) || table.Vote(z, k) == q.From {
			t.Fatalf("instance %d: %v has label %d", number, z, table.Vote(z, k))
		}
	}
	if found == 0 || none == 0 {
		t.Errorf("%d answers, none %d times", found, none)
	}
}

// changesOnLine returns a point of a domain with one free coordinate, the first, that has
// another label, well away from all ties.
func changesOnLine(table *neighbors.Table, q *search.Query, k int) []float64 {
	ties := []float64{max(q.Domain[0].Lo, -1e3), min(q.Domain[0].Hi, 1e3)}
	z := slices.Clone(q.X)
	z[0] = 0
	for i := range int32(table.Len()) {
		for j := range i {
			p, r := table.Row(i), table.Row(j)
			tie := (nnindex.Squared(z, p) - nnindex.Squared(z, r)) / 2 / (p[0] - r[0])
			if tie > ties[0] && tie < ties[1] {
				ties = append(ties, tie)
			}
		}
	}
	slices.Sort(ties)
	for i, tie := range ties[1:] {
		z[0] = (ties[i] + tie) / 2
		if tie-ties[i] > 1e-6 && q.Reaches(table.Vote(z, k)) {
			return z
		}
	}
	return nil
}
