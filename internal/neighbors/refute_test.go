package neighbors

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

var norms = []polytope.Norm{polytope.LInf, polytope.L1, polytope.L2}

// drawTable returns rows of two labels, on a grid every second time, and a query of label 0.
func drawTable(t *testing.T, rng *rand.Rand, norm polytope.Norm) (*Table, *search.Query) {
	t.Helper()
	n, d := 12+rng.IntN(40), 1+rng.IntN(9)
	draw := rng.NormFloat64
	if rng.IntN(2) == 0 {
		draw = func() float64 { return float64(rng.IntN(5)) }
	}
	x, y, q := mat.NewDense(n, d, nil), make([]int, n), make([]float64, d)
	for i := range n {
		y[i] = min(i, rng.IntN(2))
		for j := range d {
			x.Set(i, j, draw())
		}
	}
	for j := range q {
		q[j] = draw()
	}
	table, err := New(t.Context(), x, y)
	if err != nil {
		t.Fatal(err)
	}
	return table, &search.Query{X: q, Target: -1, Cost: geometry.In(norm)}
}

// within returns a point within a radius of the query, a corner or an end of an axis half of the
// time.
func within(rng *rand.Rand, q *search.Query, radius float64) []float64 {
	u := make([]float64, len(q.X))
	for j := range u {
		u[j] = rng.NormFloat64()
		if q.Norm == polytope.LInf && rng.IntN(4) > 0 {
			u[j] = float64(2*rng.IntN(2) - 1)
		}
	}
	if q.Norm == polytope.L1 && rng.IntN(2) == 0 {
		clear(u)
		u[rng.IntN(len(u))] = float64(2*rng.IntN(2) - 1)
	}
	scale := radius
	if rng.IntN(3) == 0 {
		scale *= rng.Float64()
	}
	if length := geometry.Length(q.Norm, u); length > 0 {
		scale /= length
	}
	for j, e := range q.X {
		u[j] = e + scale*u[j]
	}
	return u
}

// TestRefutedNowhere looks for points at which rows that are refuted within a radius come before
// all but a few rivals all the same.
func TestRefutedNowhere(t *testing.T) {
	for _, norm := range norms {
		combined, pairs := 0, 0
		for number := range uint64(racetest.Scale(400)) {
			rng := rand.New(rand.NewPCG(number, 990+uint64(norm)))
			table, q := drawTable(t, rng, norm)
			own, others := table.SupportAndRivals(*q)
			rivals := table.Rivals(others, q, NearRivals)
			allowed, radius := rng.IntN(3), rng.Float64()
			f := rivals.Refuter(allowed, radius)
			var top TopK
			near := own.First(q.X, 6)
			lines, refuted := make([]Lines, len(near)), make([]bool, len(near))
			for i, n := range near {
				lines[i], refuted[i] = f.Row(table.Row(n.ID), n.Squared)
			}
			for i := range near {
				for j := range i + 1 {
					if !refuted[i] && (i == j || refuted[j] || !f.Refutes(lines[i], lines[j])) {
						continue
					}
					single := func(i int) bool {
						return rivals.BoundAll(&top, table.Row(near[i].ID), near[i].Squared,
							allowed) > radius
					}
					if i == j && refuted[i] && !single(i) {
						combined++
					} else if !refuted[i] {
						pairs++
					}
					for range 60 {
						z := within(rng, q, radius*(1-1e-9))
						before := 0
						for _, r := range rivals.First {
							d := nnindex.Squared(z, table.Row(r.ID)) * (1 + Spread)
							if d < nnindex.Squared(z, table.Row(near[i].ID)) ||
								d < nnindex.Squared(z, table.Row(near[j].ID)) {
								before++
							}
						}
						if before <= allowed {
							t.Fatalf("norm %v, instance %d: rows %d and %d are refuted within "+
								"%v, but come before all but %d rivals at %v",
								norm, number, near[i].ID, near[j].ID, radius, before, z)
						}
					}
				}
			}
		}
		if combined == 0 || pairs == 0 {
			t.Errorf("norm %v: combinations refuted %d rows and %d pairs, want some",
				norm, combined, pairs)
		}
	}
}

// TestHorizon compares rows beyond a horizon with their bounds.
func TestHorizon(t *testing.T) {
	for number := range uint64(racetest.Scale(300)) {
		rng := rand.New(rand.NewPCG(number, 993))
		table, q := drawTable(t, rng, polytope.Norm(number%3))
		own, others := table.SupportAndRivals(*q)
		rivals := table.Rivals(others, q, 8)
		i, radius := rng.IntN(rivals.Len()), rng.Float64()/2
		horizon := rivals.Horizon(i, radius)
		for _, n := range own.First(q.X, table.Len()) {
			if b := rivals.Bound(i, table.Row(n.ID), n.Squared); n.Squared > horizon &&
				b <= radius {
				t.Fatalf("instance %d: a row at %v lies beyond the horizon %v of %v and is "+
					"bounded by %v", number, n.Squared, horizon, radius, b)
			}
		}
	}
	r := Rivals{
		q: &search.Query{Cost: geometry.In(polytope.L2)}, First: []nnindex.Neighbor{{Squared: 4}},
	}
	if got := r.Horizon(0, 0.5); got < 9 || got > 9.001 {
		t.Errorf("horizon of a rival at 2 and a radius of 0.5: %v, want 9, rounded up", got)
	}
}

// TestPushAnswers asks whether the result of a push answers within the radius, and that it is found
// well within.
func TestPushAnswers(t *testing.T) {
	found, asked := 0, 0
	for number := range uint64(racetest.Scale(600)) {
		rng := rand.New(rand.NewPCG(number, 994))
		table, q := drawTable(t, rng, polytope.Norm(number%3))
		k := 1 + rng.IntN(min(5, table.Count(1)))
		if q.From = table.Vote(q.X, k); rng.IntN(2) == 0 {
			q.Domain = make(polytope.Box, table.Dim)
			for j, e := range q.X {
				q.Domain[j] = polytope.Interval{Lo: e - 1, Hi: e + 2*rng.Float64(), LoOpen: true}
			}
		}
		if table.Quota(k, *q).Required == 0 {
			continue
		}
		own, others := table.SupportAndRivals(*q)
		radius := 3 * rng.Float64()
		asked++
		z := table.PlayFictitiously(q, k, own.First(q.X, k+10), others.First(q.X, 5), radius,
			FewRounds)
		if z == nil {
			continue
		}
		found++
		if d := q.Norm.Distance(q.X, z); d > radius || !q.Domain.Contains(z) ||
			!q.Reaches(table.Vote(z, k)) {
			t.Fatalf("instance %d: %v at %v of %v in %v is labelled %d",
				number, z, d, radius, q.Domain, table.Vote(z, k))
		}
	}
	if found < asked/4 {
		t.Errorf("%d answers of %d questions", found, asked)
	}
}
