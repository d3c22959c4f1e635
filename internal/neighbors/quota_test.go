package neighbors

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/search"
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

// TestQuotaOfShares compares the quota of shares with all votes that k rows can give.
func TestQuotaOfShares(t *testing.T) {
	for n := 1; n < 8; n++ {
		x := mat.NewDense(n, 1, nil)
		for ones := range n + 1 {
			y := make([]int, n)
			for i := range ones {
				y[i] = 1
			}
			all, err := New(t.Context(), x, y)
			if err != nil {
				t.Fatal(err)
			}
			for k := 1; k <= n; k++ {
				for least := range k + 2 {
					checkShare(t, all, []int{n - ones, ones}, k, least)
				}
			}
		}
	}
}

// checkShare asks of zeros and ones whether at least so many of k rows are ones.
func checkShare(t *testing.T, all *Table, counts []int, k, least int) {
	t.Helper()
	share, err := all.Share(1, least, k)
	if err != nil {
		t.Fatal(err)
	}
	fewest := [2]int{}
	elections(counts, k, func(votes []int) {
		label := 0
		if votes[1] >= least {
			label = 1
		}
		if least < 1 || least > k { // all rows have the label
			votes = []int{k, k}
		} else if got := share.winner(votes); got != label {
			t.Errorf("votes %v, %d wanted: %d wins, want %d", votes, least, got, label)
		}
		if f := &fewest[label]; *f == 0 || votes[label] < *f {
			*f = votes[label]
		}
	})
	for label, want := range fewest {
		q := search.Query{From: 1 - label, Target: label}
		if got := share.Quota(k, q).Required; got != want {
			t.Errorf("%v rows, k = %d, %d wanted: label %d needs %d, want %d",
				counts, k, least, label, got, want)
		}
		// Votes that others cannot complete are left open.
		q.Target = -1
		if got := share.Quota(k, q).Required; got > want || (got == 0) != (want == 0) {
			t.Errorf("%v rows, k = %d, %d wanted: beside %d needs %d, want at most %d",
				counts, k, least, q.From, got, want)
		}
	}
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
