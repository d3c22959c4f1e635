package mincut

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRefine counts weights in two, three or four steps instead of one.
func TestRefine(t *testing.T) {
	for number := range uint64(3000) {
		rng := rand.New(rand.NewPCG(41, number))
		in := newInstance(rng, 1+rng.IntN(12), 1+rng.IntN(12), rng.Float64(), 1<<40)
		want, cover := in.solve(t)
		shifts := []int{30, 20, 10, 0}[rng.IntN(3):]
		part := func(weights []int64, k int) []int64 {
			digits := slices.Clone(weights)
			for i := range digits {
				if k > 0 {
					digits[i] &= 1<<shifts[k-1] - 1
				}
				digits[i] >>= shifts[k]
			}
			return digits
		}
		f, err := Maximum(t.Context(), in, part(in.left, 0), part(in.right, 0))
		if err != nil {
			t.Fatal(err)
		}
		flows := make(map[Edge]int64)
		for v, arcs := range f.In {
			for _, a := range arcs {
				flows[Edge{a.Left, int32(v)}] = a.Amount
			}
		}
		for k := 1; k < len(shifts); k++ {
			shift := shifts[k-1] - shifts[k]
			changed, err := f.Refine(t.Context(), in, Weights{Left: part(in.left, k), Right: part(in.right, k), Shift: shift})
			if err != nil {
				t.Fatal(err)
			}
			for e := range flows {
				flows[e] <<= shift
			}
			for e, amount := range changed {
				flows[e] += amount
			}
		}
		got, err := CoverOf(t.Context(), in, f)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Left, cover.Left) || !slices.Equal(got.Right, cover.Right) {
			t.Fatalf("instance %d: cover %v, want %v", number, got, cover)
		}
		value := int64(0)
		for e, amount := range flows {
			if amount < 0 {
				t.Fatalf("instance %d: %d flows along %v", number, amount, e)
			}
			value += amount
		}
		if value != want.Value {
			t.Fatalf("instance %d: %d flows, want %d", number, value, want.Value)
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
