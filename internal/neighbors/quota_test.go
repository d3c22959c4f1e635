package neighbors

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// elections calls visit with the votes of every set of k rows, as many of each label as
// counts holds.
func elections(counts []int, k int, visit func(votes []int)) {
	votes := make([]int, len(counts))
	var choose func(label, left int)
	choose = func(label, left int) {
		if label == len(counts) {
			if left == 0 {
				visit(votes)
			}
			return
		}
		for votes[label] = 0; votes[label] <= min(counts[label], left); votes[label]++ {
			choose(label+1, left-votes[label])
		}
		votes[label] = 0
	}
	choose(0, k)
}

func winnerOf(votes []int) int {
	best := 0
	for label, n := range votes {
		if n > votes[best] {
			best = label
		}
	}
	return best
}

// TestQuotaAgainstElections compares the quota with all votes that k rows can give. The
// fewest votes that win are exact. Of the most that lose, the remaining ranks are left
// open: some other label must only be able to have enough.
func TestQuotaAgainstElections(t *testing.T) {
	for number := range uint64(300) {
		rng := rand.New(rand.NewPCG(number, 960))
		counts, n := make([]int, 2+rng.IntN(3)), 0
		for label := range counts {
			counts[label] = rng.IntN(6)
			n += counts[label]
		}
		counts[len(counts)-1]++
		n++
		k := 1 + rng.IntN(min(n, 8))
		x, y := mat.NewDense(n, 1, nil), make([]int, 0, n)
		for label, m := range counts {
			for range m {
				y = append(y, label)
			}
		}
		c, err := New(t.Context(), x, y)
		if err != nil {
			t.Fatal(err)
		}
		for label := range counts {
			fewest, most, reached := 0, -1, -1
			elections(counts, k, func(votes []int) {
				if winnerOf(votes) != label {
					reached = max(reached, votes[label])
				} else if v := votes[label]; fewest == 0 || v < fewest {
					fewest = v
				}
			})
			for l, m := range counts {
				for w := 1; w <= m && l != label; w++ {
					for v := 0; v+w <= k && (w > v || (w == v && l < label)); v++ {
						most = max(most, v)
					}
				}
			}
			if got := c.fewestVotes(label, k); got != fewest {
				t.Errorf("%v rows, k = %d: label %d wins with %d votes, want %d",
					counts, k, label, got, fewest)
			}
			if got := c.mostLosing(label, k); got != most || got < reached {
				t.Errorf("%v rows, k = %d: label %d loses with %d votes, want %d, at least %d",
					counts, k, label, got, most, reached)
			}
		}
	}
}
