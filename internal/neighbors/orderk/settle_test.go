package orderk_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/bestfirst"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors/orderk"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope/native"
)

// TestSettle compares searches that decide about sets of rows after a few nodes with those that
// never do, for the nearest answer and for radii around its distance: rows on grids, equal ones
// among them, and of three classes.
func TestSettle(t *testing.T) {
	t.Parallel()
	settled, radii := 0, 0
	for number := range uint64(instance.Count(400, 6000)) {
		rng := rand.New(rand.NewPCG(number, 78))
		in := instance.DrawNeighbors(rng)
		if number%2 == 0 {
			in = drawMany(rng)
		}
		k := 2 + rng.IntN(6)
		if k > len(in.X) {
			continue
		}
		table, err := neighbors.New(t.Context(), instance.Dense(in.X), in.Y)
		if err != nil {
			t.Fatal(err)
		}
		q := search.Query{
			X: in.Query, From: table.Vote(in.Query, k), Target: -1,
			Cost: geometry.In(instance.Norms()[number%3]), Domain: in.Box, Solver: native.Solver{},
		}
		if in.Target != nil && *in.Target < table.Classes {
			q.Target = *in.Target
		}
		run := func(nodes int, limits bestfirst.Limits) bestfirst.Result {
			t.Helper()
			q.Any = limits.Radius > 0
			r, err := bestfirst.Run(t.Context(), orderk.Impatient(table, k, q, nodes), limits)
			if err != nil {
				t.Fatalf("instance %d: %v\n%+v", number, err, in)
			}
			return r
		}
		want := run(0, bestfirst.Limits{})
		for nodes := 1; nodes <= 4; nodes++ {
			got := run(nodes, bestfirst.Limits{Workers: 1})
			if more := run(nodes, bestfirst.Limits{Workers: 3}); !reflect.DeepEqual(
				more.Answer, got.Answer) || more.Bound != got.Bound {
				t.Fatalf("instance %d, %d nodes: 3 workers find %+v, one %+v\n%+v",
					number, nodes, more, got, in)
			}
			if want.Complete && !got.Complete ||
				(want.Answer == nil) != (got.Answer == nil) ||
				got.Answer != nil &&
					math.Abs(got.Answer.Distance-want.Answer.Distance) >
						1e-9*max(1, want.Answer.Distance) ||
				want.Answer != nil && got.Bound > want.Answer.Distance*(1+1e-12) {
				t.Fatalf("instance %d, %d nodes: %+v, want %+v\n%+v", number, nodes, got, want, in)
			}
			if want.Nodes > nodes {
				settled++
			}
			if want.Answer == nil || !want.Complete || want.Bound == 0 {
				continue
			}
			d := want.Answer.Distance
			near, far := 0.999*want.Bound, 1.001*d+1e-6
			no := run(nodes, bestfirst.Limits{Workers: 1, Radius: near})
			yes := run(nodes, bestfirst.Limits{Workers: 1, Radius: far})
			if yes.Answer == nil || !(yes.Answer.Distance <= far) || !(no.Bound > near) {
				t.Fatalf("instance %d, %d nodes: %+v and %+v for radii %v and %v\n%+v",
					number, nodes, no, yes, near, far, in)
			}
			if no.Nodes > nodes {
				radii++
			}
		}
	}
	if settled < racetest.Count(500, 500) || radii < racetest.Count(50, 50) {
		t.Errorf("%d searches decided about sets, and %d about radii", settled, radii)
	}
}

// drawMany draws more rows than instance.DrawNeighbors.
func drawMany(rng *rand.Rand) instance.Neighbors {
	draw := (*rand.Rand).NormFloat64
	if rng.IntN(2) == 0 {
		draw = func(rng *rand.Rand) float64 { return float64(rng.IntN(5)) }
	}
	dim := 2 + rng.IntN(2)
	x, y := instance.DrawRows(rng, 24, dim, 2+rng.IntN(2), draw)
	in := instance.Neighbors{X: x, Y: y}
	for range dim {
		in.Query = append(in.Query, draw(rng))
	}
	return in
}
