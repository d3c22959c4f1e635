package nnindex

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// scan is the oracle: every point, sorted.
func scan(data []float64, dim int, q []float64) []Neighbor {
	var all []Neighbor
	for i := 0; i*dim < len(data); i++ {
		all = append(all, Neighbor{Squared(q, data[i*dim:(i+1)*dim]), int32(i)})
	}
	slices.SortFunc(all, Neighbor.Compare)
	return all
}

// randomPoints returns n points, on a coarse grid or not, and a query.
func randomPoints(rng *rand.Rand, n, dim int, grid bool) (data, q []float64) {
	draw := func() float64 {
		if grid {
			return float64(rng.IntN(4))
		}
		return rng.NormFloat64()
	}
	for range n * dim {
		data = append(data, draw())
	}
	for range dim {
		q = append(q, draw())
	}
	return data, q
}

func numbers(n int) []int32 {
	ids := make([]int32, n)
	for i := range ids {
		ids[i] = int32(i)
	}
	return ids
}

func build(t testing.TB, data []float64, dim int, ids []int32) *Tree {
	t.Helper()
	tree, err := Build(t.Context(), data, dim, ids)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func TestNearestAgainstScan(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var nearest Nearest
	for trial := range 2000 {
		n, dim := 1+rng.IntN(200), 1+rng.IntN(5)
		data, q := randomPoints(rng, n, dim, trial%2 == 0)
		k := 1 + rng.IntN(min(n, 9))
		if trial%10 == 0 {
			k = n
		}
		tree := build(t, data, dim, numbers(n))
		nearest.Reset(k, math.Inf(1))
		tree.Nearest(q, &nearest)
		last := nearest.Last()
		got := nearest.Sorted()
		if want := scan(data, dim, q)[:k]; !slices.Equal(got, want) {
			t.Fatalf("trial %d, n = %d, dim = %d: %d nearest = %v, want %v",
				trial, n, dim, k, got, want)
		}
		if last != got[k-1] {
			t.Fatalf("trial %d: Last() = %v, want %v", trial, last, got[k-1])
		}
	}
}

func TestNearestOfSeveralTrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	data, q := randomPoints(rng, 100, 2, true)
	ids := numbers(100)
	var nearest Nearest
	nearest.Reset(7, math.Inf(1))
	for _, part := range [][]int32{ids[60:], ids[:30], ids[30:60]} {
		build(t, data, 2, part).Nearest(q, &nearest)
	}
	if got, want := nearest.Sorted(), scan(data, 2, q)[:7]; !slices.Equal(got, want) {
		t.Errorf("7 nearest of three trees = %v, want %v", got, want)
	}
}

func TestWithinAgainstScan(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for trial := range 1000 {
		n, dim := 1+rng.IntN(100), 1+rng.IntN(4)
		data, q := randomPoints(rng, n, dim, trial%2 == 0)
		tree := build(t, data, dim, numbers(n))
		all := scan(data, dim, q)
		limit := all[rng.IntN(n)].Squared
		var got []Neighbor
		tree.Within(q, limit, func(i int, squared float64) bool {
			got = append(got, Neighbor{squared, tree.IDs[i]})
			return true
		})
		slices.SortFunc(got, Neighbor.Compare)
		want := all[:0]
		for _, p := range all {
			if p.Squared <= limit {
				want = append(want, p)
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("trial %d: within √%v = %v, want %v", trial, limit, got, want)
		}
	}
}

func TestWithinStops(t *testing.T) {
	tree := build(t, make([]float64, 100), 1, numbers(100))
	visits := 0
	if tree.Within([]float64{0}, 1, func(int, float64) bool { visits++; return visits < 5 }) {
		t.Error("Within went through although visit returned false")
	}
	if visits != 5 {
		t.Errorf("%d visits, want 5", visits)
	}
}

func BenchmarkNearest(b *testing.B) {
	for _, size := range []struct{ n, dim, k int }{
		{1_000, 5, 1}, {1_000_000, 5, 1}, {100_000, 10, 3},
	} {
		b.Run(fmt.Sprintf("%dx%d", size.n, size.dim), func(b *testing.B) {
			data, _ := randomPoints(rand.New(rand.NewPCG(4, 1)), size.n, size.dim, false)
			queries, _ := randomPoints(rand.New(rand.NewPCG(4, 2)), 1_000, size.dim, false)
			tree := build(b, data, size.dim, numbers(size.n))
			var nearest Nearest
			b.ReportAllocs()
			for i := 0; b.Loop(); i = (i + 1) % 1_000 {
				nearest.Reset(size.k, math.Inf(1))
				tree.Nearest(queries[i*size.dim:(i+1)*size.dim], &nearest)
			}
		})
	}
}

// TestDistances checks Squared against a plain sum, below against Squared, and that no
// box is farther than a point in it.
func TestDistances(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	for dim := 1; dim <= 30; dim++ {
		data, q := randomPoints(rng, 40, dim, dim%2 == 0)
		tree := build(t, data, dim, numbers(40))
		for i := range 40 {
			p := tree.Point(i)
			want := 0.0
			for j, e := range q {
				want += (e - p[j]) * (e - p[j])
			}
			got := Squared(q, p)
			if math.Abs(got-want) > 1e-14*want {
				t.Errorf("dim %d: Squared = %v, want %v", dim, got, want)
			}
			limit := got * rng.Float64()
			if b := Below(q, p, limit); b <= limit && got > limit {
				t.Errorf("dim %d: Below(limit %v) = %v, want more: the square is %v",
					dim, limit, b, got)
			}
			if b := tree.ToBox(0, q); b > got {
				t.Errorf("dim %d: box at %v, point in it at %v", dim, b, got)
			}
		}
	}
}
