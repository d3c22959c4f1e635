package matching

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

// TestMatrix compares matchings and covers with those of the same lists.
func TestMatrix(t *testing.T) {
	for instance := range uint64(1000) {
		rng := rand.New(rand.NewPCG(6, instance))
		left, right := rng.IntN(150), rng.IntN(150)
		edges := randomEdges(rng, left, right, rng.Float64()*rng.Float64())
		l := build(left, right, edges)
		want, wantCover := solve(t, l)
		g := l.matrix()
		m, err := Maximum(t.Context(), g)
		if err != nil {
			t.Fatal(err)
		}
		c, err := CoverOf(t.Context(), g, m)
		if err != nil {
			t.Fatal(err)
		}
		checkMatching(t, l, m)
		if m.Size != want.Size || !slices.Equal(c.Left, wantCover.Left) || !slices.Equal(c.Right, wantCover.Right) {
			t.Errorf("matching of %d, cover %v, want %d, %v", m.Size, c, want.Size, wantCover)
		}
		if t.Failed() {
			t.Fatalf("instance %d: left %d, right %d, edges %v", instance, left, right, edges)
		}
	}
}
