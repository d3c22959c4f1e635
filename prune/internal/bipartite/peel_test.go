package bipartite

import (
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// forest returns a graph without cycles on 2n vertices, numbered at random.
func forest(rng *rand.Rand, n int) *Lists {
	left, right := rng.Perm(n), rng.Perm(n)
	edges := []Edge{{int32(left[0]), int32(right[0])}}
	for i := 1; i < n; i++ {
		if rng.IntN(20) > 0 { // else a new tree
			edges = append(edges, Edge{int32(left[i]), int32(right[rng.IntN(i)])})
		}
		edges = append(edges, Edge{int32(left[rng.IntN(i+1)]), int32(right[i])})
	}
	return build(n, n, edges)
}

// TestForestsArePeeled: without cycles there is always a vertex of degree 1, so that no edge is
// left for the phases, for any weights.
func TestForestsArePeeled(t *testing.T) {
	for instance := range uint64(300) {
		rng := rand.New(rand.NewPCG(7, instance))
		g := forest(rng, 1+rng.IntN(200))
		w := randomWeights(rng, g.Left(), g.Right(), []int64{0, 1, 5, 1 << 40}[instance%4])
		if f, size, _ := solve(t, g, w); f.Phases != 0 {
			t.Fatalf("instance %d: %d phases for a flow of %d, want none", instance, f.Phases, size)
		}
	}
}

// TestPeelingLeavesLittle: from a flow in any order, random graphs of three edges a vertex
// take ten phases or so.
func TestPeelingLeavesLittle(t *testing.T) {
	for instance := range uint64(racetest.Count(3, 10)) {
		g := sparseRandom(rand.New(rand.NewPCG(8, instance)), 20_000, 3)
		peeled, size, _ := solve(t, g, Weights{})
		plain, want, _ := solveAs(t, unpeeled{g}, g, Weights{})
		if size != want || 2*peeled.Phases > plain.Phases {
			t.Errorf("instance %d: %d phases for %d peeled, %d for %d else",
				instance, peeled.Phases, size, plain.Phases, want)
		}
	}
}

// TestOnlyFewEdgesArePeeled: the memory of peeling beside the graph is limited.
func TestOnlyFewEdgesArePeeled(t *testing.T) {
	for degree, want := range map[int]bool{2 * peelDegree: true, 2*peelDegree + 1: false} {
		g := sparseRandom(rand.New(rand.NewPCG(9, 0)), 100, float64(degree))
		if got := newPeel(newSearch(t.Context(), g, newFlow(g, Weights{}))) != nil; got != want {
			t.Errorf("%d edges a left vertex: peeled %v, want %v", degree, got, want)
		}
	}
}
