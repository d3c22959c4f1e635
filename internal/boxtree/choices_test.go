package boxtree

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRank sorts few choices and many, which is done in two ways: by gain, then by reach, and
// in their order where both tie.
func TestRank(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 71))
	for _, n := range []int{2, fewChoices, fewChoices + 1, 1000} {
		c := &choices{
			base:   make([]float64, 1),
			first:  []int32{0, 1, int32(n) + 1},
			order:  make([]int32, n+1),
			spread: make([]float64, 1),
		}
		for range n + 1 {
			c.gains, c.reaches = append(c.gains, float64(rng.IntN(9))), append(c.reaches,
				float64(rng.IntN(9)))
		}
		c.rank(0, 1)
		order := c.ranked(0, 1)
		want := slices.Sorted(slices.Values(order))
		slices.SortFunc(want, func(a, b int32) int {
			return cmp.Or(-cmp.Compare(c.gains[a], c.gains[b]),
				cmp.Compare(c.reaches[a], c.reaches[b]), cmp.Compare(a, b))
		})
		if !slices.Equal(order, want) || slices.Min(order) != 1 || len(slices.Compact(want)) != n {
			t.Errorf("%d choices: %v, want %v", n, order, want)
		}
	}
}
