package bipartite

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// digits returns what is left of weights below 2^above, in units of 2^below.
func digits(weights []int64, above, below int) []int64 {
	parts := slices.Clone(weights)
	for i := range parts {
		parts[i] = parts[i] & (1<<above - 1) >> below
	}
	return parts
}

// TestLightest gives weights in two, three or four levels instead of one.
func TestLightest(t *testing.T) {
	for number := range uint64(3000) {
		rng := rand.New(rand.NewPCG(41, number))
		left, right := 1+rng.IntN(12), 1+rng.IntN(12)
		g := build(left, right, randomEdges(rng, left, right, rng.Float64()))
		w := randomWeights(rng, left, right, 1<<40)
		_, want, cover := solve(t, g, w)
		var levels []Weights
		above := 62
		for _, below := range []int{30, 20, 10, 0}[rng.IntN(3):] {
			levels = append(levels, Weights{Left: digits(w.Left, above, below), Right: digits(w.Right, above, below), Shift: above - below})
			above = below
		}
		finest := 0
		for _, l := range levels[1:] {
			finest += l.Shift
		}
		got, duals, err := Lightest(t.Context(), g, levels)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Left, cover.Left) || !slices.Equal(got.Right, cover.Right) {
			t.Fatalf("instance %d: cover %v, want %v", number, got, cover)
		}
		value := int64(0)
		for _, d := range duals {
			amount := d.Amount<<finest + d.Rest.Int64()
			if amount <= 0 || d.Rest.Sign() < 0 || d.Rest.BitLen() > finest {
				t.Fatalf("instance %d: %v", number, d)
			}
			value += amount
		}
		if value != want {
			t.Fatalf("instance %d: %d flows, want %d", number, value, want)
		}
	}
}

func TestSmaller(t *testing.T) {
	for _, c := range []struct {
		amount int64
		shift  int
		want   int64
	}{
		{0, 0, 0}, {0, 2000, 0}, {5, 3, 40}, {1, 61, plenty}, {1, 62, plenty}, {1, 2000, plenty}, {plenty, 0, plenty}, {plenty, 1, plenty}, {3, 60, plenty},
	} {
		if got := smaller(c.amount, c.shift); got != c.want {
			t.Errorf("smaller(%d, %d) = %d, want %d", c.amount, c.shift, got, c.want)
		}
	}
}
