package bipartite

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
)

// build returns the graph of the edges; the neighbours of a left vertex keep
// the order in which the edges come.
func build(left, right int, edges []Edge) *Lists {
	neighbours := make([][]int32, left)
	for _, e := range edges {
		neighbours[e.Left] = append(neighbours[e.Left], e.Right)
	}
	return NewLists(neighbours, right)
}

// randomEdges joins each pair with probability density, in random order and
// with some edges repeated.
func randomEdges(rng *rand.Rand, left, right int, density float64) []Edge {
	var edges []Edge
	for u := range int32(left) {
		for v := range int32(right) {
			for rng.Float64() < density {
				edges = append(edges, Edge{u, v})
				if rng.Float64() < 0.8 {
					break
				}
			}
		}
	}
	rng.Shuffle(len(edges), func(i, j int) { edges[i], edges[j] = edges[j], edges[i] })
	return edges
}

// randomWeights returns weights up to the heaviest; 0 stands for none, all 1.
func randomWeights(rng *rand.Rand, left, right int, heaviest int64) Weights {
	if heaviest == 0 {
		return Weights{}
	}
	draw := func(n int) []int64 {
		w := make([]int64, n)
		for i := range w {
			w[i] = rng.Int64N(heaviest + 1)
		}
		return w
	}
	return Weights{Left: draw(left), Right: draw(right)}
}

// ladder is a path whose only perfect matching differs from the greedy one in
// every edge, so that one augmenting path runs through all 2n vertices.
func ladder(n int) *Lists {
	neighbours := make([][]int32, n)
	for u := range int32(n) {
		if int(u)+1 < n {
			neighbours[u] = append(neighbours[u], u+1)
		}
		neighbours[u] = append(neighbours[u], u)
	}
	return NewLists(neighbours, n)
}

// ladders returns the graph made of ladders of these lengths, side by side.
func ladders(lengths []int) *Lists {
	var neighbours [][]int32
	for _, n := range lengths {
		first := int32(len(neighbours))
		for _, row := range ladder(n).Neighbours {
			for i := range row {
				row[i] += first
			}
			neighbours = append(neighbours, row)
		}
	}
	return NewLists(neighbours, len(neighbours))
}

// sparseRandom returns a graph of n left and n right vertices with degree·n
// random edges.
func sparseRandom(rng *rand.Rand, n int, degree float64) *Lists {
	neighbours := make([][]int32, n)
	for u := range neighbours {
		for range int(degree + rng.Float64()) {
			neighbours[u] = append(neighbours[u], rng.Int32N(int32(n)))
		}
	}
	return NewLists(neighbours, n)
}

// fuse is a context that is cancelled at its n-th look.
type fuse struct {
	context.Context
	looks, n int
}

func (f *fuse) Err() error {
	f.looks++
	if f.looks >= f.n {
		return context.Canceled
	}
	return nil
}

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
		if _, got, c := solveAs(t, g, l, w); got != want || !slices.Equal(c.Left, wantCover.Left) ||
			!slices.Equal(c.Right, wantCover.Right) {
			t.Fatalf("instance %d: flow of %d, cover %v, want %d, %v",
				instance, got, c, want, wantCover)
		}
	}
}
