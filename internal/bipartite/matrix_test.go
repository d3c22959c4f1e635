package bipartite

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// matrix returns the graph with the same edges.
func (l *Lists) matrix() *Matrix {
	rows := make([][]uint64, l.Left())
	for u, neighbours := range l.Neighbours {
		rows[u] = make([]uint64, (l.Right()+63)/64)
		for _, v := range neighbours {
			rows[u][v>>6] |= 1 << (v & 63)
		}
	}
	return NewMatrix(rows, l.Right())
}

// TestMatrix compares flows and covers with those of the same lists.
func TestMatrix(t *testing.T) {
	for instance := range uint64(1000) {
		rng := rand.New(rand.NewPCG(6, instance))
		left, right := rng.IntN(150), rng.IntN(150)
		l := build(left, right, randomEdges(rng, left, right, rng.Float64()*rng.Float64()))
		w := randomWeights(rng, left, right, []int64{0, 9}[instance%2])
		_, want, wantCover := solve(t, l, w)
		g := l.matrix()
		f, err := Maximum(t.Context(), g, w)
		if err != nil {
			t.Fatal(err)
		}
		c, err := CoverOf(t.Context(), g, f)
		if err != nil {
			t.Fatal(err)
		}
		if got := checkFlow(t, l, w, f); got != want || !slices.Equal(c.Left, wantCover.Left) || !slices.Equal(c.Right, wantCover.Right) {
			t.Fatalf("instance %d: flow of %d, cover %v, want %d, %v", instance, got, c, want, wantCover)
		}
	}
}
